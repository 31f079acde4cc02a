#include "word_vectors/fields.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <system_error>

namespace senteval::word_vectors {

std::string_view line_at(std::string_view text) noexcept
{
    return text.substr(0, text.find('\n'));
}

std::string_view without_end(std::string_view line) noexcept
{
    while (!line.empty() && (is_separator(line.back()) || line.back() == '\r'))
        line.remove_suffix(1);
    return line;
}

std::size_t count_fields(std::string_view line) noexcept
{
    if (line.empty())
        return 0;
    std::size_t count = is_separator(line.front()) ? 0 : 1;
    // Blocks with a one-byte counter: the compiler makes vector code of the inner loop.
    constexpr std::size_t block = 255;
    for (std::size_t begin = 1; begin < line.size(); begin += block) {
        const std::size_t end = std::min(begin + block, line.size());
        std::uint8_t starts = 0;
        for (std::size_t i = begin; i < end; ++i)
            starts = static_cast<std::uint8_t>(starts +
                                               (static_cast<unsigned>(is_separator(line[i - 1])) &
                                                static_cast<unsigned>(!is_separator(line[i]))));
        count += starts;
    }
    return count;
}

std::string_view last_field(std::string_view line) noexcept
{
    std::size_t begin = line.size();
    while (begin > 0 && !is_separator(line[begin - 1]))
        --begin;
    return line.substr(begin);
}

bool take_number(std::string_view& text, double& number) noexcept
{
    const char* first = text.data();
    const char* const last = first + text.size();
    if (text.size() > 1 && *first == '+' && first[1] != '-')
        ++first;
    double value = 0.0;
    auto [end, error] = std::from_chars(first, last, value);
    if (error == std::errc::result_out_of_range) // too small is as good as 0, too large is not
        value = std::strtod(std::string(first, end).c_str(), nullptr);
    else if (error != std::errc())
        return false;
    if (!std::isfinite(value))
        return false;
    number = value;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

bool is_number(std::string_view field) noexcept
{
    double ignored = 0.0;
    return take_number(field, ignored) && field.empty();
}

} // namespace senteval::word_vectors
