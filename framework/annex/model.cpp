#include "annex/model.hpp"

#include "base/unicode.hpp"
#include "paragram_model/architecture.hpp"
#include "word_vectors/table.hpp"

#include <algorithm>

namespace senteval::annex {

SentenceEncoder::SentenceEncoder(const paragram::Architecture& architecture,
                                 const ModelState& model,
                                 const Vocabulary& vocabulary,
                                 const StartVectors& vectors)
    : model_(model), vocabulary_(vocabulary), vectors_(vectors), composition_(architecture)
{
}

void SentenceEncoder::append_vector(std::string_view token)
{
    const std::size_t width = composition_.architecture().inputs;
    const std::string word = paragram::normalised(token);
    const auto trained = vocabulary_.numbers.find(word);
    const bool is_trained = trained != vocabulary_.numbers.end() && trained->second != unknown;
    const auto row = is_trained ? std::nullopt : vectors_.find(word);
    inputs_.resize(inputs_.size() + width);
    const std::span<float> out = std::span(inputs_).last(width);
    if (row)
        vectors_.read(*row, out);
    else
        std::copy_n(model_.words.begin() + static_cast<std::ptrdiff_t>(
                                               (is_trained ? trained->second : unknown) * width),
                    width, out.begin());
}

void SentenceEncoder::encode(std::string_view sentence, std::span<float> out)
{
    const paragram::Architecture& architecture = composition_.architecture();
    const std::size_t width = architecture.inputs;
    inputs_.clear();
    base::for_each_word(sentence, [this](std::string_view token) { append_vector(token); });
    const std::size_t tokens = inputs_.size() / width;
    if (architecture.is_recurrent() && tokens == 0) {
        std::ranges::fill(out, 0.0F);
        return;
    }
    mean_.assign(width, 0.0F);
    if (!architecture.is_recurrent()) {
        std::vector<double> sum(width);
        for (std::size_t at = 0; at < inputs_.size(); ++at)
            sum[at % width] += static_cast<double>(inputs_[at]);
        for (std::size_t i = 0; i < width && tokens > 0; ++i)
            mean_[i] = static_cast<float>(sum[i] / static_cast<double>(tokens));
    }
    const auto length = static_cast<std::uint32_t>(std::max<std::size_t>(tokens, 1));
    packing_.assign({&length, 1});
    composition_.forward(model_.parameters,
                         architecture.is_recurrent() ? inputs_.data() : mean_.data(), packing_,
                         out.data());
}

} // namespace senteval::annex
