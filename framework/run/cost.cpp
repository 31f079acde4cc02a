#include "run/cost.hpp"

#include "core/aligned.hpp"
#include "encoder/sentences.hpp"
#include "learn/design_matrix.hpp"
#include "learn/ranking.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

namespace senteval::run {
namespace {

using core::Json;

double real(std::size_t count)
{
    return static_cast<double>(count);
}

std::string name_at(const Json& settings, const char* key)
{
    const auto found = settings.find(key);
    return found != settings.end() && found->is_string() ? found->get<std::string>() : "";
}

bool is_retrieval(const Json& settings)
{
    return name_at(settings, "protocol") == "retrieval";
}

/// Of learned relatedness: the original's, and one for the dataset's own scale where that is another.
std::size_t heads_of(const Json& settings)
{
    return name_at(settings, "protocol") == "relatedness" &&
                   settings.value("range", Json::array()) != Json::array({1, 5})
               ? 2
               : 1;
}

/// The training part counted once for each model that is trained on a whole of it: of k folds, each model is
/// trained on k - 1.
double trainings(const Json& settings)
{
    const double k = settings.value("kfold", 1.0);
    const std::string protocol = name_at(settings, "protocol");
    if (protocol == "inner_kfold")
        return (k - 1) * (k - 1) + (k - 1);
    if (protocol == "kfold")
        return k - 1 + 1;
    return 1;
}

/// Seconds by item, feature and output of one training, all strengths of the search together. Measured:
/// README.md, "What a cell costs".
double pace_of(const Json& settings)
{
    constexpr double relatedness = 3.3e-8; // of a head
    constexpr double retrieval = 2.7e-5;   // for some 16 passes, into the space of 1000 dimensions
    constexpr std::array<std::pair<std::string_view, double>, 3> classifiers{
        {{"softmax", 9e-9}, {"mlp", 7e-9}, {"logreg-newton", 6e-8}}};
    const std::string protocol = name_at(settings, "protocol");
    if (protocol.starts_with("relatedness"))
        return relatedness * real(heads_of(settings));
    if (is_retrieval(settings))
        return retrieval;
    const std::string name =
        settings.contains("classifier") ? name_at(settings.at("classifier"), "classifier") : "";
    for (const auto& [classifier, pace] : classifiers)
        if (classifier == name)
            return pace;
    return classifiers[0].second;
}

/// How often the search is made: for each normalisation that it chooses from.
double normalisations(const Json& settings)
{
    const auto found = settings.find("normalise");
    return found != settings.end() && found->is_array() ? real(found->size()) : 1;
}

bool is_normalised(const Json& settings)
{
    const auto found = settings.find("normalise");
    return found != settings.end() && *found != "none";
}

/// Widths of the model: its classes, or the hidden units before them. The space of retrieval is part of its pace.
double outputs_of(const Json& settings, const task::Size& size)
{
    if (is_retrieval(settings))
        return 1;
    if (settings.contains("classifier"))
        if (const double units = settings.at("classifier").value("nhid", 0.0); units > 0)
            return units;
    return real(size.outputs);
}

} // namespace

TaskSize size_of(const task::LoadedTask& loaded)
{
    return {loaded.size(), loaded.samples().size(), encoder::distinct(loaded.samples()).size()};
}

TaskSize size_of(const task::Task& task, const std::filesystem::path& data, std::size_t limit)
{
    try {
        task::DataFolder folder(data, limit);
        return size_of(*task.load(folder));
    } catch (const std::exception&) {
        return guessed_size(task, data, limit);
    }
}

TaskSize guessed_size(const task::Task& task, const std::filesystem::path& data, std::size_t limit)
{
    constexpr std::size_t line = 110; // bytes
    std::size_t items = 1;
    for (const std::string& file : task.info().files) {
        std::error_code missing;
        const auto size = std::filesystem::file_size(data / file, missing);
        const std::size_t lines = missing ? 0 : static_cast<std::size_t>(size) / line;
        items += limit > 0 ? std::min(lines, limit) : lines;
    }
    const bool learns = !task.info().protocol.starts_with("similarity");
    return {{learns ? items : 0, items, 2, 1}, items, items};
}

double fit_seconds(const Json& settings, const task::Size& size, std::size_t dimension)
{
    constexpr double per_value = 5e-9; // looked at, where nothing is learned
    const double usual_features =
        is_retrieval(settings) ? 300 : 30; // of work that does not depend on them
    const double tested = per_value * real(size.test) * real(dimension);
    if (size.train == 0)
        return tested;
    const double share = settings.contains("resample") ? 0.5 : 1;
    const double features =
        real(size.features) * real(dimension) + real(size.beside) + usual_features;
    return tested + pace_of(settings) * share * real(size.train) * features *
                        outputs_of(settings, size) * trainings(settings) * normalisations(settings);
}

std::size_t fit_jobs(const Json& settings)
{
    const auto k = settings.value("kfold", std::size_t{1});
    const std::string protocol = name_at(settings, "protocol");
    const auto kinds = static_cast<std::size_t>(normalisations(settings));
    if (protocol == "inner_kfold")
        return k * k * kinds;
    return k * kinds * heads_of(settings);
}

std::size_t fit_processes(const Json& settings)
{
    return settings.contains("kfold") ? fit_jobs(settings) : 1;
}

std::uint64_t vector_bytes(const TaskSize& size, std::size_t dimension)
{
    return std::uint64_t{size.distinct} * core::row_stride(dimension) * sizeof(float);
}

std::uint64_t
feature_bytes(const Json& settings, const task::Size& size, std::size_t dimension, unsigned threads)
{
    if (is_retrieval(settings))
        return learn::ranking_bytes(size.beside, dimension);
    if (size.train == 0 || (size.features == 1 && !is_normalised(settings)))
        return 0;
    const std::uint64_t row = core::row_stride(size.features * dimension) * sizeof(float);
    const auto stored = [&](std::size_t items,
                            std::size_t most) { // what is larger is formed by batches
        return items * row <= most ? items * row : 0;
    };
    if (!is_normalised(settings)) {
        const std::uint64_t most = learn::RowStorage::shared().memory_limit;
        return stored(size.train, most) + stored(size.test, most);
    }
    const std::size_t copies = std::min<std::size_t>(threads, fit_jobs(settings));
    return copies * stored(size.train, learn::RowStorage().memory_limit);
}

} // namespace senteval::run
