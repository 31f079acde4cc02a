#include "encoder/linked_libraries.hpp"

#include "core/descriptor.hpp"
#include "core/error.hpp"

#include <senteval/child.hpp>

#include <array>
#include <set>
#include <string_view>

namespace senteval::encoder {
namespace {

namespace fs = std::filesystem;

std::string output_of_ldd(const std::string& library)
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        throw core::Error("cannot make a pipe: {}", std::generic_category().message(errno));
    const core::Descriptor reading(ends[0]);
    std::optional<core::Descriptor> writing(ends[1]);
    std::optional<sdk::Child> child;
    try {
        child.emplace(
            sdk::ChildCommand{.words = {"ldd", library},
                              .descriptors = {{ends[1], STDOUT_FILENO}, {ends[1], STDERR_FILENO}}});
    } catch (const std::system_error& e) {
        throw core::Error("the libraries of '{}' are not known: {}", library, e.what());
    }
    writing.reset();
    std::string output;
    std::array<char, 4096> block{};
    for (;;) {
        const ssize_t got = ::read(reading.number(), block.data(), block.size());
        if (got > 0)
            output.append(block.data(), static_cast<std::size_t>(got));
        else if (got == 0 || errno != EINTR)
            return output;
    }
}

bool is_of_system(const fs::path& file)
{
    const std::string top = std::next(file.begin())->string();
    return top.starts_with("lib") ||
           (top == "usr" && std::next(file.begin(), 2)->string().starts_with("lib"));
}

} // namespace

std::vector<fs::path> linked_libraries(const fs::path& library)
{
    std::error_code error;
    std::set<fs::path> found;
    const std::string output = output_of_ldd(fs::absolute(library, error).string());
    for (std::string_view rest = output; !rest.empty();) {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        const auto begin = line.find("=> /"); // "libmodel.so => /folder/libmodel.so (0x...)"
        const auto end = line.rfind(" (0x");
        if (begin == std::string_view::npos || end == std::string_view::npos || end < begin)
            continue;
        const fs::path file = fs::weakly_canonical(line.substr(begin + 3, end - begin - 3), error);
        if (fs::is_regular_file(file, error) && !is_of_system(file))
            found.insert(file);
    }
    return {found.begin(), found.end()};
}

} // namespace senteval::encoder
