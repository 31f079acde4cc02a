#include "run/config.hpp"

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

/// None, and every way to every dimension that encoders are to be compared at.
std::vector<std::optional<embedding::ProjectionSettings>> projections(const Config& config)
{
    std::vector<std::optional<embedding::ProjectionSettings>> all = {std::nullopt};
    for (const std::size_t dimension : config.equal_dimensions)
        for (const embedding::ProjectionKind kind : config.projections)
            all.push_back(embedding::ProjectionSettings{kind, dimension});
    return all;
}

} // namespace

std::vector<task::Settings> variants(const Config& config)
{
    std::vector<std::string> classifiers = config.classifiers;
    if (classifiers.empty())
        classifiers = {config.settings.classifier.classifier == "softmax" &&
                               config.settings.classifier.nhid > 0
                           ? "mlp"
                           : config.settings.classifier.classifier};
    std::vector<task::Settings> all;
    for (const auto& projection : projections(config))
        for (const std::string& classifier : classifiers)
            for (const embedding::Normalisation normalise : config.normalisations)
                for (const std::uint32_t seed : config.seeds) {
                    task::Settings settings = config.settings;
                    settings.projection = projection;
                    settings.classifier = with_classifier(settings.classifier, classifier);
                    settings.normalise = normalise;
                    settings.normalisations = config.normalisations;
                    settings.seed = seed;
                    all.push_back(settings);
                }
    return all;
}

} // namespace senteval::run
