#include "run/config.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <limits>

namespace senteval::run {
namespace {

/// `nhid` alone asks for the MLP, as in the original; the MLP without it gets 50 units.
learn::Settings with_classifier(learn::Settings settings, const std::string& classifier)
{
    constexpr std::size_t usual_units = 50;
    settings.classifier = classifier;
    if (classifier == "mlp" && settings.nhid == 0)
        settings.nhid = usual_units;
    if (classifier != "mlp")
        settings.nhid = 0;
    return settings;
}

/// The classifiers that are asked for; hidden units ask for an mlp.
std::vector<std::string> classifiers_of(const Config& config)
{
    const task::Settings& settings = config.settings;
    const auto is_some = [](std::size_t units) { return units > 0; };
    const bool has_units =
        settings.classifier.nhid > 0 || std::ranges::any_of(settings.nhids, is_some);
    auto all = config.classifiers;
    if (all.empty())
        all = {settings.classifier.classifier == "softmax" && has_units
                   ? "mlp"
                   : settings.classifier.classifier};
    if (std::ranges::find(all, "mlp") != all.end() && !settings.nhids.empty() && !has_units)
        throw base::UsageError("nhid: an mlp has hidden units: leave out 'nhid = 0', or take the "
                               "classifier softmax");
    return all;
}

/// The form of vectors that a task sees.
struct Form {
    std::optional<embedding::ProjectionSettings> projection;
    embedding::Variant variant;
    task::Chunks chunks = {};
};

/// The vectors as they are, every way to every dimension that encoders are to be compared at, and the variants.
std::vector<Form> forms(const Config& config)
{
    if (!config.forms.empty() && !config.equal_dimensions.empty())
        throw base::UsageError(
            "variants: they cannot be combined with equal_dimension: leave one of them out");
    if (!config.projections.empty() && config.equal_dimensions.empty())
        throw base::UsageError("projection: it needs equal_dimension, the dimension to project to");
    const auto kinds = config.projections.empty() ? std::vector{embedding::ProjectionKind::random}
                                                  : config.projections;
    std::vector<Form> all(1);
    for (const std::size_t dimension : config.equal_dimensions)
        for (const embedding::ProjectionKind kind : kinds)
            all.push_back({embedding::ProjectionSettings{kind, dimension}, {}});
    for (const embedding::Variant& variant : config.forms)
        all.push_back({std::nullopt, variant});
    for (const task::Chunks& chunks : config.chunks)
        all.push_back({std::nullopt, {}, chunks});
    return all;
}

/// A seed, and the half of the training part that is learned from under it; 0: the whole.
struct Draw {
    std::uint32_t seed = 0;
    std::uint32_t resample = 0;
};

std::vector<Draw> draws(const Config& config)
{
    std::vector<Draw> all;
    for (const std::uint32_t seed : config.seeds)
        all.push_back({seed, 0});
    if (config.seed_count > 0 && config.seeds.size() > config.seed_count)
        throw base::UsageError("seeds: {} are asked for, but 'seed' lists {}", config.seed_count,
                               config.seeds.size());
    const std::uint32_t last = *std::max_element(config.seeds.begin(), config.seeds.end());
    if (config.seed_count > all.size() && // for those that are counted on
        config.seed_count - all.size() > std::numeric_limits<std::uint32_t>::max() - last)
        throw base::UsageError("seeds: there are not {} beyond {}", config.seed_count - all.size(),
                               last);
    for (std::uint32_t next = last + 1; all.size() < config.seed_count; ++next)
        all.push_back({next, 0});
    const std::size_t seeds = all.size();
    for (std::uint32_t half = 1; half <= config.resamples; ++half)
        all.push_back({seeds > 1 ? all[(half - 1) % seeds].seed : all.front().seed + half, half});
    return all;
}

} // namespace

std::vector<task::Settings> variants(const Config& config)
{
    const auto classifiers = classifiers_of(config);
    std::vector<task::Settings> all;
    for (const Form& form : forms(config))
        for (const std::string& classifier : classifiers)
            for (const embedding::Normalisation normalise : config.normalisations)
                for (const Draw& draw : draws(config)) {
                    task::Settings settings = config.settings;
                    settings.projection = form.projection;
                    settings.variant = form.variant;
                    settings.chunks = form.chunks;
                    settings.names_classifier =
                        !config.classifiers.empty() || classifier != "softmax"; // the default
                    settings.classifier = with_classifier(settings.classifier, classifier);
                    if (settings.nhids.size() < 2 && settings.dropouts.size() < 2)
                        settings.nhids = {}; // there is nothing to choose
                    else if (settings.nhids.empty())
                        settings.nhids = {settings.classifier.nhid};
                    if (settings.dropouts.empty())
                        settings.dropouts = {settings.classifier.dropout};
                    settings.normalise = normalise;
                    settings.normalisations = config.normalisations;
                    settings.seed = draw.seed;
                    settings.resample = draw.resample;
                    all.push_back(settings);
                }
    return all;
}

} // namespace senteval::run
