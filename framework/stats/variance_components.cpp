#include "stats/variance_components.hpp"

#include "core/error.hpp"
#include "core/nan.hpp"
#include "stats/quantile.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace senteval::stats {
namespace {

using core::nan;

double variance(std::span<const double> values)
{
    const double sd = summarise(values).sd;
    return sd * sd;
}

/// Means over classifier seeds (one for each encoder seed), or the other way round.
std::vector<double>
line_means(std::span<const double> scores, std::size_t lines, std::size_t line, std::size_t step)
{
    const std::size_t length = scores.size() / lines;
    std::vector<double> means(lines);
    for (std::size_t i = 0; i < lines; ++i) {
        for (std::size_t j = 0; j < length; ++j)
            means[i] += scores[i * line + j * step];
        means[i] /= static_cast<double>(length);
    }
    return means;
}

void split(std::span<const double> scores, std::size_t encoders, VarianceComponents& result)
{
    const std::size_t classifiers = scores.size() / encoders;
    const auto a = static_cast<double>(encoders);
    const auto b = static_cast<double>(classifiers);
    const std::vector<double> by_encoder = line_means(scores, encoders, classifiers, 1);
    const std::vector<double> by_classifier = line_means(scores, classifiers, 1, classifiers);
    double residual = 0;
    for (std::size_t i = 0; i < encoders; ++i) {
        for (std::size_t j = 0; j < classifiers; ++j) {
            const double rest =
                scores[i * classifiers + j] - by_encoder[i] - by_classifier[j] + result.mean;
            residual += rest * rest;
        }
    }
    const double mean_square = residual / ((a - 1.0) * (b - 1.0));
    result.encoder = std::max(0.0, variance(by_encoder) - mean_square / b);
    result.classifier = std::max(0.0, variance(by_classifier) - mean_square / a);
    result.interaction = mean_square;
}

} // namespace

double VarianceComponents::total() const
{
    double sum = 0;
    for (const double component : {encoder, classifier, interaction, test})
        sum += std::isnan(component) ? 0.0 : component;
    return sum;
}

VarianceComponents variance_components(std::span<const double> scores,
                                       std::span<const double> sampling_variances,
                                       std::size_t encoder_seeds)
{
    if (scores.empty() || encoder_seeds == 0 || scores.size() % encoder_seeds != 0 ||
        scores.size() != sampling_variances.size())
        throw core::Error("{} scores and {} sampling variances are not a full table of {} encoder "
                          "seeds by classifier seeds",
                          scores.size(), sampling_variances.size(), encoder_seeds);
    const Summary summary = summarise(scores);
    VarianceComponents result{summary.mean, summary.sd, nan, nan, nan, 0};
    result.test = summarise(sampling_variances).mean;
    const std::size_t classifier_seeds = scores.size() / encoder_seeds;
    if (encoder_seeds > 1 && classifier_seeds > 1)
        split(scores, encoder_seeds, result);
    else if (encoder_seeds > 1)
        result.encoder = variance(scores);
    else if (classifier_seeds > 1)
        result.classifier = variance(scores);
    return result;
}

} // namespace senteval::stats
