// The names of the steps are those of https://snowballstem.org/algorithms/english/stemmer.html.
#include "bm25/stemmers.hpp"

#include "base/unicode.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace senteval::bm25 {
namespace {

constexpr char wide = '\x80';     ///< stands for a character beyond ASCII: a consonant like others
constexpr char consonant_y = 'Y'; ///< a y at the beginning, or behind a vowel

constexpr bool is_one_of(std::string_view letters, char c)
{
    return letters.find(c) != std::string_view::npos;
}

constexpr bool is_vowel(char c)
{
    return is_one_of("aeiouy", c);
}

/// An ending and what takes its place. Of several that fit, the longest counts: it stands before its own ends.
struct Ending {
    std::string_view ending;
    std::string_view replacement = {};
    std::string_view behind = {}; ///< letters of which one must stand before it; empty: any
    bool only_second_region = false;
};

constexpr Ending step_2[] = {
    {"ational", "ate"},       {"fulness", "ful"}, {"iveness", "ive"}, {"ization", "ize"},
    {"ousness", "ous"},       {"biliti", "ble"},  {"lessli", "less"}, {"tional", "tion"},
    {"alism", "al"},          {"aliti", "al"},    {"ation", "ate"},   {"entli", "ent"},
    {"fulli", "ful"},         {"iviti", "ive"},   {"ousli", "ous"},   {"ogist", "og"},
    {"abli", "able"},         {"alli", "al"},     {"anci", "ance"},   {"ator", "ate"},
    {"enci", "ence"},         {"izer", "ize"},    {"bli", "ble"},     {"ogi", "og", "l"},
    {"li", "", "cdeghkmnrt"},
};
constexpr Ending step_3[] = {
    {"ational", "ate"}, {"tional", "tion"},      {"alize", "al"}, {"icate", "ic"}, {"iciti", "ic"},
    {"ical", "ic"},     {"ative", "", "", true}, {"ness"},        {"ful"},
};
constexpr Ending step_4[] = {
    {"ement"}, {"able"}, {"ance"}, {"ence"}, {"ible"}, {"ment"},
    {"ant"},   {"ate"},  {"ent"},  {"ism"},  {"iti"},  {"ive"},
    {"ize"},   {"ous"},  {"al"},   {"er"},   {"ic"},   {"ion", "", "st"},
};

/// Words and their stems.
constexpr Ending words[] = {
    {"andes", "andes"},  {"atlas", "atlas"},  {"bias", "bias"}, {"cosmos", "cosmos"},
    {"dying", "die"},    {"lying", "lie"},    {"tying", "tie"}, {"early", "earli"},
    {"gently", "gentl"}, {"howe", "howe"},    {"idly", "idl"},  {"news", "news"},
    {"only", "onli"},    {"singly", "singl"}, {"skies", "sky"}, {"skis", "ski"},
    {"sky", "sky"},      {"ugly", "ugli"},
};
/// Behind such a beginning the first region begins. The first six are of the third edition alone.
constexpr std::string_view beginnings[] = {"emerg",   "inter", "later",  "organ", "past",
                                           "univers", "arsen", "commun", "gener"};
/// Words whose ing or eed is no ending. The first is of the third edition alone.
constexpr std::string_view whole_words[] = {"evening", "canning", "earring", "exceed", "herring",
                                            "inning",  "outing",  "proceed", "succeed"};

class Word {
public:
    Word(std::string letters, Edition edition)
        : word_(std::move(letters)), is_new_(edition == Edition::snowball_3)
    {
        for (std::size_t i = 0; i < word_.size(); ++i)
            if (word_[i] == 'y' && (i == 0 || is_vowel(word_[i - 1])))
                word_[i] = consonant_y;
        first_ = behind_syllable(0);
        for (const std::string_view known : std::span(beginnings).subspan(is_new_ ? 0 : 6))
            if (word_.starts_with(known))
                first_ = known.size();
        second_ = behind_syllable(first_);
    }

    std::string stem() &&
    {
        step_1a();
        const auto whole = std::span(whole_words).subspan(is_new_ ? 0 : 1);
        if (std::ranges::find(whole, word_) == whole.end()) {
            step_1b();
            step_1c();
            replace(step_2);
            replace(step_3);
            replace(step_4, true);
            step_5();
        }
        std::ranges::replace(word_, consonant_y, 'y');
        return std::move(word_);
    }

private:
    /// The place behind the next consonant that follows a vowel; the end where there is none.
    [[nodiscard]] std::size_t behind_syllable(std::size_t at) const
    {
        while (at < word_.size() && !is_vowel(word_[at]))
            ++at;
        while (at < word_.size() && is_vowel(word_[at]))
            ++at;
        return std::min(at + 1, word_.size());
    }

    [[nodiscard]] bool ends_with(std::string_view ending) const { return word_.ends_with(ending); }
    void drop(std::size_t letters) { word_.resize(word_.size() - letters); }

    [[nodiscard]] bool has_vowel_before(std::size_t end) const
    {
        return std::any_of(word_.begin(), word_.begin() + static_cast<std::ptrdiff_t>(end),
                           is_vowel);
    }

    /// Whether the letters before `end` are a short syllable.
    [[nodiscard]] bool is_short_before(std::size_t end) const
    {
        const std::string_view part = std::string_view(word_).substr(0, end);
        if (is_new_ && part.ends_with("past"))
            return true;
        if (end < 2 || is_vowel(part[end - 1]) || !is_vowel(part[end - 2]))
            return end == 2 && is_vowel(part[0]) && !is_vowel(part[1]);
        return end == 2 || (!is_one_of("wxY", part[end - 1]) && !is_vowel(part[end - 3]));
    }

    /// Plurals.
    void step_1a()
    {
        if (ends_with("sses"))
            drop(2);
        else if (ends_with("ied") || ends_with("ies"))
            drop(word_.size() > 4 ? 2 : 1);
        else if (ends_with("s") && !ends_with("us") && !ends_with("ss") && word_.size() > 2 &&
                 has_vowel_before(word_.size() - 2))
            drop(1);
    }

    /// Past tenses and participles.
    void step_1b()
    {
        for (const std::string_view ending : {"eedly", "ingly", "edly", "eed", "ing", "ed"}) {
            if (!ends_with(ending))
                continue;
            const std::size_t stem = word_.size() - ending.size();
            if (ending.starts_with("ee")) {
                if (stem >= first_ && !keeps_eed(stem))
                    word_.replace(stem, ending.size(), "ee");
            } else if (is_new_ && ending == "ing" && stem == 2 && word_[1] == 'y') {
                word_.replace(1, word_.size() - 1, "ie");
            } else if (has_vowel_before(stem)) {
                drop(ending.size());
                mend();
            }
            return;
        }
    }

    /// The third edition takes "exceedly" for a form of "exceed".
    [[nodiscard]] bool keeps_eed(std::size_t stem) const
    {
        const auto before = std::string_view(word_).substr(0, stem);
        return is_new_ && (before == "exc" || before == "proc" || before == "succ");
    }

    /// What is left of "hoping" is "hop", of "hopping" "hopp": hope, hop.
    void mend()
    {
        const std::size_t size = word_.size();
        const bool is_double =
            size > 1 && word_[size - 1] == word_[size - 2] && is_one_of("bdfgmnprt", word_.back());
        if (is_double)
            drop(is_new_ && size == 3 && is_one_of("aeo", word_[0]) ? 0 : 1);
        else if (ends_with("at") || ends_with("bl") || ends_with("iz") ||
                 (size == first_ && is_short_before(size)))
            word_ += 'e';
    }

    void step_1c()
    {
        const std::size_t size = word_.size();
        if (size > 2 && is_one_of("yY", word_.back()) && !is_vowel(word_[size - 2]))
            word_.back() = 'i';
    }

    /// Replaces the longest ending that fits, where it is in the region.
    void replace(std::span<const Ending> endings, bool only_second_region = false)
    {
        for (const Ending& one : endings) {
            if (!ends_with(one.ending) || (one.ending == "ogist" && !is_new_))
                continue;
            const std::size_t stem = word_.size() - one.ending.size();
            const bool is_second = only_second_region || one.only_second_region;
            if (stem >= (is_second ? second_ : first_) &&
                (one.behind.empty() || (stem > 0 && is_one_of(one.behind, word_[stem - 1]))))
                word_.replace(stem, one.ending.size(), one.replacement);
            return;
        }
    }

    void step_5()
    {
        if (word_.empty())
            return;
        const std::size_t last = word_.size() - 1;
        const bool is_silent =
            word_.back() == 'e' && (last >= second_ || (last >= first_ && !is_short_before(last)));
        if (is_silent || (ends_with("ll") && last >= second_))
            drop(1);
    }

    std::string word_;
    bool is_new_;
    std::size_t first_ = 0; ///< where the regions begin, R1 and R2
    std::size_t second_ = 0;
};

} // namespace

std::string english_stem(std::string_view word, Edition edition)
{
    if (const auto* const found = std::ranges::find(words, word, &Ending::ending);
        found != std::end(words))
        return std::string(found->replacement);
    std::string letters;
    for (std::size_t at = 0; at < word.size();) {
        const char first = word[at];
        letters += base::next_or_replacement(word, at) < 0x80 ? first : wide;
    }
    if (letters.size() < 3)
        return std::string(word);
    std::string result;
    std::size_t end =
        0; // of the last character beyond ASCII; endings have none, so all are still there
    for (const char letter : Word(std::move(letters), edition).stem()) {
        std::size_t begin = end;
        while (letter == wide && base::next_or_replacement(word, end) < 0x80)
            begin = end;
        result += letter == wide ? word.substr(begin, end - begin) : std::string_view(&letter, 1);
    }
    return result;
}

} // namespace senteval::bm25
