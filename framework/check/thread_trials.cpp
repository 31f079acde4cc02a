// Instances that are independent, calls that overlap, threads, cancellation.
#include "check/trials.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>

namespace senteval::check {
namespace {

/// The user's settings, and each other that can be given in their place: numbers and flags.
std::vector<std::vector<Setting>> other_settings(const Bench& bench)
{
    std::vector<std::vector<Setting>> all{bench.settings()};
    for (std::size_t p = 0; p < bench.encoder().param_count; ++p) {
        const senteval_param_spec& spec = *bench.encoder().params[p];
        const bool is_given = std::ranges::any_of(
            bench.settings(), [&](const auto& one) { return one.key == spec.key; });
        auto other = another_value(spec);
        if (is_given || (spec.flags & SENTEVAL_PARAM_REQUIRED) != 0 || !other)
            continue;
        all.push_back(bench.settings());
        all.back().push_back(std::move(*other));
    }
    return all;
}

/// Whether an instance answers otherwise while there is another one, or when that has gone again. One that does
/// not repeat itself cannot be asked.
bool is_changed_by_another(Bench& bench, const std::vector<Setting>& settings)
{
    const auto& texts = bench.texts().ordinary();
    const Sentences all(texts);
    const Sentences some({texts[2], texts[4]});
    auto instance = bench.create_for(all);
    const Vectors before = instance->encode(all);
    std::unique_ptr<Instance> other;
    if (distance(before, instance->encode(all)) > 0 || !bench.create(settings, other).done())
        return false;
    (void)other->put_to_use(some); // what it refuses is tried elsewhere
    constexpr double rounding = 1e-3;
    if (distance(before, instance->encode(all)) > rounding)
        return true;
    other.reset();
    return distance(before, instance->encode(all)) > rounding;
}

/// Batches of one to four sentences that differ.
std::vector<Sentences> small_batches(const Bench& bench)
{
    const auto texts = bench.texts().many(64);
    std::vector<Sentences> batches;
    for (std::size_t at = 0; at + 4 <= texts.size(); at += 4)
        batches.emplace_back(std::vector<std::string>(
            texts.begin() + static_cast<std::ptrdiff_t>(at),
            texts.begin() + static_cast<std::ptrdiff_t>(at + 1 + at / 4 % 4)));
    return batches;
}

/// Lets each of them, on a thread of its own, encode all batches again and again, until one gets other vectors
/// than expected or for `long_enough`. Other vectors break the rule of the step, unless they come one by one, too.
/// An instance may be there several times.
void overlap(Bench& bench,
             const std::vector<Instance*>& instances,
             const std::vector<Sentences>& batches,
             const std::vector<Vectors>& expected,
             Seconds long_enough)
{
    constexpr double rounding = 1e-3;
    const auto begin = Clock::now();
    std::atomic<bool> stop{false};
    std::mutex mutex; // of these
    std::exception_ptr problem;
    std::optional<std::pair<std::size_t, Vectors>> other;
    const auto encode_all = [&](Instance& instance, std::size_t first) {
        for (std::size_t i = 0; !stop; ++i) {
            const std::size_t at = (i * (2 * first + 1) + first) % batches.size();
            Vectors found = instance.encode(batches[at], {.yields = i / batches.size() % 2 == 0});
            if (distance(expected[at], found) > rounding) {
                stop = true;
                const std::lock_guard lock(mutex);
                other = {at, std::move(found)};
            }
            if (i >= batches.size() && Clock::now() - begin > long_enough)
                break;
        }
    };
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < instances.size(); ++t)
        threads.emplace_back([&, t] {
            try {
                encode_all(*instances[t], t);
            } catch (...) {
                stop = true;
                const std::lock_guard lock(mutex);
                problem = std::current_exception();
            }
        });
    threads.clear();
    if (problem)
        std::rethrow_exception(problem);
    if (other &&
        bench.comes_again(*instances.front(), batches[other->first], expected[other->first]))
        bench.same(expected[other->first], other->second, false,
                   "as one by one, for " + batches[other->first].shown());
}

/// The vectors of all batches, one by one; nothing where they do not come again.
std::vector<Vectors>
one_by_one(Bench& bench, Instance& instance, const std::vector<Sentences>& batches)
{
    std::vector<Vectors> vectors;
    for (const Sentences& batch : batches)
        vectors.push_back(instance.encode(batch));
    for (std::size_t b = batches.size(); b-- > 0;)
        if (!bench.comes_again(instance, batches[b], vectors[b]))
            return {};
    return vectors;
}

} // namespace

void try_instances_at_once(Bench& bench)
{
    constexpr std::size_t count = 4;
    bench.step("5.1", fmt::format("{} instances, whose batcher() calls overlap", count));
    const auto batches = small_batches(bench);
    const Sentences samples(bench.texts().many(64));
    const auto begin = Clock::now();
    std::vector<std::unique_ptr<Instance>> owners;
    owners.push_back(bench.create_for(samples));
    const auto expected = one_by_one(bench, *owners.front(), batches);
    const Seconds alone = Clock::now() - begin;
    try {
        std::vector<Instance*> instances{owners.front().get()};
        while (owners.size() < count) {
            owners.push_back(bench.create_for(samples));
            instances.push_back(owners.back().get());
        }
        if (!expected.empty() && !one_by_one(bench, *owners.back(), batches).empty())
            overlap(bench, instances, batches, expected, Seconds(0.3));
    } catch (const TooSlow&) {
        constexpr int times = 20;
        if (Clock::now() - begin < times * alone)
            throw;
        bench.broken(fmt::format("calls did not return for {:.0f} s, until they were cancelled; "
                                 "those of one instance by itself take {:.1g} s",
                                 Seconds(Clock::now() - begin).count(), alone.count()));
    }
}

void try_two_instances(Bench& bench)
{
    constexpr int attempts = 3;
    for (const auto& settings : other_settings(bench)) {
        bench.step("5.1", settings.size() == bench.settings().size()
                              ? "two instances, prepared for other sentences"
                              : fmt::format("two instances, one of them made with another '{}'",
                                            settings.back().key));
        int changed = 0;
        while (changed < attempts && is_changed_by_another(bench, settings))
            ++changed;
        if (changed == attempts) {
            bench.broken("one gives other vectors than before there was the other");
            return;
        }
    }
}

void try_concurrent_batches(Bench& bench)
{
    constexpr std::size_t threads = 4;
    auto batches = small_batches(bench);
    batches.emplace_back(bench.texts().many(64)); // most of the time is spent in the encoder
    bench.step("12.2", fmt::format("batcher() on {} threads at once", threads));
    auto instance = bench.create_for(Sentences(bench.texts().many(64)));
    const auto expected = one_by_one(bench, *instance, batches);
    if (!expected.empty())
        overlap(bench, std::vector<Instance*>(threads, instance.get()), batches, expected,
                Seconds(0.5));
}

namespace {

/// Threads that were busy on average while the body ran again and again; 0 where it is too quick to be seen.
/// Threads that wait for a processor count: so this does not depend on how many there are.
double busy_on_average(const std::function<void()>& body)
{
    constexpr std::size_t looks_needed = 40;
    const auto end = Clock::now() + std::chrono::seconds(2);
    std::atomic<std::size_t> looks{0};
    std::size_t busy = 0;
    std::jthread observer([&](const std::stop_token& stop) {
        const std::string own = std::to_string(gettid());
        while (!stop.stop_requested()) {
            busy += busy_threads(own);
            ++looks;
            std::this_thread::sleep_for(std::chrono::microseconds(500));
        }
    });
    while (looks < looks_needed && Clock::now() < end)
        body();
    observer.request_stop();
    observer.join();
    return looks < looks_needed ? 0 : static_cast<double>(busy) / static_cast<double>(looks);
}

} // namespace

void try_thread_budget(Bench& bench)
{
    constexpr double more_than_one = 1.5; // one thread hands over to another now and then
    constexpr int attempts = 3;
    const Sentences samples(bench.texts().many(128)); // as many as a run passes at once
    bench.step("5.4", "batcher() with thread_budget 1");
    auto instance = bench.create_for(samples);
    double busy = std::numeric_limits<double>::infinity();
    for (int attempt = 0; attempt < attempts && busy > more_than_one; ++attempt)
        busy = std::min(busy, busy_on_average([&] { (void)instance->encode(samples); }));
    if (busy > more_than_one)
        bench.broken(fmt::format("{:.1f} threads were busy on average, at each of {} attempts",
                                 busy, attempts));
}

/// Batches that grow until one takes long enough for it to be seen: an encoder that asks answers at every size.
void try_cancellation(Bench& bench)
{
    constexpr Seconds soon(0.1);
    constexpr Seconds slow(2); // twice what the rule says
    constexpr int attempts = 2;
    constexpr std::size_t most = 32768;
    constexpr std::size_t most_floats = std::size_t{1} << 26;
    const auto texts = bench.texts().many(256);
    bench.step("5.5", "batcher()");
    auto instance = bench.create_for(Sentences(texts));
    std::vector<std::string> rows{texts.front()};
    for (; rows.size() <= most && rows.size() * instance->cols() <= most_floats;
         rows.resize(2 * rows.size())) {
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i] = texts[i % texts.size()];
        const Sentences batch(rows);
        std::vector<float> memory(rows.size() * instance->cols());
        senteval_matrix out{sizeof out,      0, memory.data(), rows.size(), instance->cols(),
                            instance->cols()};
        bench.step("5.5", fmt::format("batcher() with {} sentences, cancelled after {} s",
                                      rows.size(), soon.count()));
        Seconds least = Seconds::max();
        for (int attempt = 0; attempt < attempts && (attempt == 0 || least > slow); ++attempt) {
            const auto begin = Clock::now();
            (void)instance->batcher(batch, out, {.cancelled_after = soon});
            least = std::min(least, Seconds(Clock::now() - begin) - soon);
        }
        if (least > slow) {
            bench.broken(fmt::format("it went on for {:.1f} s, at each of {} attempts",
                                     least.count(), attempts));
            return;
        }
    }
}

} // namespace senteval::check
