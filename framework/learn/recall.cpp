#include "learn/recall.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace senteval::learn {

namespace {

/// Of ranks counted from 0.
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

} // namespace senteval::learn
