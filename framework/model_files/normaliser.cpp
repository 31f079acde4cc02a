#include "model_files/normaliser.hpp"

#include "base/refuse.hpp"
#include "base/unicode.hpp"
#include "model_files/charsmap.hpp"
#include "model_files/unicode.hpp"

#include <array>
#include <cstddef>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::model_files {
namespace {

class BertNormaliser {
public:
    explicit BertNormaliser(const Json& spec)
        : clean_(spec.value("clean_text", true)),
          cjk_(spec.value("handle_chinese_chars", true)),
          lower_(spec.value("lowercase", true)),
          strip_(member<bool>(spec, "strip_accents").value_or(lower_))
    {
        for (char32_t c = 0; c < ascii_.size(); ++c) {
            std::string folded;
            append_folded(folded, c);
            ascii_[c] = folded.empty() ? removed : folded.front();
        }
    }

    std::string operator()(std::string_view text) const
    {
        std::string result;
        result.reserve(text.size() + text.size() / 4);
        for (std::size_t at = 0; at < text.size();) {
            if (const auto byte = static_cast<unsigned char>(text[at]); byte < ascii_.size()) {
                if (ascii_[byte] != removed || !clean_)
                    result += ascii_[byte];
                ++at;
            } else {
                append_folded(result, base::next_or_replacement(text, at));
            }
        }
        return result;
    }

private:
    static constexpr char removed = '\0'; // which is what NUL becomes, too

    void append_folded(std::string& result, char32_t c) const
    {
        if (clean_) {
            if (c == 0 || is_removed(c))
                return;
            if (base::is_white_space(c)) {
                result += ' ';
                return;
            }
        }
        const bool alone = cjk_ && is_cjk(c);
        if (alone)
            result += ' ';
        if (!strip_) {
            append_cased(result, c);
        } else {
            std::string parts;
            append_without_marks(parts, c);
            for (std::size_t at = 0; at < parts.size();)
                append_cased(result, base::next_or_replacement(parts, at));
        }
        if (alone)
            result += ' ';
    }

    void append_cased(std::string& result, char32_t c) const
    {
        lower_ ? base::append_lower(result, c) : base::append_character(result, c);
    }

    bool clean_;
    bool cjk_;
    bool lower_;
    bool strip_;
    std::array<char, 128> ascii_{};
};

std::string replaced(std::string text, std::string_view pattern, std::string_view content)
{
    std::size_t at = pattern.empty() ? std::string::npos : text.find(pattern);
    if (at == std::string::npos)
        return text;
    std::string result;
    std::size_t begin = 0;
    for (; at != std::string::npos; at = text.find(pattern, begin)) {
        result.append(text, begin, at - begin).append(content);
        begin = at + pattern.size();
    }
    return result.append(text, begin);
}

/// Each run of at least `least` characters that `is_in` is true for becomes `content`.
std::string with_runs_replaced(std::string_view text,
                               std::string_view content,
                               std::size_t least,
                               bool (*is_in)(char32_t))
{
    std::string result;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        std::size_t run = 0;
        for (std::size_t next = at;
             at < text.size() && is_in(base::next_or_replacement(text, next)); ++run)
            at = next;
        if (run == 0)
            base::next_or_replacement(text, at);
        result += run < least ? text.substr(begin, at - begin) : content;
    }
    return result;
}

Normaliser replacement_of(const Json& spec)
{
    const Json& pattern = spec.at("pattern");
    const std::string content = spec.at("content");
    if (content.size() > most_growth)
        throw std::length_error("its normalizer replaces by a long text");
    if (const auto text = member<std::string>(pattern, "String"))
        return [text = *text, content](std::string from) {
            return replaced(std::move(from), text, content);
        };
    const std::string expression = pattern.at("Regex");
    if (expression == "\\s+")
        return [content](const std::string& from) {
            return with_runs_replaced(from, content, 1, base::is_white_space);
        };
    if (expression == " {2,}")
        return [content](const std::string& from) {
            return with_runs_replaced(from, content, 2, [](char32_t c) { return c == ' '; });
        };
    throw std::invalid_argument("the regular expression " + expression + " in its normalizer");
}

/// Text with `write` applied to each character.
template <typename Write>
Normaliser by_character(Write write)
{
    return [write](const std::string& text) {
        std::string result;
        for (std::size_t at = 0; at < text.size();)
            write(result, base::next_or_replacement(text, at));
        return result;
    };
}

Normaliser step_of(const Json& spec)
{
    const std::string type = spec.at("type");
    if (type == "BertNormalizer")
        return BertNormaliser(spec);
    if (type == "Replace")
        return replacement_of(spec);
    if (type == "Strip")
        return [left = spec.value("strip_left", true),
                right = spec.value("strip_right", true)](const std::string& text) {
            return std::string(without_outer_space(text, left, right));
        };
    if (type == "NFC" || type == "NFD" || type == "NFKC" || type == "NFKD")
        return [type](const std::string& text) { return unicode_form(text, type); };
    if (type == "Lowercase")
        return by_character(base::append_lower);
    if (type == "StripAccents")
        return by_character([](std::string& text, char32_t c) {
            if (kind_of(c) != Kind::mark)
                base::append_character(text, c);
        });
    if (type == "Prepend")
        return [before = spec.at("prepend").get<std::string>()](const std::string& text) {
            return text.empty() ? text : before + text;
        };
    if (type == "Precompiled")
        return character_map_of(spec.at("precompiled_charsmap"));
    throw std::invalid_argument("the normalizer " + type);
}

} // namespace

void check_growth(std::size_t before, std::size_t now)
{
    if (now > (before + most_growth) * most_growth)
        base::refuse("its tokenizer makes a text too long");
}

Normaliser normaliser_of(const Json& spec)
{
    std::vector<Normaliser> steps;
    for (const Json& step : members_of(spec, "normalizers"))
        steps.push_back(step_of(step));
    return [steps](std::string text) {
        const std::size_t before = text.size();
        for (const Normaliser& step : steps) {
            text = step(std::move(text));
            check_growth(before, text.size());
        }
        return text;
    };
}

} // namespace senteval::model_files
