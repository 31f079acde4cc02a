#include "paragram/paragram_encoder.hpp"

#include "base/refuse.hpp"
#include "paragram_model/composition.hpp"

#include <algorithm>
#include <iterator>

namespace senteval::paragram {

namespace wv = word_vectors;

namespace {

constexpr std::size_t sentences_per_poll = 1024;

std::vector<double> unknown_vector(const wv::WordVectors& vectors, sdk::Host host)
{
    const auto row = vectors.find(unknown_word);
    std::vector<double> values(vectors.dimension());
    if (!row || !vectors.read_or_report(*row, values, host))
        base::refuse(vectors.file(),
                     "has no vector of the word '{}', which stands for unknown words in "
                     "paragram files; for other vectors use the encoder glove",
                     unknown_word);
    return values;
}

std::optional<ModelFile> model_from(const sdk::Params& params)
{
    const auto file = params.find<std::string>("model");
    if (!file && !params.find<std::string>("vectors"))
        base::refuse("needs 'model', a model of 'senteval train paragram', or 'vectors', a file of "
                     "word vectors");
    if (!file)
        return std::nullopt;
    for (const char* key : {"vectors", "projection"})
        if (params.find<std::string>(key))
            base::refuse("takes '{}' or 'model', not both: a model has its own", key);
    return std::make_optional<ModelFile>(*file);
}

wv::Source vectors_from(const sdk::Params& params, bool is_model)
{
    wv::Source source = wv::source_from(params, is_model ? "model" : "vectors");
    if (is_model)
        source.format = wv::Format::binary;
    return source;
}

/// One sentence after the other through a model.
class Reader {
public:
    explicit Reader(const ModelFile& model)
        : parameters_(model.parameters()), composition_(model.architecture())
    {
    }

    /// `vectors` are those of the tokens, `mean` theirs.
    void compose(std::span<const double* const> vectors,
                 std::span<const double> mean,
                 std::span<float> out)
    {
        const auto narrow = [](double value) { return static_cast<float>(value); };
        const bool is_recurrent = composition_.architecture().is_recurrent();
        if (is_recurrent && vectors.empty()) {
            std::ranges::fill(out, 0.0F);
            return;
        }
        inputs_.clear();
        if (is_recurrent)
            for (const double* vector : vectors)
                std::transform(vector, vector + mean.size(), std::back_inserter(inputs_), narrow);
        else
            std::ranges::transform(mean, std::back_inserter(inputs_), narrow);
        const auto length = static_cast<std::uint32_t>(std::max<std::size_t>(vectors.size(), 1));
        packing_.assign({&length, 1});
        composition_.forward(parameters_, inputs_.data(), packing_, out.data());
    }

private:
    std::span<const float> parameters_;
    Composition<float> composition_;
    Packing packing_;
    std::vector<float> inputs_;
};

} // namespace

ParagramEncoder::ParagramEncoder(const sdk::Setup& setup)
    : model_(model_from(setup.params)),
      vectors_(vectors_from(setup.params, model_.has_value()), setup.host, setup.call),
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
    return model_        ? model_->architecture().outputs
           : projection_ ? projection_->outputs()
                         : vectors_.dimension();
}

void ParagramEncoder::prepare(sdk::Call& call, const sdk::Task&, sdk::Batch samples)
{
    table_.fill(call, samples);
}

void ParagramEncoder::average(std::span<const wv::Token> tokens, std::span<double> out) const
{
    std::ranges::fill(out, 0.0);
    for (const wv::Token& token : tokens) {
        const double* const vector = vector_of(token);
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
    std::vector<const double*> vectors;
    std::optional<Reader> composer;
    if (model_ && model_->architecture().kind != Kind::word)
        composer.emplace(*model_);
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (i % sentences_per_poll == 0)
            call.check_cancelled();
        const auto tokens = reader.read(batch[i]);
        average(tokens, mean);
        if (composer) {
            vectors.clear();
            for (const wv::Token& token : tokens)
                vectors.push_back(vector_of(token));
            composer->compose(vectors, mean, out.row(i));
            continue;
        }
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
