#include "paragram/paragram_encoder.hpp"

#include "word_vectors/text_case.hpp"

#include <algorithm>
#include <utility>

namespace senteval::paragram {

namespace wv = word_vectors;

namespace {

constexpr std::string_view unknown_word = "UUUNKKK";
constexpr std::size_t sentences_per_poll = 1024;

std::vector<double> unknown_vector(const wv::WordVectors& vectors, sdk::Host host)
{
    const auto row = vectors.find(unknown_word);
    std::vector<double> values(vectors.dimension());
    if (!row || !vectors.read_or_report(*row, values, host))
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                         vectors.file().string() + ": has no vector of the word '" +
                             std::string(unknown_word) +
                             "', which stands for unknown words in paragram files; for other "
                             "vectors use the encoder glove");
    return values;
}

} // namespace

std::string normalised(std::string_view token)
{
    std::string word = wv::lower_case(token);
    if (word.size() > 1 && word.front() == '#')
        std::erase(word, '#');
    return word;
}

ParagramEncoder::ParagramEncoder(const sdk::Setup& setup)
    : vectors_(wv::source_from(setup.params), setup.host, setup.call),
      table_(
          vectors_,
          [this](std::string_view token) { return vectors_.find(normalised(token)); },
          setup.host),
      unknown_(unknown_vector(vectors_, setup.host))
{
    if (const auto file = setup.params.find<std::string>("projection"))
        projection_.emplace(*file, vectors_.dimension());
}

std::size_t ParagramEncoder::dimension() const
{
    return projection_ ? projection_->outputs() : vectors_.dimension();
}

void ParagramEncoder::prepare(sdk::Call& call, const sdk::Task&, sdk::Batch samples)
{
    table_.fill(call, samples);
}

void ParagramEncoder::average(std::span<const wv::Token> tokens, std::span<double> out) const
{
    std::ranges::fill(out, 0.0);
    for (const wv::Token& token : tokens) {
        const double* const vector = token.vector != nullptr ? token.vector : unknown_.data();
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] += vector[i];
    }
    if (!tokens.empty())
        for (double& value : out)
            value /= static_cast<double>(tokens.size());
}

void ParagramEncoder::encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const
{
    wv::SentenceReader reader(table_);
    std::vector<double> mean(vectors_.dimension());
    std::vector<double> projected(dimension());
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (i % sentences_per_poll == 0)
            call.check_cancelled();
        average(reader.read(batch[i]), mean);
        if (projection_)
            projection_->apply(mean, projected);
        std::ranges::transform(projection_ ? projected : mean, out.row(i).begin(),
                               [](double value) { return static_cast<float>(value); });
    }
}

void ParagramEncoder::count_known(sdk::Batch batch,
                                  std::span<std::uint32_t> tokens,
                                  std::span<std::uint32_t> known) const
{
    table_.count_known(batch, tokens, known);
}

} // namespace senteval::paragram
