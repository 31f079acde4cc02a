#include "encoder/linked_libraries.hpp"

#include <senteval/child.hpp>

#include <array>
#include <set>
#include <string_view>

namespace senteval::encoder {
namespace {

namespace fs = std::filesystem;

/// What a program prints; nothing where it cannot be run.
std::string output_of(std::vector<std::string> words)
{
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
        return {};
    std::string output;
    std::optional<sdk::Child> child;
    try {
        child.emplace(
            sdk::ChildCommand{.words = std::move(words),
                              .descriptors = {{ends[1], STDOUT_FILENO}, {ends[1], STDERR_FILENO}}});
    } catch (const std::system_error&) { // there is no such program
    }
    ::close(ends[1]);
    std::array<char, 4096> block{};
    for (ssize_t got = 1; child && got > 0;
         output.append(block.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0))))
        got = ::read(ends[0], block.data(), block.size());
    ::close(ends[0]);
    return output;
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
    const std::string output = output_of({"ldd", fs::absolute(library, error).string()});
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
