#include "encoder/prefixes.hpp"

#include "base/unicode.hpp"

#include <algorithm>
#include <span>

namespace senteval::encoder {

bool is_prefix_key(const senteval_encoder& encoder, std::string_view key)
{
    const std::span own(encoder.params, encoder.param_count);
    const bool is_one =
        key == instruction_key ||
        std::ranges::any_of(prefix_keys, [&](const auto& one) { return one.first == key; });
    return is_one && std::ranges::none_of(own, [&](const auto* spec) { return spec->key == key; });
}

Prefixes::Prefixes(const senteval_encoder& encoder, const std::vector<Parameter>& parameters)
{
    for (const Parameter& parameter : parameters)
        for (const auto& [key, role] : prefix_keys)
            if (parameter.key == key && is_prefix_key(encoder, key))
                texts_.at(static_cast<std::size_t>(role)) = parameter.value.get<std::string>();
}

std::string put_before(std::string_view prefix, const text::Sentence& sentence)
{
    std::string result;
    if (sentence.verbatim)
        result = prefix;
    else
        for (auto word = base::take_word(prefix); !word.empty(); word = base::take_word(prefix))
            result.append(result.empty() ? "" : " ").append(word);
    if (!sentence.verbatim && !result.empty() && !sentence.text.empty())
        result += ' ';
    return result.append(sentence.text);
}

} // namespace senteval::encoder
