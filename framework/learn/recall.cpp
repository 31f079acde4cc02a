#include "learn/recall.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace senteval::learn {

namespace {

constexpr arma::uword captions_per_image = 5;

/// Of ranks counted from 0.
Recall summarise(std::vector<std::size_t> ranks)
{
    const auto share = [&](std::size_t k) {
        const auto within =
            std::count_if(ranks.begin(), ranks.end(), [&](std::size_t rank) { return rank < k; });
        return 100 * static_cast<double>(within) / static_cast<double>(ranks.size());
    };
    std::sort(ranks.begin(), ranks.end());
    const std::size_t half = ranks.size() / 2;
    const double median = ranks.size() % 2 == 1
                              ? static_cast<double>(ranks[half])
                              : static_cast<double>(ranks[half - 1] + ranks[half]) / 2;
    return {share(1), share(5), share(10), std::floor(median) + 1};
}

/// How many values exceed this one.
std::size_t rank_of(float value, const float* values, std::size_t count)
{
    return static_cast<std::size_t>(
        std::count_if(values, values + count, [&](float other) { return other > value; }));
}

} // namespace

RecallBothWays recall(const arma::fmat& images, const arma::fmat& captions)
{
    const arma::fmat by_image = captions.t() * images; // captions x images
    const arma::fmat by_caption = by_image.t();
    std::vector<std::size_t> image_ranks;
    std::vector<std::size_t> caption_ranks;
    for (arma::uword image = 0; image < images.n_cols; ++image) {
        const float* const scores = by_image.colptr(image);
        const float* const own = scores + captions_per_image * image;
        image_ranks.push_back(
            rank_of(*std::max_element(own, own + captions_per_image), scores, captions.n_cols));
    }
    for (arma::uword caption = 0; caption < captions.n_cols; ++caption) {
        const float* const scores = by_caption.colptr(caption);
        caption_ranks.push_back(
            rank_of(scores[caption / captions_per_image], scores, images.n_cols));
    }
    return {summarise(std::move(image_ranks)), summarise(std::move(caption_ranks))};
}

} // namespace senteval::learn
