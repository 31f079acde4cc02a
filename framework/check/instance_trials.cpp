// Instances are independent of each other: rule 5.1.
#include "check/trials.hpp"

#include "check/measure.hpp"
#include "check/overlap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace senteval::check {
namespace {

/// As sums in another order differ in half precision.
constexpr double rounding = 1e-3;

/// What an instance answers, and what while there is another one, and when that has gone again.
class NeighbourTrial {
public:
    NeighbourTrial(Bench& bench, std::vector<Setting> of_the_other)
        : bench_(bench),
          of_the_other_(std::move(of_the_other)),
          all_(bench.texts().ordinary()),
          some_({bench.texts().ordinary()[2], bench.texts().ordinary()[4]})
    {
    }

    /// An encoder may not repeat itself: that another instance changes what it answers is believed only where it
    /// does whenever there is one, and nothing does where there is none.
    void run()
    {
        if (!is_changed(bench_.instance_for(all_), true))
            return;
        const Vectors changed = after_;
        const Vectors expected = before_;
        constexpr int attempts = 2;
        for (int attempt = 0; attempt < attempts; ++attempt)
            if (is_changed(bench_.create_for(all_), false) ||
                !is_changed(bench_.create_for(all_), true))
                return;
        bench_.same(expected, changed, false, "before there was another instance");
        throw TrialEnded{};
    }

private:
    bool is_changed(const std::shared_ptr<Instance>& instance, bool by_another)
    {
        before_ = instance->encode(all_);
        const double drift = distance(before_, instance->encode(all_));
        std::unique_ptr<Instance> other;
        if (by_another && !bench_.create(of_the_other_, other).done())
            return false;
        if (by_another) // what it refuses is tried elsewhere
            (void)other->put_to_use(some_);
        else
            (void)instance->put_to_use(all_);
        after_ = instance->encode(all_);
        other.reset();
        const double allowed = std::max(rounding, 4 * drift);
        if (distance(before_, after_) > allowed)
            return true;
        after_ = instance->encode(all_);
        return distance(before_, after_) > allowed;
    }

    Bench& bench_;
    std::vector<Setting> of_the_other_;
    Sentences all_;
    Sentences some_;
    Vectors before_;
    Vectors after_;
};

/// The user's settings, and each other that can be given in their place: numbers and flags.
std::vector<std::pair<std::string, std::vector<Setting>>> other_settings(const Bench& bench)
{
    std::vector<std::pair<std::string, std::vector<Setting>>> all;
    for (std::size_t p = 0; p < bench.encoder().param_count; ++p) {
        const senteval_param_spec& spec = *bench.encoder().params[p];
        const auto is_given = std::ranges::any_of(
            bench.settings(), [&](const auto& one) { return one.key == spec.key; });
        if (is_given || (spec.flags & SENTEVAL_PARAM_REQUIRED) != 0)
            continue;
        if (auto other = another_value(spec)) {
            auto settings = bench.settings();
            settings.push_back(std::move(*other));
            all.emplace_back(spec.key, std::move(settings));
        }
    }
    return all;
}

void try_one_after_the_other(Bench& bench)
{
    bench.step("5.1", "two instances, prepared for other sentences; one of them is destroyed");
    NeighbourTrial(bench, bench.settings()).run();
    for (auto& [key, settings] : other_settings(bench)) {
        if (bench.is_slow() || !bench.has_time())
            return;
        bench.step("5.1", fmt::format("two instances, one of them made with another '{}'", key));
        NeighbourTrial(bench, std::move(settings)).run();
    }
}

/// Whether each of them gives all batches the same vectors, one by one.
bool are_repeated(const std::vector<Instance*>& instances,
                  const std::vector<Sentences>& batches,
                  const std::vector<Vectors>& expected)
{
    for (Instance* const instance : instances)
        for (std::size_t b = batches.size(); b-- > 0;)
            if (first_difference(expected[b], instance->encode(batches[b])))
                return false;
    return true;
}

void try_at_once(Bench& bench)
{
    const std::size_t count = bench.is_slow() ? 2 : 4;
    bench.step("5.1", fmt::format("batcher() of {} instances at once", count));
    auto batches = small_batches(bench);
    const Sentences samples(bench.texts().many(64));
    std::vector<std::shared_ptr<Instance>> owners{bench.instance_for(samples)};
    std::vector<Instance*> instances{owners.front().get()};
    while (owners.size() < count) {
        owners.push_back(bench.create_for(samples));
        instances.push_back(owners.back().get());
    }
    const auto one_by_one =
        encode_some(bench, *instances[0], batches, 1 + count * (1 + least_overlapping_rounds));
    const bool repeats = are_repeated(instances, batches, one_by_one);
    const auto other = overlap(bench, instances, batches,
                               repeats ? one_by_one : std::vector<Vectors>(), Seconds(0.02));
    if (other && are_repeated(instances, batches, one_by_one))
        bench.same(one_by_one[other->batch], other->found, false,
                   fmt::format("as one by one, for {}", batches[other->batch].shown()));
}

/// Where calls are cancelled that have not returned for a long time, and by themselves are quick: what one
/// instance does keeps another from going on.
void blame_blocked_calls(Bench& bench, Seconds alone, const std::function<void()>& body)
{
    constexpr double times = 20;
    constexpr Seconds patience(3);
    const Seconds begin = bench.passed();
    try {
        body();
    } catch (const TooSlow&) {
        const Seconds passed = bench.passed() - begin;
        if (bench.is_slow() || passed < times * alone + patience)
            throw;
        bench.broken(fmt::format(
            "calls did not return for {:.0f} s, until they were cancelled; those of one "
            "instance by itself take {:.1g} s",
            passed.count(), alone.count()));
    }
}

} // namespace

void try_two_instances(Bench& bench)
{
    bench.step("5.1", "an instance by itself");
    const Sentences samples(bench.texts().many(bench.is_slow() ? 1 : 64));
    (void)bench.instance_for(samples)->encode(samples);
    const Seconds alone = bench.passed();
    blame_blocked_calls(bench, alone, [&] {
        try_one_after_the_other(bench);
        try_at_once(bench);
    });
}

} // namespace senteval::check
