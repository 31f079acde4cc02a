#include "word_vectors/text_case.hpp"

#include <utf8proc.h>

#include <array>

namespace senteval::word_vectors {

namespace {

/// Appends the first character of `text`, mapped, to `result`; returns how many bytes it had.
template <typename Map>
std::size_t append_mapped(std::string& result, std::string_view text, Map&& map)
{
    const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
    utf8proc_int32_t character = -1;
    const utf8proc_ssize_t read =
        utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size()), &character);
    if (read < 1) {
        result += text.front();
        return 1;
    }
    std::array<utf8proc_uint8_t, 4> encoded{};
    const utf8proc_ssize_t size = utf8proc_encode_char(map(character), encoded.data());
    result.append(reinterpret_cast<const char*>(encoded.data()), static_cast<std::size_t>(size));
    return static_cast<std::size_t>(read);
}

} // namespace

std::string lower_case(std::string_view text)
{
    std::string result;
    while (!text.empty())
        text.remove_prefix(append_mapped(result, text, utf8proc_tolower));
    return result;
}

std::string capitalised(std::string_view text)
{
    std::string result;
    if (!text.empty())
        text.remove_prefix(append_mapped(result, text, utf8proc_totitle));
    return result + lower_case(text);
}

} // namespace senteval::word_vectors
