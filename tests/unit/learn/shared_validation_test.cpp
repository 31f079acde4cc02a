// A validation whose folds are divided among processes.
#include "learn/shared_jobs.hpp"
#include "learn/validation.hpp"
#include "vectors.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

using namespace senteval;
using embedding::Normalisation;
using learn::Dataset;
using learn::Validation;
using learn::ValidationOptions;

namespace {

/// Jobs among threads that take one in turn, as processes would.
class Turns final : public learn::SharedJobs {
public:
    std::optional<std::size_t> take(const learn::JobStage& stage) override
    {
        const std::lock_guard lock(mutex_);
        auto& next = stage_of(stage).next;
        return next < stage.count ? std::optional(next++) : std::nullopt;
    }
    std::size_t
    give(const learn::JobStage& stage, std::size_t job, learn::JobResult result) override
    {
        const std::lock_guard lock(mutex_);
        stage_of(stage).results[job] = std::move(result);
        return stage_of(stage).results.size();
    }
    Gathered gather(const learn::JobStage& stage) override
    {
        const std::lock_guard lock(mutex_);
        Gathered gathered{stage_of(stage).results.size(), {}};
        if (gathered.done == stage.count)
            for (const auto& [job, result] : stage_of(stage).results)
                gathered.results.push_back(result);
        return gathered;
    }

private:
    struct Stage {
        std::size_t next = 0;
        std::map<std::size_t, learn::JobResult> results;
    };
    Stage& stage_of(const learn::JobStage& stage) { return stages_[stage.number]; }

    std::mutex mutex_;
    std::map<std::size_t, Stage> stages_;
};

using Validate = std::function<Validation(const ValidationOptions& options)>;

void check_same_shared(const ValidationOptions& options, const Validate& validate)
{
    const Validation expected = validate(options);
    Turns turns;
    std::vector<Validation> found(3);
    {
        std::vector<std::jthread> processes;
        for (Validation& one : found)
            processes.emplace_back([&] {
                ValidationOptions mine = options;
                std::size_t last = 0;
                mine.threads = 2;
                mine.shared = &turns;
                mine.progress = [&](std::size_t done, std::size_t total) {
                    CHECK(done > last);
                    CHECK(done <= total);
                    last = done;
                };
                one = validate(mine);
            });
    }
    for (const Validation& one : found) {
        CHECK(one.acc == expected.acc);
        CHECK(one.devacc == expected.devacc);
        REQUIRE(one.searches.size() == expected.searches.size());
        for (std::size_t s = 0; s < one.searches.size(); ++s) {
            const learn::Search& search = one.searches[s];
            const learn::Search& same = expected.searches[s];
            CHECK(search.dev == same.dev);
            CHECK(search.folds == same.folds);
            CHECK(search.chosen == same.chosen);
            CHECK(search.test == same.test);
            CHECK(search.passes == same.passes);
            CHECK(search.unconverged == same.unconverged);
        }
        REQUIRE(one.predictions.size() == expected.predictions.size());
        for (std::size_t i = 0; i < one.predictions.size(); ++i) {
            CHECK(one.predictions[i].item == expected.predictions[i].item);
            CHECK(one.predictions[i].fold == expected.predictions[i].fold);
            CHECK(one.predictions[i].label == expected.predictions[i].label);
            CHECK(one.predictions[i].confidence == expected.predictions[i].confidence);
        }
    }
}

ValidationOptions shared_options()
{
    ValidationOptions options;
    options.classes = 3;
    options.kfold = 3;
    options.classifier.optim = "adam,lr=0.05";
    options.classifier.max_epoch = 12;
    return options;
}

} // namespace

TEST_CASE("processes that share the folds find the same to the last bit")
{
    const auto problem = test::small_problem(120, 6, 3, 3);
    const auto tested = test::small_problem(40, 6, 3, 4);
    const Dataset train{problem.x.features(), problem.y};
    const Dataset test{tested.x.features(), tested.y};
    auto options = shared_options();
    options.normalisations = {Normalisation::none, Normalisation::z};
    check_same_shared(options,
                      [&](const ValidationOptions& o) { return learn::inner_kfold(train, o); });
    check_same_shared(options,
                      [&](const ValidationOptions& o) { return learn::kfold(train, test, o); });
}
