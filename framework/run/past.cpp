#include "run/past.hpp"

#include "run/computer.hpp"
#include "run/cost.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace senteval::run {
namespace {

using core::Json;

/// What has one pace.
std::string kind_of(const Json& settings)
{
    std::string kind = settings.value("protocol", "");
    if (const auto found = settings.find("classifier"); found != settings.end())
        kind += " " + found->value("classifier", "");
    return kind;
}

/// Threads that a cell of that run had for its fit.
double threads_of(const Json& document)
{
    const auto threads = document.at("run").at("threads").get<std::size_t>();
    return static_cast<double>(std::min(threads, fit_jobs(document.at("protocol").at("settings"))));
}

Guess guess_from(std::vector<double> logarithms, double least_factor)
{
    const auto middle = logarithms.begin() + static_cast<std::ptrdiff_t>(logarithms.size() / 2);
    std::nth_element(logarithms.begin(), middle, logarithms.end());
    const double median = *middle;
    double squares = 0;
    for (const double one : logarithms)
        squares += (one - median) * (one - median);
    constexpr double sides = 1.64; // of the deviation: nine of ten
    const double spread = std::sqrt(squares / static_cast<double>(logarithms.size()));
    return {std::exp(median), std::max(least_factor, std::exp(sides * spread))};
}

} // namespace

Past::Past(std::vector<Json> documents) : documents_(std::move(documents))
{
    const Json processor = computer().at("processor");
    std::erase_if(documents_, [&](const Json& document) {
        return document.at("run").value("processor", Json()) != processor ||
               !document.at("run").contains("threads");
    });
    for (const Json& document : documents_) {
        const Json& encoder = document.at("encoder");
        const auto fingerprint = encoder.at("fingerprint").get<std::string>();
        if (encoder.contains("dimension"))
            dimensions_[fingerprint][document.at("task").at("name").get<std::string>()] =
                encoder.at("dimension").get<std::size_t>();
        const Json& run = document.at("run");
        const auto sentences = run.value("sentences_encoded", 0.0);
        if (sentences == 0)
            continue;
        const bool is_concurrent = encoder.contains("capabilities") &&
                                   encoder.at("capabilities").value("concurrent", false);
        Pace& pace = encoding_[fingerprint];
        pace.sentences += sentences;
        pace.seconds += run.at("seconds").value("embed", 0.0) *
                        (is_concurrent ? run.at("threads").get<double>() : 1);
    }
}

void Past::learn(const std::string& task, const task::Size& size)
{
    constexpr double too_short = 0.02; // seconds, to be measured
    for (const Json& document : documents_) {
        if (document.at("task").at("name") != task || !document.contains("dimension"))
            continue;
        const Json& settings = document.at("protocol").at("settings");
        const double took = document.at("run").at("seconds").value("fit", 0.0);
        const double told =
            fit_seconds(settings, size, document.at("dimension").get<std::size_t>());
        if (settings.contains("limit")) {
            ++limited_;
            continue;
        }
        if (took < too_short || document.at("run").contains("shared_folds"))
            continue;
        const double ratio = std::log(took * threads_of(document) / told);
        by_task_[task + " " + kind_of(settings)].push_back(ratio);
        by_protocol_[kind_of(settings)].push_back(ratio);
        all_.push_back(ratio);
    }
}

Guess Past::fit_factor(const std::string& task, const Json& settings) const
{
    constexpr double same_task = 1.3;
    constexpr double same_protocol = 1.5;
    constexpr double another_protocol = 2;
    constexpr double another_machine = 2.5;
    const std::string kind = kind_of(settings);
    if (const auto found = by_task_.find(task + " " + kind); found != by_task_.end())
        return guess_from(found->second, same_task);
    if (const auto found = by_protocol_.find(kind); found != by_protocol_.end())
        return guess_from(found->second, same_protocol);
    return all_.empty() ? Guess{1, another_machine} : guess_from(all_, another_protocol);
}

std::optional<std::size_t> Past::dimension(const std::string& encoder,
                                           const std::string& task) const
{
    const auto known = dimensions_.find(encoder);
    if (known == dimensions_.end())
        return std::nullopt;
    if (const auto here = known->second.find(task); here != known->second.end())
        return here->second;
    std::set<std::size_t> all;
    for (const auto& [name, dimension] : known->second)
        all.insert(dimension);
    return all.size() == 1 && known->second.size() > 1 ? std::optional(*all.begin()) : std::nullopt;
}

std::optional<double> Past::encode_seconds(const std::string& encoder) const
{
    const auto known = encoding_.find(encoder);
    return known == encoding_.end()
               ? std::nullopt
               : std::optional(known->second.seconds / known->second.sentences);
}

} // namespace senteval::run
