#include "model_files/splitter.hpp"

#include "base/unicode.hpp"
#include "model_files/normaliser.hpp"
#include "model_files/unicode.hpp"
#include "model_files/word_rule.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace senteval::model_files {
namespace {

/// The end of a part of a word, and whether the part is a word of its own or is dropped.
struct Part {
    std::size_t end = 0;
    bool is_word = true;
};

/// Cuts each word into what next(word, at) finds in it.
template <typename Next>
void cut_words(Words& words, Next next)
{
    std::vector<Words::Range> parts;
    for (const Words::Range range : words.ranges) {
        const std::string_view word = words[range];
        for (std::size_t at = 0; at < word.size();) {
            const Part part = next(word, at);
            if (part.is_word)
                parts.push_back({range.begin + at, range.begin + part.end});
            at = part.end;
        }
    }
    words.ranges = std::move(parts);
}

/// Makes the text anew of what write(text, word, is_first) appends for each word; `is_first` is one at the very start.
template <typename Write>
void rewrite_words(Words& words, Write write)
{
    Words result;
    result.text.reserve(words.text.size() * 2);
    for (const Words::Range range : words.ranges) {
        const std::size_t begin = result.text.size();
        write(result.text, words[range], words.at_start && range.begin == 0);
        if (result.text.size() > begin)
            result.ranges.push_back({begin, result.text.size()});
    }
    result.at_start = words.at_start && !words.ranges.empty() && words.ranges.front().begin == 0;
    words = std::move(result);
}

/// The end of the run of characters of which `is_in` is true.
template <typename IsIn>
std::size_t run_end(std::string_view text, std::size_t at, IsIn is_in)
{
    for (std::size_t next = at; at < text.size() && is_in(base::next_or_replacement(text, next));)
        at = next;
    return at;
}

enum class Class : std::uint8_t { letter, space, punctuation };

Class class_of(char32_t c)
{
    return base::is_white_space(c) ? Class::space
           : is_punctuation(c)     ? Class::punctuation
                                   : Class::letter;
}

Class bert_class(std::string_view text, std::size_t& at)
{
    static const auto ascii = [] {
        std::array<Class, 128> classes{};
        for (char32_t c = 0; c < classes.size(); ++c)
            classes[c] = class_of(c);
        return classes;
    }();
    if (const auto byte = static_cast<unsigned char>(text[at]); byte < ascii.size()) {
        ++at;
        return ascii[byte];
    }
    return class_of(base::next_or_replacement(text, at));
}

/// Words end at white space, which is dropped, and punctuation marks are words of their own.
Part bert_part(std::string_view word, std::size_t at)
{
    if (const Class kind = bert_class(word, at); kind != Class::letter)
        return {at, kind == Class::punctuation};
    for (std::size_t next = at; at < word.size() && bert_class(word, next) == Class::letter;)
        at = next;
    return {at};
}

Part without_space(std::string_view word, std::size_t at)
{
    if (const std::size_t end = run_end(word, at, base::is_white_space); end > at)
        return {end, false};
    return {run_end(word, at, [](char32_t c) { return !base::is_white_space(c); })};
}

/// Blanks become a visible mark, which may also stand before the first word or all; words begin at marks where it splits.
class Metaspace {
public:
    explicit Metaspace(const Json& spec)
        : mark_(spec.value("replacement", "\u2581")),
          scheme_(member<std::string>(spec, "prepend_scheme")
                      .value_or(spec.value("add_prefix_space", true) ? "always" : "never")),
          splits_(spec.value("split", true))
    {
        if (scheme_ != "always" && scheme_ != "first" && scheme_ != "never")
            throw std::invalid_argument("the prepend_scheme " + scheme_ + " of Metaspace");
        if (mark_.empty() || mark_.size() > 4)
            throw std::invalid_argument("the replacement '" + mark_ + "' of Metaspace");
    }

    void operator()(Words& words) const
    {
        rewrite_words(words, [this](std::string& text, std::string_view word, bool is_first) {
            if (!word.starts_with(' ') && !word.starts_with(mark_) &&
                (scheme_ == "always" || (scheme_ == "first" && is_first)))
                text += mark_;
            for (const char c : word)
                c == ' ' ? text += mark_ : text += c;
        });
        if (splits_)
            cut_words(words, [this](std::string_view word, std::size_t at) -> Part {
                return {std::min(word.find(mark_, at + 1), word.size())};
            });
    }

private:
    std::string mark_;
    std::string scheme_;
    bool splits_;
};

/// Each byte becomes a letter: itself where it is a visible sign of Latin-1, else one from U+0100 on.
class ByteLevel {
public:
    explicit ByteLevel(const Json& spec)
        : blank_first_(spec.value("add_prefix_space", true)), cuts_(spec.value("use_regex", true))
    {
        char32_t other = 0x100;
        for (char32_t byte = 0; byte < letters_.size(); ++byte) {
            const bool is_visible = byte > ' ' && byte != 0xAD && (byte < 0x7F || byte > 0xA0);
            base::append_character(letters_[byte], is_visible ? byte : other++);
        }
    }

    void operator()(Words& words) const
    {
        if (blank_first_)
            rewrite_words(words, [](std::string& text, std::string_view word, bool) {
                text.append(word.starts_with(' ') ? "" : " ").append(word);
            });
        if (cuts_)
            cut_words(words, [](std::string_view word, std::size_t at) -> Part {
                return {gpt2_words.end(word, at)};
            });
        rewrite_words(words, [this](std::string& text, std::string_view word, bool) {
            for (const char byte : word)
                text += letters_[static_cast<unsigned char>(byte)];
        });
    }

private:
    bool blank_first_;
    bool cuts_;
    std::array<std::string, 256> letters_;
};

/// Cuts at the places of a text, which is dropped, alone, or stays with what is before it; or by one of the known rules.
Splitter split_of(const Json& spec)
{
    const Json& pattern = spec.at("pattern");
    const std::string behavior = spec.at("behavior");
    const std::string mark = member<std::string>(pattern, "String").value_or("");
    const std::string expression = member<std::string>(pattern, "Regex").value_or("");
    const WordRule* const rule = word_rule_of(expression);
    const bool is_known = rule != nullptr
                              ? behavior == "Isolated"
                              : !mark.empty() && (behavior == "Isolated" || behavior == "Removed" ||
                                                  behavior == "MergedWithPrevious");
    if (!is_known || spec.value("invert", false))
        throw std::invalid_argument("a Split (" + behavior + ") at " + mark + expression);
    return [=, merges = behavior == "MergedWithPrevious",
            keeps = behavior != "Removed"](Words& words) {
        cut_words(words, [&](std::string_view word, std::size_t at) -> Part {
            if (rule != nullptr)
                return {rule->end(word, at)};
            const std::size_t found = word.find(mark, at);
            if (found == std::string::npos)
                return {word.size()};
            if (found == at || merges)
                return {found + mark.size(), keeps};
            return {found};
        });
    };
}

Splitter step_splitter(const Json& spec)
{
    const std::string type = spec.at("type");
    if (type == "BertPreTokenizer")
        return [](Words& words) { cut_words(words, bert_part); };
    if (type == "WhitespaceSplit")
        return [](Words& words) { cut_words(words, without_space); };
    if (type == "Metaspace")
        return Metaspace(spec);
    if (type == "ByteLevel")
        return ByteLevel(spec);
    if (type == "Split")
        return split_of(spec);
    throw std::invalid_argument("the pre_tokenizer " + type);
}

} // namespace

Splitter splitter_of(const Json& spec)
{
    std::vector<Splitter> steps;
    for (const Json& step : members_of(spec, "pretokenizers"))
        steps.push_back(step_splitter(step));
    return [steps](Words& words) {
        const std::size_t before = words.text.size();
        for (const Splitter& step : steps) {
            step(words);
            check_growth(before, words.text.size());
        }
    };
}

} // namespace senteval::model_files
