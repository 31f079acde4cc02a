#include "model_files/splitter.hpp"

#include "model_files/unicode.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <utility>

namespace senteval::model_files {
namespace {

enum class Class : std::uint8_t { letter, space, punctuation };

Class class_of(char32_t c)
{
    return is_space(c) ? Class::space : is_punctuation(c) ? Class::punctuation : Class::letter;
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
    return class_of(next_character(text, at));
}

/// Words end at white space, which is dropped, and punctuation marks are words of their own.
void split_as_bert(Words& words)
{
    words.ranges.clear();
    std::size_t begin = 0;
    for (std::size_t at = 0, next = 0; at < words.text.size(); at = next) {
        const Class kind = bert_class(words.text, next);
        if (kind == Class::letter)
            continue;
        if (at > begin)
            words.ranges.push_back({begin, at});
        if (kind == Class::punctuation)
            words.ranges.push_back({at, next});
        begin = next;
    }
    if (begin < words.text.size())
        words.ranges.push_back({begin, words.text.size()});
}

/// Blanks become a visible mark, which also stands before the first word; words begin at marks where it splits.
class Metaspace {
public:
    explicit Metaspace(const Json& spec)
        : mark_(spec.value("replacement", "\u2581")), splits_(spec.value("split", true))
    {
        const std::string scheme = spec.value("prepend_scheme", "always");
        if (scheme != "always" || !spec.value("add_prefix_space", true) || mark_.empty())
            throw std::invalid_argument("a Metaspace that does not always put its mark in front");
    }

    void operator()(Words& words) const
    {
        std::string marked;
        if (!words.text.starts_with(' ') && !words.text.starts_with(mark_))
            marked = mark_;
        for (const char c : words.text)
            c == ' ' ? marked += mark_ : marked += c;
        words = {std::move(marked), {}};
        std::size_t begin = 0;
        for (std::size_t next = 0; begin < words.text.size(); begin = next) {
            next = splits_ ? words.text.find(mark_, begin + 1) : std::string::npos;
            next = std::min(next, words.text.size());
            words.ranges.push_back({begin, next});
        }
    }

private:
    std::string mark_;
    bool splits_;
};

} // namespace

Splitter splitter_of(const Json& spec)
{
    if (spec.is_null())
        return [](Words&) {};
    const std::string type = spec.at("type");
    if (type == "BertPreTokenizer")
        return split_as_bert;
    if (type == "Metaspace")
        return Metaspace(spec);
    throw std::invalid_argument("the pre_tokenizer " + type);
}

} // namespace senteval::model_files
