#include "tasks/protocols/shared.hpp"

#include "base/error.hpp"
#include "base/names.hpp"
#include "learn/logistic_regression.hpp"
#include "learn/optimizer.hpp"
#include "stats/counter_stream.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <utility>

namespace senteval::tasks {

EmbeddedPart embed(const Part& part, task::Context& context)
{
    const auto phase = context.clock.phase("embed");
    EmbeddedPart result;
    result.first = context.session.embed(reordered<text::Sentence>(part.first, part.order));
    if (part.pairs())
        result.second = context.session.embed(reordered<text::Sentence>(part.second, part.order));
    return result;
}

void add_group(results::Outcomes& outcomes,
               const std::string& name,
               std::span<const double> gold,
               std::span<const double> found)
{
    const auto group = static_cast<std::uint32_t>(outcomes.groups.size());
    outcomes.groups.push_back(name);
    for (std::size_t i = 0; i < found.size(); ++i)
        outcomes.rows.push_back({static_cast<std::uint32_t>(outcomes.rows.size()), group,
                                 gold.empty() ? 0 : gold[i], found[i], found[i]});
}

embedding::Normaliser fit_on_all(embedding::Treatment treatment,
                                 std::initializer_list<const embedding::Embeddings*> lists)
{
    std::vector<const float*> vectors;
    for (const embedding::Embeddings* list : lists)
        for (std::size_t i = 0; i < list->size(); ++i)
            vectors.push_back(list->vector(i));
    return {treatment, vectors, (*lists.begin())->dimension()};
}

void each_pair(
    const EmbeddedPart& pairs,
    embedding::Treatment treatment,
    const std::function<void(std::size_t, std::span<const float>, std::span<const float>)>& visit)
{
    const auto normaliser = fit_on_all(treatment, {&pairs.first, &pairs.second});
    const std::size_t dimension = pairs.first.dimension();
    std::vector<float> u(dimension);
    std::vector<float> v(dimension);
    for (std::size_t i = 0; i < pairs.first.size(); ++i) {
        normaliser.apply({pairs.first.vector(i), dimension}, u.data());
        normaliser.apply({pairs.second.vector(i), dimension}, v.data());
        visit(i, u, v);
    }
}

task::Result untrained_result(const task::Settings& settings, const std::string& kind)
{
    task::Result result;
    result.details = base::Json::object();
    if (embedding::is_fitted(settings.treatment()))
        result.details["transductive"] = true;
    result.outcomes.kind = kind;
    return result;
}

namespace {

measures::Similarity search_similarity(const task::Settings& settings)
{
    const task::Similarity similarity = settings.followed_similarity();
    if (similarity == task::Similarity::dot)
        return measures::Similarity::dot;
    if (similarity != task::Similarity::cosine)
        throw base::UsageError("documents are found by cosine or dot product: use --similarity "
                               "cosine or --similarity dot");
    return measures::Similarity::cosine;
}

} // namespace

Nearest::Nearest(const embedding::Embeddings& queries,
                 const embedding::Embeddings& documents,
                 const task::Context& context)
    : documents_(documents),
      dimension_(queries.dimension()),
      normaliser_(fit_on_all(context.settings.treatment(), {&queries, &documents})),
      queries_(queries.size() * dimension_),
      similarity_(search_similarity(context.settings)),
      threads_(context.threads)
{
    for (std::size_t i = 0; i < queries.size(); ++i)
        normaliser_.apply({queries.vector(i), dimension_}, &queries_[i * dimension_]);
}

std::vector<std::vector<measures::Hit>> Nearest::among_all(std::span<const std::uint32_t> by_id,
                                                           std::size_t count) const
{
    const auto copy = [&](std::size_t first, std::size_t number, float* vectors) {
        for (std::size_t i = 0; i < number; ++i)
            normaliser_.apply({documents_.vector(first + i), dimension_}, vectors + i * dimension_);
    };
    return measures::search(queries_, dimension_, {documents_.size(), copy, by_id}, count,
                            similarity_, threads_);
}

std::vector<measures::Hit>
Nearest::among(std::span<const std::uint32_t> among, std::size_t query, std::size_t count) const
{
    if (among.empty())
        return {};
    const auto copy = [&](std::size_t first, std::size_t number, float* vectors) {
        for (std::size_t i = 0; i < number; ++i)
            normaliser_.apply({documents_.vector(among[first + i]), dimension_},
                              vectors + i * dimension_);
    };
    auto hits = measures::search(std::span(queries_).subspan(query * dimension_, dimension_),
                                 dimension_, {among.size(), copy, {}}, count, similarity_, threads_)
                    .front();
    for (measures::Hit& hit : hits)
        hit.document = among[hit.document];
    return hits;
}

std::vector<std::uint32_t> first_numbers(std::size_t count)
{
    std::vector<std::uint32_t> numbers(count);
    std::iota(numbers.begin(), numbers.end(), std::uint32_t{0});
    return numbers;
}

learn::Features features_by_training(const learn::Features& features,
                                     const learn::Features& training,
                                     const task::Settings& settings)
{
    if (settings.normalisations.size() != 1)
        throw base::UsageError("task with few training items: there is no part to choose a "
                               "normalisation by: give one with --normalise");
    const auto treatment = settings.treatments().front();
    if (treatment == embedding::Treatment())
        return features;
    return features.normalised(training.fit(treatment, first_numbers(training.size())));
}

base::Json mteb_settings(const task::Settings& settings, const char* protocol, bool has_similarity)
{
    base::Json json = {{"protocol", protocol},
                       {"mteb", has_similarity ? "2.26" : "2.20"},
                       {"normalise", embedding::name(settings.normalise)}};
    if (has_similarity)
        json["similarity"] = base::name_in(task::similarity_names, settings.followed_similarity());
    return json;
}

namespace {

constexpr std::uint32_t seed_of_mteb = 42;

} // namespace

std::uint32_t fixed_seed(const task::Settings& settings)
{
    return settings.first_seed.value_or(seed_of_mteb);
}

std::uint32_t moving_seed(const task::Settings& settings)
{
    return settings.first_seed ? settings.seed : settings.seed - task::default_seed + seed_of_mteb;
}

results::Metric
percent_metric(const std::string& path, const std::string& title, results::Source source)
{
    return {path, title, results::percent, 2, true, std::move(source)};
}

results::Metric
correlation_metric(const std::string& path, const std::string& title, results::Source source)
{
    return {path, title, results::correlation, 4, true, std::move(source)};
}

results::Metric
mean_metric(const std::string& path, const std::string& title, std::string series, std::size_t fits)
{
    results::Metric metric = percent_metric(path, title, {"mean", std::move(series)});
    metric.source.fits = fits;
    return metric;
}

double mean_percent(std::span<const double> values)
{
    return 100 * std::accumulate(values.begin(), values.end(), 0.0) /
           static_cast<double>(values.size());
}

std::vector<bool> half_of(std::size_t count, std::uint32_t number)
{
    constexpr std::uint64_t seed = 1111;
    const bool complement = number % 2 == 0;
    stats::CounterStream random(seed, (number + 1) / 2);
    std::vector<std::size_t> items(count);
    std::iota(items.begin(), items.end(), std::size_t{0});
    std::vector<bool> chosen(count);
    const std::size_t half = count / 2;
    for (std::size_t i = 0; i < 2 * half; ++i) {
        const auto left = static_cast<double>(count - i);
        std::swap(items[i], items[i + static_cast<std::size_t>(random.uniform() * left)]);
        chosen[items[i]] = (i < half) != complement;
    }
    return chosen;
}

TrainingPart::TrainingPart(const Part& whole, const task::Settings& settings) : whole_(whole)
{
    if (settings.resample == 0)
        return;
    half_ = whole;
    const auto chosen = half_of(whole.size(), settings.resample);
    std::erase_if(half_->order, [&](std::uint32_t item) { return !chosen[item]; });
}

void add_resample(base::Json& json, const task::Settings& settings)
{
    if (settings.resample > 0)
        json["resample"] = settings.resample;
}

base::Json to_json(const learn::Settings& settings)
{
    base::Json json = {{"classifier", settings.classifier}};
    if (settings.classifier == "logreg-newton") {
        json["max_iterations"] = settings.max_iterations;
        json["tolerance"] = learn::LogisticRegression::tolerance;
        return json;
    }
    if (settings.classifier == "mlp") {
        json["nhid"] = settings.nhid;
        json["dropout"] = settings.dropout;
        json["activation"] = base::name_in(learn::activation_names, settings.activation);
    }
    json["optim"] = settings.optim;
    json["batch_size"] = settings.batch_size;
    json["tenacity"] = settings.tenacity;
    json["epoch_size"] = settings.epoch_size;
    json["max_epoch"] = settings.max_epoch;
    json["loss_reduction"] = base::name_in(learn::loss_reduction_names, settings.loss_reduction);
    return json;
}

base::Json to_json(std::span<const embedding::Normalisation> normalisations)
{
    if (normalisations.size() == 1)
        return embedding::name(normalisations[0]);
    base::Json names = base::Json::array();
    for (const embedding::Normalisation kind : normalisations)
        names.push_back(embedding::name(kind));
    return names;
}

void add_choice(base::Json& details,
                std::span<const embedding::Normalisation> normalisations,
                std::size_t chosen)
{
    if (normalisations.size() > 1)
        details["normalise"] = embedding::name(normalisations[chosen]);
}

namespace {

/// Returns by how much one step can move a weight; 0 where the gradient alone decides.
double reach_of_step(const learn::Optimizer& optimizer)
{
    switch (optimizer.method()) {
    case learn::Method::adam:
    case learn::Method::adamax:
    case learn::Method::rmsprop: {
        constexpr std::size_t late = 1'000'000; // past the bias correction of the first steps
        return static_cast<double>(optimizer.constants(late).rate);
    }
    case learn::Method::adadelta:
    case learn::Method::adagrad:
    case learn::Method::asgd:
    case learn::Method::rprop:
    case learn::Method::sgd:
        break;
    }
    return 0;
}

/// Returns the steps of the tested model that took the fewest.
std::size_t steps_of(const learn::Validation& found, std::size_t items, std::size_t batch_size)
{
    std::size_t passes = found.searches.front().passes;
    for (const learn::Search& search : found.searches)
        passes = std::min(passes, search.passes);
    return passes * ((items + batch_size - 1) / batch_size);
}

} // namespace

std::vector<std::string> training_warnings(const learn::Validation& found,
                                           const learn::Settings& settings,
                                           std::size_t items)
{
    std::size_t unconverged = 0;
    for (const learn::Search& search : found.searches)
        unconverged += search.unconverged;
    if (unconverged > 0)
        return {fmt::format("{} fits of {} ended short of the minimum; max_iterations is {}",
                            unconverged, settings.classifier, settings.max_iterations)};
    if (settings.classifier != "softmax" && settings.classifier != "mlp")
        return {};
    const double reach = reach_of_step(learn::Optimizer(settings.optim));
    const std::size_t steps = steps_of(found, items, settings.batch_size);
    if (reach == 0 || static_cast<double>(steps) * reach >= 1)
        return {};
    return {fmt::format("{} took only {} steps on {} items, too few to learn what can be learned; "
                        "--classifier logreg-newton is solved to its minimum",
                        settings.classifier, steps, items)};
}

} // namespace senteval::tasks
