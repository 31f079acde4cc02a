#include "data/moses_tokeniser.hpp"

#include "base/unicode.hpp"
#include "data/characters.hpp"

#include <algorithm>
#include <vector>

namespace senteval::data {
namespace {

/// English words that keep the period written after them.
enum class Abbreviation {
    none,
    always,        ///< "Dr. Smith"
    before_number, ///< "No. 5", but "No . Never"
};

// Titles, ranks, months and the like, sorted by byte for binary search; initials are not listed.
// Which words are left out matters as much: the prepared files of the STS sets and MRPC split the
// period of Inc., Co., Ltd., Jr., Sept. and of the states.
constexpr std::string_view always[] = {
    "Adm", "Apr",  "Asst", "Aug", "Brig", "Bros", "Capt", "Cmdr",   "Col",  "Comdr", "Corp", "Cpl",
    "DR",  "Dec",  "Dr",   "Drs", "Ens",  "Feb",  "Gen",  "Gov",    "Hon",  "Insp",  "Jan",  "Jul",
    "Jun", "Lt",   "MR",   "MRS", "MS",   "Maj",  "Mar",  "Messrs", "Mlle", "Mme",   "Mr",   "Mrs",
    "Ms",  "Msgr", "Nos",  "Nov", "Oct",  "Pfc",  "Ph",   "Prof",   "Pvt",  "Rep",   "Reps", "Rev",
    "Sen", "Sens", "Sep",  "Sfc", "Sgt",  "Sr",   "St",   "Supt",   "rev",  "v",     "vs",
};
constexpr std::string_view before_number[] = {"Art", "No", "pp"};

/// `stem` is the word without its period, in its own case.
Abbreviation abbreviation(std::string_view stem)
{
    if (stem.size() == 1 && stem.front() >= 'A' && stem.front() <= 'Z')
        return Abbreviation::always;
    if (std::ranges::binary_search(always, stem))
        return Abbreviation::always;
    if (std::ranges::binary_search(before_number, stem))
        return Abbreviation::before_number;
    return Abbreviation::none;
}

using Text = std::u32string;
using View = std::u32string_view;

// Stands for one dot of an ellipsis while the other rules look at periods. Past the end of Unicode:
// no line contains it, and it is in no class of characters.
constexpr char32_t ellipsis_dot = 0x110000;

/// One space for every run of white space, none at the ends, no control characters.
Text squeeze(View line)
{
    Text result;
    result.reserve(line.size());
    for (const char32_t c : line) {
        if (base::is_white_space(c)) {
            if (!result.empty() && result.back() != U' ')
                result += U' ';
        } else if (c >= 0x20) {
            result += c;
        }
    }
    while (!result.empty() && result.back() == U' ')
        result.pop_back();
    return result;
}

void append_spaced(Text& text, char32_t c)
{
    text += U' ';
    text += c;
    text += U' ';
}

Text space_out_symbols(View text)
{
    Text result;
    result.reserve(text.size() * 2);
    for (const char32_t c : text) {
        const bool stays =
            c == U' ' || View(U".'`,-").find(c) != View::npos || is_letter_or_digit(c);
        if (stays)
            result += c;
        else
            append_spaced(result, c);
    }
    return result;
}

/// Two dots and more are one token.
Text space_out_ellipses(View text)
{
    Text result;
    result.reserve(text.size() + 8);
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t end = std::min(text.find_first_not_of(U'.', i), text.size());
        if (end < i + 2) {
            result += text[i++];
            continue;
        }
        result += U' ';
        result.append(end - i, ellipsis_dot);
        result += U' ';
        i = end;
    }
    return result;
}

/// A comma after anything but a number, then a comma before anything but a number: two passes, each
/// of which consumes the neighbour it looked at. Last, a comma after a number that ends the line.
Text split_commas(View text)
{
    Text after;
    after.reserve(text.size() + 16);
    for (std::size_t i = 0; i < text.size(); ++i) {
        after += text[i];
        if (!is_number(text[i]) && i + 1 < text.size() && text[i + 1] == U',') {
            append_spaced(after, U',');
            ++i;
        }
    }
    Text before;
    before.reserve(after.size() + 16);
    for (std::size_t i = 0; i < after.size(); ++i) {
        if (after[i] == U',' && i + 1 < after.size() && !is_number(after[i + 1])) {
            append_spaced(before, U',');
            before += after[++i];
        } else {
            before += after[i];
        }
    }
    if (before.size() > 1 && before.back() == U',' && is_number(before[before.size() - 2]))
        before.insert(before.size() - 1, 1, U' ');
    return before;
}

/// One pass over the apostrophes: where `left` and `right` hold of its neighbours it is split off
/// before, and after as well when `alone`. A match consumes both neighbours.
template <typename Left, typename Right>
Text split_apostrophes(View text, Left left, Right right, bool alone)
{
    Text result;
    result.reserve(text.size() + 16);
    std::size_t i = 0;
    while (i < text.size()) {
        result += text[i];
        if (i + 2 < text.size() && text[i + 1] == U'\'' && left(text[i]) && right(text[i + 2])) {
            result += alone ? View(U" ' ") : View(U" '");
            result += text[i + 2];
            i += 3;
        } else {
            ++i;
        }
    }
    return result;
}

/// English contractions lean to the left: "it's" is "it 's".
Text split_contractions(Text text)
{
    if (text.find(U'\'') == Text::npos)
        return text;
    const auto letter = [](char32_t c) { return is_letter(c); };
    const auto no_letter = [](char32_t c) { return !is_letter(c); };
    const auto neither = [](char32_t c) { return !is_letter(c) && !is_number(c); };
    const auto number = [](char32_t c) { return is_number(c); };
    const auto s = [](char32_t c) { return c == U's'; };
    text = split_apostrophes(text, no_letter, no_letter, true);
    text = split_apostrophes(text, neither, letter, true);
    text = split_apostrophes(text, letter, no_letter, true);
    text = split_apostrophes(text, letter, letter, false);
    return split_apostrophes(text, number, s, false);
}

std::vector<View> words_of(View text)
{
    std::vector<View> words;
    for (std::size_t i = text.find_first_not_of(U' '); i < text.size();
         i = text.find_first_not_of(U' ', i)) {
        const std::size_t end = std::min(text.find(U' ', i), text.size());
        words.push_back(text.substr(i, end - i));
        i = end;
    }
    return words;
}

/// Whether the period stays on `stem`, given the word after it, if any.
bool keeps_period(View stem, View next)
{
    const bool dotted = stem.find(U'.') != View::npos;
    if ((dotted && std::ranges::any_of(stem, is_letter)) ||
        (!next.empty() && is_lower_case(next.front())))
        return true;
    switch (abbreviation(encode_utf8(stem))) {
    case Abbreviation::always:
        return true;
    case Abbreviation::before_number:
        return !next.empty() && next.front() >= U'0' && next.front() <= U'9';
    case Abbreviation::none:
        break;
    }
    return false;
}

Text split_periods(View text, LastWord last_word)
{
    const std::vector<View> words = words_of(text);
    Text result;
    result.reserve(text.size() + 8);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const View word = words[i];
        const View stem = word.substr(0, word.size() - 1);
        const bool last = i + 1 == words.size();
        const bool splits = word.size() > 1 && word.back() == U'.' &&
                            ((last && last_word == LastWord::always_split) ||
                             !keeps_period(stem, last ? View() : words[i + 1]));
        if (splits)
            result.append(stem).append(U" .");
        else
            result += word;
        result += U' ';
    }
    return result;
}

/// A line that still ends in .' has two tokens there, and a space behind them.
void split_final_quote(Text& text)
{
    if (text.ends_with(U".'"))
        text.replace(text.size() - 2, 2, U" . ' ");
}

} // namespace

std::string tokenise_moses(std::string_view line, LastWord last_word)
{
    const Text squeezed = squeeze(decode_utf8(line));
    if (squeezed.empty())
        return std::string(line);
    Text text = squeeze(space_out_ellipses(space_out_symbols(squeezed)));
    text = split_contractions(split_commas(text));
    text = squeeze(split_periods(text, last_word));
    split_final_quote(text);
    std::ranges::replace(text, ellipsis_dot, U'.');
    return encode_utf8(text);
}

} // namespace senteval::data
