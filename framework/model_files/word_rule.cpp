#include "model_files/word_rule.hpp"

#include "base/unicode.hpp"
#include "model_files/unicode.hpp"

#include <algorithm>

namespace senteval::model_files {
namespace {

/// The end of an English ending such as 'll; 0 where there is none.
std::size_t ending_end(std::string_view text, std::size_t at, bool any_case)
{
    constexpr std::string_view long_s = "\u017F";
    if (text[at] != '\'')
        return 0;
    const std::string_view rest = text.substr(at + 1);
    if (any_case && rest.starts_with(long_s))
        return at + 1 + long_s.size();
    for (const std::string_view ending : {"s", "t", "re", "ve", "m", "ll", "d"})
        if (rest.size() >= ending.size() &&
            std::equal(ending.begin(), ending.end(), rest.begin(),
                       [any_case](char a, char b) { return a == (any_case ? b | 0x20 : b); }))
            return at + 1 + ending.size();
    return 0;
}

bool is_line_end(char c)
{
    return c == '\r' || c == '\n';
}

} // namespace

std::size_t WordRule::end(std::string_view text, std::size_t at) const
{
    if (const std::size_t end = ending_end(text, at, is_newer); end != 0)
        return end;
    const auto kind_at = [&](std::size_t& place) {
        const Kind kind = kind_of(base::next_or_replacement(text, place));
        return kind != Kind::mark ? kind : takes_marks ? Kind::letter : Kind::other;
    };
    const auto is_at = [&](std::size_t place, Kind kind) {
        return place < text.size() && kind_at(place) == kind;
    };
    const auto run_of = [&](Kind kind, std::size_t from, std::size_t most) {
        std::size_t end = from;
        for (std::size_t next = from, n = 0; end < text.size() && n != most; ++n, end = next)
            if (kind_at(next) != kind)
                break;
        return end;
    };

    std::size_t next = at;
    const Kind first = kind_at(next);
    const bool is_blank = text[at] == ' ';
    const bool leads = is_newer ? first != Kind::number && !is_line_end(text[at]) : is_blank;
    if (first == Kind::letter)
        return run_of(Kind::letter, at, any);
    if (leads && is_at(next, Kind::letter))
        return run_of(Kind::letter, next, any);
    const std::size_t begin = is_blank ? next : at;
    if (is_newer ? first == Kind::number : is_at(begin, Kind::number))
        return run_of(Kind::number, is_newer ? at : begin, most_digits);
    if (is_at(begin, Kind::other)) {
        std::size_t end = run_of(Kind::other, begin, any);
        while (is_newer && end < text.size() && is_line_end(text[end]))
            ++end;
        return end;
    }
    std::size_t end = at;
    std::size_t last = at;     // character of the white space
    std::size_t line_end = at; // the last one, where lines count
    for (std::size_t place = at; end < text.size() && kind_at(place) == Kind::space; end = place) {
        last = end;
        if (is_newer && is_line_end(text[end]))
            line_end = place;
    }
    if (line_end > at)
        return line_end;
    return end < text.size() && last > at ? last : end;
}

const WordRule* word_rule_of(std::string_view expression)
{
    static constexpr WordRule llama3 = {true, 3, false};
    static constexpr WordRule qwen2 = {true, 1, false};
    static constexpr WordRule qwen35 = {true, 1, true};
    if (expression ==
        R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)")
        return &gpt2_words;
    constexpr std::string_view endings = R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?)";
    constexpr std::string_view space = R"([\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
    if (!expression.starts_with(endings) || !expression.ends_with(space))
        return nullptr;
    expression.remove_prefix(endings.size());
    expression.remove_suffix(space.size());
    if (expression == R"(\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+)")
        return &llama3;
    if (expression == R"(\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+)")
        return &qwen2;
    return expression == R"([\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+)" ? &qwen35 : nullptr;
}

} // namespace senteval::model_files
