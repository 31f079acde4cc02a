#include "annex/model.hpp"

#include "base/files.hpp"
#include "base/unicode.hpp"
#include "paragram_model/architecture.hpp"
#include "paragram_model/model_file.hpp"
#include "word_vectors/table.hpp"

#include <algorithm>
#include <limits>

namespace senteval::annex {

namespace {

constexpr Word untrained = std::numeric_limits<Word>::max();

/// A word of the file.
struct FileWord {
    std::size_t row =
        0; ///< of the start vectors; their number for the unknown word where they lack it
    Word word = untrained;
};

std::vector<FileWord> file_words(const Vocabulary& vocabulary, const StartVectors& vectors)
{
    std::vector<FileWord> words;
    std::vector<Word> word_of(vectors.size() + 1, untrained);
    for (Word word = 0; word < vocabulary.size(); ++word)
        word_of[vocabulary.rows[word]] = word;
    for (std::size_t row = 0; row < vectors.size(); ++row)
        if (vectors.word(row).find(' ') == std::string_view::npos)
            words.push_back({row, word_of[row]});
    if (word_of.back() != untrained)
        words.push_back({vectors.size(), word_of.back()});
    return words;
}

} // namespace

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

void write_model_file(const std::filesystem::path& file,
                      const paragram::Architecture& architecture,
                      const ModelState& model,
                      const Vocabulary& vocabulary,
                      const StartVectors& vectors,
                      const paragram::TrainingRecord& record)
{
    const std::vector<FileWord> words = file_words(vocabulary, vectors);
    const std::size_t width = architecture.inputs;
    paragram::InitialVectors initial;
    std::vector<std::uint32_t> counts;
    std::vector<float> before(width);
    for (std::size_t at = 0; at < words.size(); ++at) {
        const Word word = words[at].word;
        counts.push_back(word == untrained ? 0 : vocabulary.counts[word]);
        if (word == untrained)
            continue;
        if (word == unknown)
            std::ranges::copy(vectors.unknown(), before.begin());
        else
            vectors.read(words[at].row, before);
        const float* const after = model.words.data() + word * width;
        if (std::equal(before.begin(), before.end(), after))
            continue;
        initial.rows.push_back(static_cast<std::uint32_t>(at));
        initial.values.insert(initial.values.end(), before.begin(), before.end());
    }
    const std::string training = paragram::to_block(record);
    paragram::ModelContent content;
    content.architecture = architecture;
    content.parameters = model.parameters;
    content.words = words.size();
    content.counts = counts;
    content.initial = &initial;
    content.training = training;
    content.word = [&](std::size_t at, std::span<float> values) -> std::string_view {
        if (words[at].word == untrained)
            vectors.read(words[at].row, values);
        else
            std::copy_n(model.words.data() + words[at].word * width, width, values.begin());
        return words[at].row < vectors.size() ? vectors.word(words[at].row)
                                              : std::string_view(vocabulary.words[unknown]);
    };
    base::Replacement replacement(file);
    paragram::write_model(content, [&](std::string_view bytes) { replacement.write(bytes); });
    replacement.commit();
}

} // namespace senteval::annex
