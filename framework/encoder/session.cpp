#include "encoder/session.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "encoder/culprit.hpp"
#include "encoder/sentences.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace senteval::encoder {

Session::Session(Encoder& encoder, SessionOptions options)
    : encoder_(encoder), options_(std::move(options))
{
}

CallContext Session::call_context(unsigned budget) const
{
    return {budget, options_.stop, {}};
}

void Session::fail(std::string_view doing, std::string_view why) const
{
    throw base::Error("encoder '{}' failed on task {} while {}: {}", encoder_.identity().label,
                      task_, doing, why);
}

void Session::guarded(std::string_view doing, const std::function<void()>& call) const
{
    try {
        call();
    } catch (const base::Cancelled&) {
        throw;
    } catch (const std::exception& e) {
        fail(doing, e.what());
    }
}

void Session::prepare(std::string_view task, std::span<const text::Sentence> samples)
{
    task_ = task;
    samples_ = samples;
    encoded_ = 0;
    cached_ = 0;
    forget_vectors();
    store_.reset();
    memory_.reset();
    images_.reset();
    image_memory_.reset();
    component_samples_.reset();
    projected_to_.reset();
    projection_.reset();
    variant_ = {};
    is_covered_ = false;
    is_order_checked_ = false;
    guarded("preparing", [&] {
        prepare_encoder();
        dimension_ = encoder_.dimension();
    });
    if (dimension_ == 0)
        fail("preparing", "it says that its vectors have dimension 0");
    store_ = allocate(memory_, dimension_, VectorRows::padded,
                      shares_columns() ? distinct(samples).size() : samples.size());
    const bool use_cache = options_.cache != nullptr && shares_columns();
    cache_key_ = use_cache ? cache_key(encoder_.identity(), encoder_.has_prepare(), task, samples)
                           : std::string();
    if (use_cache)
        kept_ = options_.cache->open(cache_key_, dimension_);
}

void Session::prepare_encoder()
{
    const CallContext context = call_context(options_.threads);
    try {
        encoder_.prepare(task_, samples_, context);
    } catch (const ProcessEnded& e) {
        if (!e.is_by_call())
            throw;
        const auto dies = [&](std::span<const text::Sentence> part, const CallContext& again) {
            try {
                encoder_.prepare(task_, part, again);
            } catch (const ProcessEnded&) {
                return true;
            }
            return false;
        };
        throw base::Error("{}{}", e.what(), culprit_text(samples_, dies, context, options_.search));
    }
}

arma::fmat Session::allocate(VectorMemory& memory,
                             std::size_t dimension,
                             VectorRows rows,
                             std::size_t sentences) const
{
    float* values = nullptr;
    guarded("preparing",
            [&] { values = memory.allocate(dimension, rows, sentences, options_.spill); });
    return arma::fmat(values, rows == VectorRows::padded ? core::row_stride(dimension) : dimension,
                      sentences, false);
}

void Session::project(const std::optional<embedding::ProjectionSettings>& projection,
                      const embedding::Variant& variant)
{
    if (projection == projected_to_ && variant == variant_)
        return;
    projected_to_.reset();
    projection_.reset();
    variant_ = {};
    imaged_ = 0;
    if (projection && projection->dimension < dimension_) {
        images_ = allocate(image_memory_, projection->dimension, VectorRows::dense, store_.n_cols);
        if (projection->kind == embedding::ProjectionKind::random)
            projection_ = embedding::Projection::random(dimension_, projection->dimension,
                                                        embedding::ProjectionSettings::seed);
        else
            projection_ =
                embedding::Projection::principal(component_samples(), projection->dimension);
    }
    if (variant.copies(dimension_))
        images_ = allocate(image_memory_, variant.dimension_of(dimension_), VectorRows::dense,
                           store_.n_cols);
    projected_to_ = projection;
    variant_ = variant;
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
    if (shares_columns()) {
        component_samples_ = vectors_of(columns_of(chosen)).matrix();
        return component_samples_;
    }
    std::vector<Pending> pending;
    pending.reserve(chosen.size());
    for (const text::Sentence& sentence : chosen)
        pending.push_back({sentence, static_cast<std::uint32_t>(pending.size())});
    VectorMemory memory;
    arma::fmat vectors = allocate(memory, dimension_, VectorRows::dense, count);
    for (std::size_t at = 0; at < count;) {
        const auto part = of_one_role<Pending>(pending, at, count, &Pending::role);
        encode(part, vectors, {at, count});
        at += part.size();
    }
    component_samples_ = arma::fmat(vectors); // out of memory that ends here
    return component_samples_;
}

embedding::Embeddings Session::embed(std::span<const text::Sentence> sentences)
{
    const auto columns = columns_of(sentences);
    if (!has_images())
        return vectors_of(columns);
    project_new_columns();
    return {&images_, columns};
}

void Session::project_new_columns()
{
    constexpr std::size_t block = 64;
    const std::size_t first = std::exchange(imaged_, sentences_.size());
    base::parallel_for((imaged_ - first + block - 1) / block, options_.threads, [&](std::size_t b) {
        const std::size_t begin = first + b * block;
        for (std::size_t at = begin; at < std::min(begin + block, imaged_); ++at)
            if (projection_)
                projection_->apply({store_.colptr(at), dimension_}, images_.colptr(at));
            else
                variant_.copy({store_.colptr(at), dimension_},
                              {images_.colptr(at), images_.n_rows});
    });
}

bool Session::is_list_of(std::span<const std::uint32_t> columns,
                         std::span<const text::Sentence> sentences) const
{
    return std::equal(columns.begin(), columns.end(), sentences.begin(), sentences.end(),
                      [&](std::uint32_t column, const text::Sentence& sentence) {
                          return sentences_[column] == sentence;
                      });
}

std::span<const std::uint32_t> Session::columns_of(std::span<const text::Sentence> sentences)
{
    for (const auto& list : lists_)
        if (is_list_of(list, sentences))
            return list;
    // All at once where columns are shared: in as few batches, and calls, as there can be.
    if (shares_columns() && sentences_.empty())
        (void)encode_new(samples_);
    return lists_.emplace_back(encode_new(sentences));
}

std::size_t Session::all_alike() const
{
    bool differ = false; // the sentences
    for (std::size_t column = 1; column < sentences_.size(); ++column) {
        const float* const first = store_.colptr(0);
        if (!std::equal(first, first + dimension_, store_.colptr(column)))
            return 0;
        differ |= sentences_[column].text != sentences_.front().text;
    }
    return differ ? sentences_.size() : 0;
}

double Session::norm() const
{
    constexpr std::size_t most = 10000;
    const arma::fmat& vectors = has_images() ? images_ : store_;
    const std::size_t count = has_images() ? imaged_ : sentences_.size();
    const std::size_t step = count / most + 1;
    double sum = 0;
    std::size_t taken = 0;
    for (std::size_t column = 0; column < count; column += step, ++taken)
        for (std::size_t row = 0; row < dimension(); ++row)
            sum += std::pow(static_cast<double>(vectors.at(row, column)), 2);
    return taken == 0 ? 0.0 : std::sqrt(sum / static_cast<double>(taken));
}

std::optional<Coverage> Session::coverage()
{
    if (!is_covered_) {
        guarded("counting known words",
                [&] { coverage_ = coverage_of(encoder_, samples_, options_.threads); });
        is_covered_ = true;
    }
    return coverage_;
}

} // namespace senteval::encoder
