// Calls that overlap, threads, cancellation.
#include "check/trials.hpp"

#include "check/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <exception>
#include <limits>
#include <mutex>
#include <stop_token>
#include <thread>

namespace senteval::check {
namespace {

/// Runs body(0) ... body(count - 1) at the same time; throws the first exception again.
void at_once(std::size_t count, const std::function<void(std::size_t)>& body)
{
    std::barrier start(static_cast<std::ptrdiff_t>(count));
    std::exception_ptr problem;
    std::mutex mutex;
    std::vector<std::jthread> threads;
    for (std::size_t t = 0; t < count; ++t)
        threads.emplace_back([&, t] {
            start.arrive_and_wait();
            try {
                body(t);
            } catch (...) {
                const std::lock_guard lock(mutex);
                problem = std::current_exception();
            }
        });
    threads.clear();
    if (problem)
        std::rethrow_exception(problem);
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

constexpr std::size_t threads = 4;

/// Lets `threads` of them encode all batches again and again, until a rule is broken or so much
/// processor time is spent; where others do the work, until so many times that has gone by.
void overlap(Bench& bench,
             const std::vector<Instance*>& instances,
             const std::vector<Sentences>& batches,
             const std::vector<Vectors>& expected,
             bool compare,
             Seconds enough)
{
    constexpr std::size_t least = 4;
    constexpr std::size_t most = 2000;
    constexpr int others = 10;
    const Seconds begin = cpu_time();
    const OwnTime time;
    std::atomic<bool> stop{false};
    // What wakes up interrupts calls wherever they are, for as long as others need to get in between.
    std::vector<std::jthread> disturbing;
    for (int i = 0; i < 2; ++i)
        disturbing.emplace_back([](const std::stop_token& end) {
            while (!end.stop_requested())
                std::this_thread::sleep_for(std::chrono::microseconds(20));
        });
    at_once(threads, [&](std::size_t t) {
        for (std::size_t round = 0; round < most && !stop; ++round) {
            for (std::size_t b = 0; b < batches.size() && !stop; ++b) {
                const std::size_t at = (b * (2 * t + 1) + t) % batches.size();
                CallOptions options;
                options.yields = round % 2 == 0;
                const Vectors found = instances[t]->encode(batches[at], options);
                if (compare &&
                    !bench.same(expected[at], found, false,
                                fmt::format("as one by one, for {}", batches[at].shown())))
                    stop = true;
            }
            if (round >= least && (cpu_time() - begin > enough || time.passed() > enough * others))
                stop = true;
        }
    });
}

} // namespace

void try_concurrent_batches(Bench& bench)
{
    auto batches = small_batches(bench);
    batches.emplace_back(bench.texts().many(64)); // most of the time is spent in the encoder
    const Sentences samples(bench.texts().many(64));
    bench.step("12.2", fmt::format("batcher() on {} threads at once", threads));
    auto instance = bench.create_for(samples);
    std::vector<Vectors> expected;
    for (const Sentences& batch : batches)
        expected.push_back(instance->encode(batch));
    for (std::size_t b = batches.size(); b-- > 0;)
        if (!bench.comes_again(*instance, batches[b], expected[b]))
            return;
    overlap(bench, std::vector<Instance*>(threads, instance.get()), batches, expected, true,
            Seconds(0.3));
}

void try_two_instances(Bench& bench)
{
    const auto& texts = bench.texts().ordinary();
    const Sentences all(texts);
    const Sentences some({texts[2], texts[4]});
    const bool repeats = bench.claims(SENTEVAL_CAP_DETERMINISTIC);
    bench.step("5.1", "two instances, prepared for other sentences; one of them is destroyed");
    auto first = bench.create_for(all);
    const Vectors expected = first->encode(all);
    auto second = bench.create_for(some);
    (void)second->encode(some);
    const Vectors between = first->encode(all);
    if (repeats && !bench.same(expected, between, false, "before there was another instance"))
        return;
    second.reset();
    const Vectors after = first->encode(all);
    if (repeats && !bench.same(expected, after, false, "before another instance was destroyed"))
        return;

    bench.step("5.1", fmt::format("batcher() of {} instances at once", threads));
    const auto batches = small_batches(bench);
    const Sentences samples(bench.texts().many(64));
    std::vector<std::unique_ptr<Instance>> owners;
    std::vector<Instance*> instances;
    for (std::size_t t = 0; t < threads; ++t)
        instances.push_back(owners.emplace_back(bench.create_for(samples)).get());
    std::vector<Vectors> one_by_one;
    for (const Sentences& batch : batches)
        one_by_one.push_back(instances[0]->encode(batch));
    overlap(bench, instances, batches, one_by_one,
            repeats && bench.claims(SENTEVAL_CAP_BATCH_INVARIANT), Seconds(0.02));
}

namespace {

/// Threads that were busy on average while the body ran again and again; 0 where it is too quick to be seen.
/// Threads that wait for a processor count: so this does not depend on how many there are.
double busy_on_average(const std::function<void()>& body)
{
    constexpr std::size_t looks_needed = 40;
    constexpr std::size_t calls = 400;
    constexpr Seconds patience(2); // the observer waits for a processor too
    const OwnTime time;
    std::atomic<bool> stop{false};
    std::atomic<std::size_t> looks{0};
    std::size_t busy = 0;
    std::jthread observer([&] {
        while (!stop) {
            busy += busy_threads();
            ++looks;
            std::this_thread::sleep_for(std::chrono::microseconds(500));
        }
    });
    std::exception_ptr problem;
    try {
        for (std::size_t call = 0;
             looks < looks_needed && (call < calls || time.passed() < patience); ++call)
            body();
    } catch (...) {
        problem = std::current_exception();
    }
    stop = true;
    observer.join();
    if (problem)
        std::rethrow_exception(problem);
    return looks < looks_needed ? 0 : static_cast<double>(busy) / static_cast<double>(looks);
}

} // namespace

void try_thread_budget(Bench& bench)
{
    constexpr double more_than_one = 1.5; // one thread hands over to another now and then
    constexpr int attempts = 3;
    const Sentences samples(bench.texts().many(256));
    bench.step("5.4", "batcher() with thread_budget 1");
    auto instance = bench.create_for(samples);
    double least = std::numeric_limits<double>::infinity();
    for (int attempt = 0; attempt < attempts && least > more_than_one; ++attempt)
        least = std::min(least, busy_on_average([&] { (void)instance->encode(samples); }));
    if (least > more_than_one)
        bench.broken(fmt::format("{:.1f} threads were busy on average, at each of {} attempts",
                                 least, attempts));
}

void try_cancellation(Bench& bench)
{
    // Of any speed from a tenth of a millisecond per sentence there is a batch that takes too long for an
    // encoder that does not ask; one that asks answers at every size.
    constexpr std::size_t most = 32768;
    constexpr std::size_t most_floats = std::size_t{1} << 26;
    constexpr Seconds soon(0.1);
    constexpr Seconds slow(2); // twice what the rule says
    constexpr int attempts = 3;
    const OwnTime time;
    const auto texts = bench.texts().many(2048);
    bench.step("5.5", "batcher()");
    auto instance = bench.create_for(Sentences(texts));
    (void)instance->encode(Sentences({texts.front()}));
    CallOptions cancelled;
    cancelled.cancelled_after = soon;
    std::vector<std::string> rows;
    std::vector<float> memory;
    for (std::size_t size = 1; size <= most && size * instance->cols() <= most_floats &&
                               time.passed() < bench.limit() * 0.4;
         size *= 2) {
        while (rows.size() < size)
            rows.push_back(texts[rows.size() % texts.size()]);
        const Sentences batch(rows);
        memory.resize(size * instance->cols());
        senteval_matrix out{sizeof out, 0, memory.data(), size, instance->cols(), instance->cols()};
        bench.step("5.5", fmt::format("batcher() with {} sentences, cancelled after {} s", size,
                                      soon.count()));
        Seconds least(1e9);
        int attempt = 0;
        while (attempt < attempts && least > slow &&
               (attempt < 2 || time.passed() + least < bench.limit() * 0.5)) {
            const OwnTime call;
            (void)instance->batcher(batch, out, cancelled);
            least = std::min(least, call.passed() - soon);
            ++attempt;
        }
        if (least > slow) {
            bench.broken(fmt::format("it went on for {:.1f} s that it did not wait for a "
                                     "processor, at each of {} attempts",
                                     least.count(), attempt));
            return;
        }
    }
}

} // namespace senteval::check
