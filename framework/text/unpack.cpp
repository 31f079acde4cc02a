#include "text/unpack.hpp"

#include "base/error.hpp"

#include <unicode/unistr.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

namespace senteval::text {
namespace {

bool is_gzip(std::string_view bytes)
{
    return bytes.starts_with("\x1f\x8b");
}

bool is_utf16(std::string_view bytes)
{
    return bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff");
}

/// All members of a gzip file, one behind the other.
std::string gunzip(const std::string& name, std::string_view bytes)
{
    constexpr int gzip_alone = 15 + 16;
    constexpr std::size_t most_at_once = std::size_t{1} << 30;
    z_stream stream{};
    if (inflateInit2(&stream, gzip_alone) != Z_OK)
        throw std::bad_alloc();
    const std::unique_ptr<z_stream, decltype(&inflateEnd)> owner(&stream, inflateEnd);
    std::string text;
    std::array<char, 1U << 16U> block{};
    while (is_gzip(bytes)) { // other bytes behind a member are padding, as for the program gzip
        int state = inflateReset(&stream);
        while (state == Z_OK) {
            const std::size_t given = std::min(bytes.size(), most_at_once);
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
            stream.avail_in = static_cast<uInt>(given);
            stream.next_out = reinterpret_cast<Bytef*>(block.data());
            stream.avail_out = static_cast<uInt>(block.size());
            state = inflate(&stream, Z_NO_FLUSH);
            bytes.remove_prefix(given - stream.avail_in);
            text.append(block.data(), block.size() - stream.avail_out);
        }
        if (state != Z_STREAM_END)
            throw base::Error("{}: the gzip file is damaged or cut off", name);
    }
    return text;
}

} // namespace

std::string unpacked(const std::string& name, std::string_view bytes)
{
    std::string text = is_gzip(bytes) ? gunzip(name, bytes) : std::string();
    if (is_utf16(text.empty() ? bytes : text))
        text = to_utf8(name, text.empty() ? bytes : text, "UTF-16");
    return text;
}

std::string to_utf8(const std::string& name, std::string_view bytes, const char* encoding)
{
    constexpr std::string_view replacement = "\xEF\xBF\xBD";
    if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
        throw base::Error("{}: {} of {} bytes cannot be read", name, encoding, bytes.size());
    std::string text;
    icu::UnicodeString(bytes.data(), static_cast<std::int32_t>(bytes.size()), encoding)
        .toUTF8String(text);
    if (text.find(replacement) != std::string::npos)
        throw base::Error("{}: it is not valid {}", name, encoding);
    return text;
}

} // namespace senteval::text
