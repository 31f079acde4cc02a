#include "learn/ranking.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "learn/projection.hpp"
#include "learn/random.hpp"
#include "numeric/denormals.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace senteval::learn {

namespace {

// The original's constants; the user's classifier settings do not apply here.
constexpr std::size_t ranking_batch = 128;
constexpr std::size_t contrasts = 30; ///< images, and captions, for each caption of a batch
constexpr std::size_t most_passes = 20;
constexpr std::size_t ranking_tenacity = 3;
constexpr std::size_t parts = 5; ///< of dev and test

bool is_finite(const embedding::Embeddings& embeddings)
{
    for (std::size_t i = 0; i < embeddings.size(); ++i)
        if (!std::all_of(embeddings.vector(i), embeddings.vector(i) + embeddings.dimension(),
                         [](float x) { return std::isfinite(x); }))
            return false;
    return true;
}

void check(const CaptionedImages& data, std::size_t least_images, std::string_view part)
{
    const std::size_t images = data.images->n_cols;
    if (data.captions.size() != captions_per_image * images)
        throw base::Error("the {} part has {} captions for {} images; each image needs {}", part,
                          data.captions.size(), images, captions_per_image);
    if (images < least_images)
        throw base::Error("the {} part has {} images; it needs at least {}", part, images,
                          least_images);
    if (!data.images->is_finite() || !is_finite(data.captions))
        throw base::Error("a feature of the {} part is not finite", part);
}

/// Captions by number, as columns with a last row of ones; likewise the images they describe.
void set_caption_inputs(const CaptionedImages& data,
                        std::span<const std::uint32_t> captions,
                        arma::fmat& inputs)
{
    const std::size_t size = data.captions.dimension();
    inputs.set_size(size + 1, captions.size());
    for (std::size_t i = 0; i < captions.size(); ++i) {
        const float* const vector = data.captions.vector(captions[i]);
        if (data.normaliser == nullptr)
            std::copy_n(vector, size, inputs.colptr(i));
        else
            data.normaliser->apply({vector, size}, inputs.colptr(i));
    }
    inputs.row(size).ones();
}

void set_image_inputs(const CaptionedImages& data,
                      std::span<const std::uint32_t> captions,
                      arma::fmat& inputs)
{
    const std::size_t size = data.images->n_rows;
    inputs.set_size(size + 1, captions.size());
    for (std::size_t i = 0; i < captions.size(); ++i)
        std::copy_n(data.images->colptr(captions[i] / captions_per_image), size, inputs.colptr(i));
    inputs.row(size).ones();
}

/// Columns without repetitions. A product may round equal columns differently: only what is computed
/// once is certain to be equal.
struct DistinctColumns {
    explicit DistinctColumns(const arma::fmat& all)
    {
        std::unordered_map<std::string_view, std::uint32_t> places;
        std::vector<arma::uword> firsts;
        for (arma::uword i = 0; i < all.n_cols; ++i) {
            const std::string_view bytes(reinterpret_cast<const char*>(all.colptr(i)),
                                         all.n_rows * sizeof(float));
            const auto place = static_cast<std::uint32_t>(firsts.size());
            const auto [found, is_new] = places.emplace(bytes, place);
            if (is_new)
                firsts.push_back(i);
            index.push_back(found->second);
        }
        columns = all.cols(arma::uvec(firsts));
    }

    arma::fmat columns;
    std::vector<std::uint32_t> index; ///< of the column that each was
};

/// The captions of a batch, followed by the contrastive ones of each: contrasts times as many.
struct Samples {
    std::size_t batch = 0;
    std::vector<std::uint32_t> images; ///< by a caption of theirs
    std::vector<std::uint32_t> captions;
};

/// Contrastive samples come, with replacement, from the pass's order without the batch.
Samples draw(std::span<const std::uint32_t> order, std::size_t begin, NumpyRandom& random)
{
    Samples samples;
    samples.batch = std::min(ranking_batch, order.size() - begin);
    const auto others = static_cast<std::uint32_t>(order.size() - samples.batch);
    for (auto* chosen : {&samples.images, &samples.captions}) {
        const auto batch = order.subspan(begin, samples.batch);
        chosen->assign(batch.begin(), batch.end());
        for (std::size_t i = 0; i < contrasts * samples.batch; ++i) {
            const std::size_t place = random.interval(others - 1);
            chosen->push_back(order[place < begin ? place : place + samples.batch]);
        }
    }
    return samples;
}

/// One side of a step, images or captions: a column for each of the batch and then of the contrastive ones.
struct Step {
    arma::fmat inputs;
    Projection::Image image;
    arma::fmat gradient; ///< of the loss by the unit vectors
};

/// Adds to the gradients that of
///     sum of max(0, margin - s(a, b) + s(a, c)) over the batch's matching a, b and their contrastive c:
/// `anchor` holds a and the first columns of `other` b, the later ones c.
void add_gradients(Step& anchor, Step& other, std::size_t batch, float margin)
{
    const arma::fmat& from = anchor.image.unit;
    const arma::fmat& to = other.image.unit;
    for (std::size_t e = 0; e < batch; ++e) {
        const float match = arma::dot(from.col(e), to.col(e));
        for (std::size_t j = 0; j < contrasts; ++j) {
            const std::size_t c = batch + e * contrasts + j;
            if (margin - match + arma::dot(from.col(e), to.col(c)) < 0)
                continue;
            anchor.gradient.col(e) += to.col(c) - to.col(e);
            other.gradient.col(e) -= from.col(e);
            other.gradient.col(c) += from.col(e);
        }
    }
}

class Ranker {
public:
    Ranker(const CaptionedImages& train, const RankingOptions& options)
        : train_(train),
          options_(options),
          torch_(options.seed),
          numpy_(options.seed),
          images_(train.images->n_rows, options.projection, torch_, options.threads),
          captions_(train.captions.dimension(), options.projection, torch_, options.threads),
          order_(train.captions.size())
    {
    }

    /// One pass over all captions.
    void train()
    {
        numpy_.permutation(order_);
        for (std::size_t begin = 0; begin < order_.size(); begin += ranking_batch) {
            if (options_.stop.stop_requested())
                throw base::Cancelled();
            step(draw(order_, begin, numpy_));
        }
    }

    void keep()
    {
        best_images_ = images_.weights();
        best_captions_ = captions_.weights();
    }
    void restore()
    {
        images_.set_weights(best_images_);
        captions_.set_weights(best_captions_);
    }

    [[nodiscard]] std::array<RecallBothWays, parts> evaluate(const CaptionedImages& data) const
    {
        std::array<RecallBothWays, parts> recalls;
        const std::size_t size =
            captions_per_image *
            std::min<std::size_t>(options_.fold_images, data.images->n_cols / parts);
        for (std::size_t part = 0; part < parts; ++part) {
            std::vector<std::uint32_t> captions;
            std::vector<std::uint32_t> firsts;
            for (std::size_t i = part * size; i < (part + 1) * size; ++i) {
                captions.push_back(static_cast<std::uint32_t>(i));
                if (i % captions_per_image == 0)
                    firsts.push_back(static_cast<std::uint32_t>(i));
            }
            arma::fmat inputs;
            set_image_inputs(data, firsts, inputs);
            const DistinctColumns image_columns(inputs);
            set_caption_inputs(data, captions, inputs);
            const DistinctColumns caption_columns(inputs);
            const arma::fmat image_units = images_.project(image_columns.columns).unit;
            const arma::fmat caption_units = captions_.project(caption_columns.columns).unit;
            recalls[part] = recall({&image_units, image_columns.index},
                                   {&caption_units, caption_columns.index});
        }
        return recalls;
    }

private:
    void step(const Samples& samples)
    {
        set_image_inputs(train_, samples.images, image_step_.inputs);
        set_caption_inputs(train_, samples.captions, caption_step_.inputs);
        for (auto& [side, step] :
             {std::pair(&images_, &image_step_), {&captions_, &caption_step_}}) {
            side->project(step->inputs, step->image);
            step->gradient.zeros(arma::size(step->image.unit));
        }
        add_gradients(image_step_, caption_step_, samples.batch, options_.margin);
        add_gradients(caption_step_, image_step_, samples.batch, options_.margin);
        images_.step(image_step_.inputs, image_step_.image, image_step_.gradient);
        captions_.step(caption_step_.inputs, caption_step_.image, caption_step_.gradient);
    }

    const CaptionedImages& train_;
    const RankingOptions& options_;
    TorchRandom torch_; ///< the images' map is drawn first
    NumpyRandom numpy_;
    Projection images_;
    Projection captions_;
    Step image_step_;
    Step caption_step_;
    std::vector<std::uint32_t> order_;
    AlignedVector<float> best_images_;
    AlignedVector<float> best_captions_;
};

void add_share(Recall& to, const Recall& recall)
{
    to.r1 += recall.r1 / parts;
    to.r5 += recall.r5 / parts;
    to.r10 += recall.r10 / parts;
    to.median_rank += recall.median_rank / parts;
}

double sum_of_recalls(const RecallBothWays& recall)
{
    return recall.image_to_text.r1 + recall.image_to_text.r5 + recall.image_to_text.r10 +
           recall.text_to_image.r1 + recall.text_to_image.r5 + recall.text_to_image.r10;
}

/// Summary of ranks counted from 0.
Recall summarise(std::vector<double> ranks)
{
    const auto share = [&](double k) {
        const auto within =
            std::count_if(ranks.begin(), ranks.end(), [&](double rank) { return rank < k; });
        return 100 * static_cast<double>(within) / static_cast<double>(ranks.size());
    };
    std::sort(ranks.begin(), ranks.end());
    const std::size_t half = ranks.size() / 2;
    const double median = ranks.size() % 2 == 1 ? ranks[half] : (ranks[half - 1] + ranks[half]) / 2;
    return {share(1), share(5), share(10), std::floor(median) + 1};
}

std::vector<double> from_one(std::vector<double> ranks)
{
    for (double& rank : ranks)
        rank += 1;
    return ranks;
}

/// The scores of a query's items, what is not a number as the lowest.
void gather(const float* by_column,
            std::span<const std::uint32_t> index,
            std::vector<float>& scores)
{
    scores.clear();
    for (const std::uint32_t column : index)
        scores.push_back(std::isnan(by_column[column]) ? -std::numeric_limits<float>::infinity()
                                                       : by_column[column]);
}

/// How many of the others come before the best of the `count` matches that begin at `first`. When
/// m matches and e others are equal, that is e / (m + 1) of these in the mean over their orders.
double rank_of(std::span<const float> scores, std::size_t first, std::size_t count)
{
    const auto matches = scores.subspan(first, count);
    const float best = *std::max_element(matches.begin(), matches.end());
    const auto before =
        std::count_if(scores.begin(), scores.end(), [&](float score) { return score > best; });
    const auto equal = std::count(scores.begin(), scores.end(), best);
    const auto own = std::count(matches.begin(), matches.end(), best);
    return static_cast<double>(before) +
           static_cast<double>(equal - own) / static_cast<double>(own + 1);
}

} // namespace

RecallBothWays recall(const embedding::Embeddings& images, const embedding::Embeddings& captions)
{
    const arma::fmat by_image = captions.store->t() * *images.store; // captions x images
    const arma::fmat by_caption = by_image.t();
    std::vector<double> image_ranks;
    std::vector<double> caption_ranks;
    std::vector<float> scores;
    for (std::size_t image = 0; image < images.size(); ++image) {
        gather(by_image.colptr(images.columns[image]), captions.columns, scores);
        image_ranks.push_back(rank_of(scores, captions_per_image * image, captions_per_image));
    }
    for (std::size_t caption = 0; caption < captions.size(); ++caption) {
        gather(by_caption.colptr(captions.columns[caption]), images.columns, scores);
        caption_ranks.push_back(rank_of(scores, caption / captions_per_image, 1));
    }
    return {summarise(image_ranks), summarise(caption_ranks), from_one(image_ranks),
            from_one(caption_ranks)};
}

Ranking rank_captions(const CaptionedImages& train,
                      const CaptionedImages& dev,
                      const CaptionedImages& test,
                      const RankingOptions& options)
{
    check(train, ranking_batch / captions_per_image + 1, "training");
    check(dev, parts, "dev");
    check(test, parts, "test");
    for (const CaptionedImages* other : {&dev, &test})
        if (other->images->n_rows != train.images->n_rows ||
            other->captions.dimension() != train.captions.dimension())
            throw base::Error("the parts differ in the dimension of their images or captions");

    const numeric::FlushDenormals flush;
    Ranker ranker(train, options);
    EarlyStopping stopping(ranking_tenacity);
    Ranking result;
    while (!stopping.stops() && result.passes <= most_passes) {
        ranker.train();
        ++result.passes;
        double score = 0;
        for (const RecallBothWays& recall : ranker.evaluate(dev))
            score += sum_of_recalls(recall) / parts;
        if (stopping.improves(score))
            ranker.keep();
        if (options.progress)
            options.progress(result.passes, most_passes + 1);
    }
    ranker.restore();
    result.devacc = stopping.best();
    for (const RecallBothWays& recall : ranker.evaluate(test)) {
        add_share(result.image_to_text, recall.image_to_text);
        add_share(result.text_to_image, recall.text_to_image);
        result.image_ranks.insert(result.image_ranks.end(), recall.image_ranks.begin(),
                                  recall.image_ranks.end());
        result.caption_ranks.insert(result.caption_ranks.end(), recall.caption_ranks.begin(),
                                    recall.caption_ranks.end());
    }
    return result;
}

} // namespace senteval::learn
