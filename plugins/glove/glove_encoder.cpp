#include "glove/glove_encoder.hpp"

#include "base/refuse.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::glove {

namespace {

constexpr std::size_t sentences_per_poll = 4096;

} // namespace

GloveEncoder::GloveEncoder(const sdk::Setup& setup)
    : pooling_(setup.params.choice<Pooling>("pooling",
                                            {{"mean", Pooling::mean},
                                             {"max", Pooling::max},
                                             {"min", Pooling::min},
                                             {"sum", Pooling::sum},
                                             {"pmeans", Pooling::pmeans}})),
      unknown_(setup.params.choice<Unknown>("unknown",
                                            {{"skip", Unknown::skip}, {"zero", Unknown::zero}})),
      case_policy_(word_vectors::case_policy_from(setup.params)),
      vectors_(word_vectors::source_from(setup.params), setup.host, setup.call),
      table_(vectors_, word_vectors::resolve_by(vectors_, case_policy_), setup.host)
{
    const auto counts = setup.params.find<std::string>("sif");
    if (!counts)
        return;
    if (pooling_ != Pooling::mean)
        base::refuse("parameter 'sif' is a kind of mean: it needs pooling = mean");
    sif_.emplace(WordCounts(*counts), setup.params.get("sif_a", 1e-3), case_policy_);
    removes_component_ = setup.params.get("sif_component", true);
}

std::size_t GloveEncoder::dimension() const
{
    return pooled_dimension(pooling_, vectors_.dimension());
}

void GloveEncoder::prepare(sdk::Call& call, const sdk::Task&, sdk::Batch samples)
{
    table_.fill(call, samples);
    if (sif_)
        sif_->fill(table_);
    component_ = {};
    if (removes_component_)
        fit_component(call, samples);
}

void GloveEncoder::fit_component(const sdk::Call& call, sdk::Batch samples)
{
    component_.fit(call, samples.size(), dimension(),
                   [&](std::size_t begin, std::span<double> out) {
                       word_vectors::SentenceReader reader(table_);
                       for (std::size_t i = begin; !out.empty(); ++i) {
                           average(reader, samples[i], out.first(dimension()));
                           out = out.subspan(dimension());
                       }
                   });
}

/// The vector of a sentence, without the removal of a component.
void GloveEncoder::average(word_vectors::SentenceReader& reader,
                           std::string_view sentence,
                           std::span<double> out) const
{
    auto tokens = reader.read(sentence);
    if (tokens.empty())
        tokens = reader.read(".");
    if (sif_)
        sif_->average(unknown_, tokens, out);
    else
        pool(pooling_, unknown_, tokens, out);
}

void GloveEncoder::encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const
{
    word_vectors::SentenceReader reader(table_);
    std::vector<double> vector(dimension());
    for (std::size_t i = 0; i < batch.size(); ++i) {
        if (i % sentences_per_poll == 0)
            call.check_cancelled();
        average(reader, batch[i], vector);
        component_.remove_from(vector);
        std::ranges::transform(vector, out.row(i).begin(),
                               [](double value) { return static_cast<float>(value); });
    }
}

void GloveEncoder::count_known(sdk::Batch batch,
                               std::span<std::uint32_t> tokens,
                               std::span<std::uint32_t> known) const
{
    table_.count_known(batch, tokens, known);
}

} // namespace senteval::glove
