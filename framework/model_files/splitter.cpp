#include "model_files/splitter.hpp"

#include "model_files/unicode.hpp"

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

Class space_class(std::string_view text, std::size_t& at)
{
    return is_space(next_character(text, at)) ? Class::space : Class::letter;
}

/// Words end at white space, which is dropped, and punctuation marks are words of their own.
template <typename ClassOf>
void split_by_class(Words& words, ClassOf&& class_at)
{
    std::vector<Words::Range> found;
    for (const Words::Range range : words.ranges) {
        const std::string_view text = words[range];
        std::size_t begin = 0;
        for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
            const Class kind = class_at(text, next);
            if (kind == Class::letter)
                continue;
            if (at > begin)
                found.push_back({range.begin + begin, range.begin + at});
            if (kind == Class::punctuation)
                found.push_back({range.begin + at, range.begin + next});
            begin = next;
        }
        if (begin < text.size())
            found.push_back({range.begin + begin, range.end});
    }
    words.ranges = std::move(found);
}

/// Blanks become a visible mark, which also stands before the first word.
class Metaspace {
public:
    explicit Metaspace(const Json& spec)
        : mark_(spec.value("replacement", "\u2581")),
          splits_(spec.value("split", true)),
          scheme_(member<std::string>(spec, "prepend_scheme")
                      .value_or(spec.value("add_prefix_space", true) ? "always" : "never"))
    {
        if (mark_.empty())
            throw std::invalid_argument("a Metaspace without replacement");
    }

    void operator()(Words& words) const
    {
        Words marked{{}, {}, words.is_start};
        for (const Words::Range range : words.ranges) {
            const std::size_t begin = marked.text.size();
            const std::string_view text = words[range];
            const bool is_first = words.is_start && range.begin == 0;
            if ((scheme_ == "always" || (scheme_ == "first" && is_first)) &&
                !text.starts_with(' ') && !text.starts_with(mark_))
                marked.text += mark_;
            for (const char c : text)
                c == ' ' ? marked.text += mark_ : marked.text += c;
            add_ranges(marked, begin);
        }
        words = std::move(marked);
    }

private:
    void add_ranges(Words& words, std::size_t begin) const
    {
        while (splits_ && begin < words.text.size()) {
            const std::size_t next = words.text.find(mark_, begin + 1);
            if (next == std::string::npos)
                break;
            words.ranges.push_back({begin, next});
            begin = next;
        }
        if (begin < words.text.size())
            words.ranges.push_back({begin, words.text.size()});
    }

    std::string mark_;
    bool splits_;
    std::string scheme_;
};

} // namespace

Splitter splitter_of(const Json& spec)
{
    if (spec.is_null())
        return [](Words&) {};
    const std::string type = spec.at("type");
    if (type == "BertPreTokenizer")
        return [](Words& words) { split_by_class(words, bert_class); };
    if (type == "WhitespaceSplit")
        return [](Words& words) { split_by_class(words, space_class); };
    if (type == "Metaspace")
        return Metaspace(spec);
    if (type == "Sequence") {
        std::vector<Splitter> steps;
        for (const Json& step : spec.at("pretokenizers"))
            steps.push_back(splitter_of(step));
        return [steps](Words& words) {
            for (const Splitter& step : steps)
                step(words);
        };
    }
    throw std::invalid_argument("the pre_tokenizer " + type);
}

} // namespace senteval::model_files
