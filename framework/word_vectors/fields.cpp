#include "word_vectors/fields.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <system_error>

namespace senteval::word_vectors {

namespace {

bool is_digit(char character) noexcept
{
    return character >= '0' && character <= '9';
}

/// A decimal as vectors are made of: no exponent, and so few digits that they and the power of ten are
/// exact doubles, whose quotient is then the correctly rounded value (Clinger 1990). Returns its end;
/// null where it is anything else.
const char* read_short_decimal(const char* at, const char* last, double& value) noexcept
{
    constexpr std::array<double, 16> powers = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const bool negative = at != last && *at == '-';
    if (negative)
        ++at;
    std::uint64_t digits = 0;
    const auto take_digits = [&] {
        const char* const begin = at;
        for (; at != last && is_digit(*at); ++at)
            digits = digits * 10 + static_cast<std::uint64_t>(*at - '0');
        return static_cast<std::size_t>(at - begin);
    };
    std::size_t count = take_digits();
    std::size_t places = 0;
    if (at != last && *at == '.') {
        ++at;
        places = take_digits();
        count += places;
    }
    if (count == 0 || count >= powers.size() || (at != last && (*at == 'e' || *at == 'E')))
        return nullptr;
    const double size = static_cast<double>(digits) / powers[places];
    value = negative ? -size : size;
    return at;
}

} // namespace

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
    if (const char* const end = read_short_decimal(first, last, value)) {
        number = value;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return true;
    }
    auto [end, error] = std::from_chars(first, last, value);
    if (error == std::errc::result_out_of_range) { // too small is as good as 0, too large is not
        long double wide = 0;
        if (std::from_chars(first, last, wide).ec != std::errc() || std::abs(wide) > 1)
            return false;
        value = *first == '-' ? -0.0 : 0.0;
    } else if (error != std::errc() || !std::isfinite(value)) {
        return false;
    }
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
