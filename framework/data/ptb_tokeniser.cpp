#include "data/ptb_tokeniser.hpp"

#include "base/ascii.hpp"

namespace senteval::data {
namespace {

bool is_one_of(char c, std::string_view set)
{
    return set.find(c) != std::string_view::npos;
}

/// Every byte of `set` gets a space on both sides.
std::string space_out(std::string_view text, std::string_view set)
{
    std::string result;
    result.reserve(text.size() + text.size() / 4 + 8);
    for (const char c : text) {
        if (is_one_of(c, set)) {
            result += ' ';
            result += c;
            result += ' ';
        } else {
            result += c;
        }
    }
    return result;
}

/// Replaces `from`, left to right, what was replaced is not looked at again.
void replace_all(std::string& text, std::string_view from, std::string_view to)
{
    for (std::size_t at = text.find(from); at != std::string::npos;
         at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// A double quote that opens: at the start, or after a space or an opening bracket.
std::string open_quotes(std::string_view line)
{
    std::string result;
    result.reserve(line.size() + 8);
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool opens = line[i] == '"' && (i == 0 || is_one_of(line[i - 1], " ([{<"));
        if (opens)
            result += "`` ";
        else
            result += line[i];
    }
    return result;
}

/// The period that ends the line, perhaps before closing brackets and quotes, is a token of its
/// own; periods inside the line stay where they are.
void split_final_period(std::string& text)
{
    const std::size_t end = text.find_last_not_of(" \t");
    if (end == std::string::npos)
        return;
    const std::size_t period = text.find_last_not_of("])}>\"'", end);
    if (period == std::string::npos || period == 0 || text[period] != '.' ||
        text[period - 1] == '.')
        return;
    text.resize(end + 1);
    text.insert(period, 1, ' ');
    text += ' ';
}

/// An apostrophe before a space that does not belong to a closing pair of them.
std::string split_closing_apostrophes(std::string_view text)
{
    std::string result;
    result.reserve(text.size() + 8);
    std::size_t i = 0;
    while (i < text.size()) {
        if (text[i] != '\'' && text.substr(i + 1, 2) == "' ") {
            result += text[i];
            result += " ' ";
            i += 3;
        } else {
            result += text[i++];
        }
    }
    return result;
}

/// A pattern that is cut in two at `cut`; the letter at `either_case` may be a capital.
struct Split {
    std::string_view pattern;
    std::size_t either_case;
    std::size_t cut;
};

constexpr std::size_t exact = std::string_view::npos;

constexpr Split splits[] = {
    {"'s ", 1, 0},      {"'m ", 1, 0},      {"'d ", 1, 0},      {"'ll ", exact, 0},
    {"'re ", exact, 0}, {"'ve ", exact, 0}, {"n't ", exact, 0}, {"'LL ", exact, 0},
    {"'RE ", exact, 0}, {"'VE ", exact, 0}, {"N'T ", exact, 0}, {" cannot ", 1, 4},
    {" d'ye ", 1, 3},   {" gimme ", 1, 4},  {" gonna ", 1, 4},  {" gotta ", 1, 4},
    {" lemme ", 1, 4},  {" more'n ", 1, 5}, {" 'tis ", 2, 3},   {" 'twas ", 2, 3},
    {" wanna ", 1, 4},
};

bool matches(std::string_view text, const Split& split)
{
    if (text.size() < split.pattern.size())
        return false;
    for (std::size_t i = 0; i < split.pattern.size(); ++i) {
        const char c = i == split.either_case ? base::ascii_lower(text[i]) : text[i];
        if (c != split.pattern[i])
            return false;
    }
    return true;
}

void apply(std::string& text, const Split& split)
{
    std::size_t i = 0;
    while (i + split.pattern.size() <= text.size()) {
        if (matches(std::string_view(text).substr(i), split)) {
            text.insert(i + split.cut, 1, ' ');
            i += split.pattern.size() + 1;
        } else {
            ++i;
        }
    }
}

std::string collapse_spaces(std::string_view text)
{
    std::string result;
    result.reserve(text.size());
    for (const char c : text)
        if (c != ' ' || (!result.empty() && result.back() != ' '))
            result += c;
    return result;
}

} // namespace

std::string tokenise_ptb(std::string_view line)
{
    std::string text = open_quotes(line);
    replace_all(text, "...", " ... ");
    text = space_out(text, ",;:@#$%&");
    split_final_period(text);
    text = space_out(text, "?![](){}<>");
    replace_all(text, "--", " -- ");
    text = ' ' + text + ' ';
    replace_all(text, "\"", " '' ");
    text = split_closing_apostrophes(text);
    for (const Split& split : splits)
        apply(text, split);
    return collapse_spaces(text);
}

} // namespace senteval::data
