#include "encoder/projected_encoder.hpp"

#include "core/error.hpp"
#include "core/fingerprint.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <unordered_set>
#include <vector>

namespace senteval::encoder {
namespace {

constexpr std::uint64_t projection_seed = 1111;
constexpr std::size_t most_samples = 2000;
constexpr std::size_t batch_size = 128;

std::string_view name(ProjectionKind kind)
{
    return projection_names[static_cast<std::size_t>(kind)].first;
}

core::Json to_json(const ProjectionSettings& settings)
{
    core::Json json = {{"kind", name(settings.kind)}, {"dimension", settings.dimension}};
    if (settings.kind == ProjectionKind::random)
        json["seed"] = projection_seed;
    else
        json.update({{"samples", most_samples}, {"transductive", true}});
    return json;
}

/// At most most_samples different sentences, evenly spread over all.
std::vector<text::Sentence> spread(std::span<const text::Sentence> samples)
{
    std::unordered_set<std::string_view> seen;
    std::vector<text::Sentence> distinct;
    for (const text::Sentence& sample : samples)
        if (seen.insert(sample.text).second)
            distinct.push_back(sample);
    const std::size_t count = std::min(distinct.size(), most_samples);
    for (std::size_t i = 0; i < count; ++i)
        distinct[i] = distinct[i * distinct.size() / count];
    distinct.resize(count);
    return distinct;
}

} // namespace

Identity projected(Identity inner, const ProjectionSettings& settings)
{
    core::Json projection = to_json(settings);
    inner.fingerprint = core::fingerprint(inner.fingerprint + projection.dump());
    if (inner.parameters.contains("projection"))
        projection["of_encoder"] = inner.parameters["projection"];
    inner.label += fmt::format(" @{} {}", settings.dimension, name(settings.kind));
    inner.parameters["projection"] = std::move(projection);
    return inner;
}

ProjectedEncoder::ProjectedEncoder(std::unique_ptr<Encoder> inner,
                                   const ProjectionSettings& settings)
    : inner_(std::move(inner)),
      settings_(settings),
      identity_(projected(inner_->identity(), settings))
{
}

bool ProjectedEncoder::has_prepare() const
{
    return settings_.kind == ProjectionKind::pca || inner_->has_prepare();
}

void ProjectedEncoder::prepare(std::string_view task,
                               std::span<const text::Sentence> samples,
                               const CallContext& context)
{
    inner_->prepare(task, samples, context);
    const std::size_t from = inner_->dimension();
    identity_.parameters["projection"]["from"] = from;
    if (from <= settings_.dimension)
        projection_.reset();
    else if (settings_.kind == ProjectionKind::pca)
        projection_ = fit(samples, context);
    else if (!projection_ || projection_->matrix().n_cols != from)
        projection_ = embedding::Projection::random(from, settings_.dimension, projection_seed);
}

embedding::Projection ProjectedEncoder::fit(std::span<const text::Sentence> samples,
                                            const CallContext& context)
{
    const std::vector<text::Sentence> chosen = spread(samples);
    arma::fmat vectors(inner_->dimension(), chosen.size(), arma::fill::zeros);
    for (std::size_t at = 0; at < chosen.size(); at += batch_size) {
        if (context.stop.stop_requested())
            throw core::Cancelled();
        const std::size_t size = std::min(batch_size, chosen.size() - at);
        inner_->encode(std::span(chosen).subspan(at, size), vectors.colptr(at), context);
    }
    if (!vectors.is_finite())
        throw core::Error("a vector that the principal components are to be made of is not finite");
    return embedding::Projection::principal(vectors, settings_.dimension);
}

std::size_t ProjectedEncoder::dimension()
{
    return std::min(inner_->dimension(), settings_.dimension);
}

void ProjectedEncoder::encode(std::span<const text::Sentence> batch,
                              float* out,
                              const CallContext& context)
{
    if (!projection_) {
        inner_->encode(batch, out, context);
        return;
    }
    // Not a number to begin with, so that a value which the encoder forgets to write is noticed.
    arma::fmat vectors(projection_->matrix().n_cols, batch.size());
    vectors.fill(std::numeric_limits<float>::quiet_NaN());
    inner_->encode(batch, vectors.memptr(), context);
    const arma::fmat images = projection_->apply(vectors);
    std::copy(images.begin(), images.end(), out);
}

} // namespace senteval::encoder
