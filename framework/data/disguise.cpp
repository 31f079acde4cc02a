#include "data/disguise.hpp"

#include "core/ascii.hpp"

#include <algorithm>
#include <string>

namespace senteval::data {
namespace {

std::string lower_head(std::string_view bytes)
{
    std::string head(bytes.substr(0, 512));
    std::ranges::transform(head, head.begin(), core::ascii_lower);
    return head;
}

} // namespace

std::optional<Disguise> disguise_of(std::string_view bytes)
{
    if (bytes.empty())
        return Disguise{"is empty", "a download failed without a word", ""};
    const std::string head = lower_head(bytes);
    constexpr std::size_t near_the_start = 64; // after a mark, blank lines or a comment
    if (head.find("<!doctype html") < near_the_start || head.find("<html") < near_the_start)
        return Disguise{"is an HTML page", "a server sent its error page in place of the data", ""};
    if (head.starts_with("pk\x03\x04") || head.starts_with("pk\x05\x06") ||
        head.starts_with("\x1f\x8b"))
        return Disguise{"is an archive", "it was put in its place without being unpacked",
                        "Unpack it, or run: senteval data prepare --from FOLDER", true};
    if (head.starts_with("version https://git-lfs"))
        return Disguise{"is a Git LFS pointer", "the repository holds only a reference to the data",
                        ""};
    return std::nullopt;
}

} // namespace senteval::data
