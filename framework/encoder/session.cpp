#include "encoder/session.hpp"

#include "base/error.hpp"
#include "base/fingerprint.hpp"
#include "base/parallel.hpp"

#include <algorithm>
#include <utility>

namespace senteval::encoder {

Session::Session(Encoder& encoder, const SessionOptions& options)
    : threads_(options.threads),
      cache_(options.cache),
      cached_(encoder.identity()),
      warn_(options.warn),
      spill_(options.spill),
      encoder_(std::make_unique<PromptedEncoder>(encoder)),
      embedder_(*encoder_, options)
{
}

void Session::prepare(std::string_view task,
                      std::span<const text::Sentence> samples,
                      const Prompts& prompts)
{
    task_ = task;
    samples_ = samples;
    prompts_.clear();
    for (const auto& [role, text] : prompts)
        prompts_ += fmt::format("{} {}\n", static_cast<int>(role), text);
    encoder_->use(prompts);
    store_.close();
    images_.reset();
    image_memory_.reset();
    imaged_ = 0;
    component_samples_.reset();
    projected_to_.reset();
    projection_.reset();
    variant_ = {};
    embedder_.prepare(task, samples);
    if (ranks())
        return;
    const bool shares = capabilities().batch_invariant;
    embedder_.guarded("preparing", [&] {
        store_.open(encoder_dimension(), shares ? distinct(samples).size() : samples.size(), shares,
                    spill_);
    });
    cache_as(cached_.fingerprint);
}

void Session::cache_as(const std::string& fingerprint)
{
    cached_.fingerprint = fingerprint;
    if (cache_ == nullptr || !capabilities().batch_invariant || store_.capacity() == 0)
        return;
    Identity prompted = cached_;
    if (!prompts_.empty())
        prompted.fingerprint = base::fingerprint(fingerprint + prompts_);
    store_.use_cache(*cache_,
                     cache_key(prompted, embedder_.encoder().has_prepare(), task_, samples_));
}

void Session::project(const std::optional<embedding::ProjectionSettings>& projection,
                      const embedding::Variant& variant)
{
    using embedding::ProjectionSettings;
    if (projection == projected_to_ && variant == variant_)
        return;
    const std::size_t full = encoder_dimension();
    projected_to_.reset();
    projection_.reset();
    variant_ = {};
    imaged_ = 0;
    if (projection && projection->dimension < full) {
        make_room_for_images(projection->dimension);
        projection_ =
            projection->kind == embedding::ProjectionKind::random
                ? embedding::Projection::random(full, projection->dimension,
                                                ProjectionSettings::seed)
                : embedding::Projection::principal(component_samples(), projection->dimension);
    }
    if (variant.copies(full))
        make_room_for_images(variant.dimension_of(full));
    projected_to_ = projection;
    variant_ = variant;
}

void Session::make_room_for_images(std::size_t dimension)
{
    embedder_.guarded("preparing", [&] {
        images_ = image_memory_.allocate(dimension, VectorRows::dense, store_.capacity(), spill_);
    });
}

const arma::fmat& Session::component_samples()
{
    if (!component_samples_.empty())
        return component_samples_;
    auto chosen = distinct(samples_);
    const std::size_t count = std::min(chosen.size(), embedding::ProjectionSettings::samples);
    for (std::size_t i = 0; i < count; ++i)
        chosen[i] = chosen[i * chosen.size() / count];
    chosen.resize(count);
    if (capabilities().batch_invariant)
        return component_samples_ = store_.vectors(columns_of(chosen)).matrix();
    return component_samples_ = embedder_.ask(chosen);
}

embedding::Embeddings Session::embed(std::span<const text::Sentence> sentences)
{
    const auto columns = columns_of(sentences);
    if (!has_images())
        return store_.vectors(columns);
    project_new_columns();
    return {&images_, columns};
}

void Session::project_new_columns()
{
    constexpr std::size_t block = 64;
    const std::size_t first = std::exchange(imaged_, store_.size());
    base::parallel_for((imaged_ - first + block - 1) / block, threads_, [&](std::size_t b) {
        const std::size_t begin = first + b * block;
        for (std::size_t at = begin; at < std::min(begin + block, imaged_); ++at)
            if (projection_)
                projection_->apply(store_.vector(at), images_.colptr(at));
            else
                variant_.copy(store_.vector(at), {images_.colptr(at), images_.n_rows});
    });
}

std::span<const std::uint32_t> Session::columns_of(std::span<const text::Sentence> sentences)
{
    if (const auto* const columns = store_.find(sentences))
        return *columns;
    // All at once where columns are shared: in as few batches, and calls, as there can be.
    if (capabilities().batch_invariant && store_.size() == 0)
        encode(samples_);
    return encode(sentences);
}

std::span<const std::uint32_t> Session::encode(std::span<const text::Sentence> sentences)
{
    const auto forget = [&] {
        store_.clear();
        imaged_ = 0;
    };
    try {
        std::vector<Slot> slots;
        std::span<const std::uint32_t> columns;
        embedder_.guarded("encoding", [&] { columns = store_.add(sentences, slots); });
        embedder_.encode(slots, [&](std::span<const Slot> filled) { store_.keep(filled); });
        save_to_cache();
        return columns;
    } catch (const base::Cancelled&) {
        save_to_cache();
        forget();
        throw;
    } catch (...) {
        forget();
        throw;
    }
}

void Session::save_to_cache()
{
    try {
        store_.save();
    } catch (const base::Error& e) { // the next run takes longer, that is all
        if (warn_)
            warn_(fmt::format("the embeddings are not cached: {}", e.what()));
    }
}

double Session::norm() const
{
    constexpr std::size_t most = 10000;
    const std::size_t count = has_images() ? imaged_ : store_.size();
    const std::size_t step = count / most + 1;
    double sum = 0;
    std::size_t taken = 0;
    for (std::size_t column = 0; column < count; column += step, ++taken) {
        const float* const vector =
            has_images() ? images_.colptr(column) : store_.vector(column).data();
        for (std::size_t row = 0; row < dimension(); ++row)
            sum += std::pow(static_cast<double>(vector[row]), 2);
    }
    return taken == 0 ? 0.0 : std::sqrt(sum / static_cast<double>(taken));
}

} // namespace senteval::encoder
