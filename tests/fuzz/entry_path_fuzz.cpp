// A path or link that is called safe must not leave its folder. A line each: entry, target.
#include "data/archive.hpp"
#include "fuzz.hpp"

#include <filesystem>

using namespace senteval;

namespace {

bool stays_inside(const std::filesystem::path& path)
{
    const auto root = std::filesystem::path("/folder");
    const std::string landed = (root / path).lexically_normal().string();
    return landed == "/folder" || landed.starts_with("/folder/");
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    const std::string_view text = fuzz::text(bytes, size);
    const std::string_view entry = text.substr(0, text.find('\n'));
    const std::string_view target =
        text.substr(entry.size() < text.size() ? entry.size() + 1 : entry.size());
    if (!data::is_safe_entry_path(entry))
        return 0;
    fuzz::require(stays_inside(entry));
    if (data::is_safe_link(entry, target))
        fuzz::require(stays_inside(std::filesystem::path(entry).parent_path() / target));
    return 0;
}
