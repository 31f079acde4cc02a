#include "check/overlap.hpp"

#include <fmt/format.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace senteval::check {
namespace {

/// Runs body(0) ... body(count - 1) at the same time; throws the first exception again.
void at_once(std::size_t count, const std::function<void(std::size_t)>& body)
{
    std::barrier start(static_cast<std::ptrdiff_t>(count));
    std::exception_ptr problem;
    std::mutex mutex;
    std::vector<std::jthread> threads;
    threads.reserve(count);
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

} // namespace

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

std::vector<Vectors>
encode_some(Bench& bench, Instance& instance, std::vector<Sentences>& batches, std::size_t calls)
{
    constexpr std::size_t least = 2;
    const OwnTime time;
    const Seconds enough = (bench.enough() - bench.passed()) / static_cast<double>(calls);
    std::vector<Vectors> expected;
    for (const Sentences& batch : batches)
        if (expected.size() < least || time.passed() < enough)
            expected.push_back(instance.encode(batch));
    if (expected.size() < batches.size())
        bench.in_part(
            fmt::format("{} of {} batches that overlap", expected.size(), batches.size()));
    batches.erase(batches.begin() + static_cast<std::ptrdiff_t>(expected.size()), batches.end());
    return expected;
}

std::optional<std::size_t> first_difference(const Vectors& expected, const Vectors& found)
{
    if (found.values.size() != expected.values.size())
        return 0;
    for (std::size_t row = 0; row < expected.values.size() / expected.dimension; ++row)
        if (difference(expected.row(row), found.row(row), false) >= 0)
            return row;
    return std::nullopt;
}

std::optional<Mismatch> overlap(Bench& bench,
                                const std::vector<Instance*>& instances,
                                const std::vector<Sentences>& batches,
                                const std::vector<Vectors>& expected,
                                Seconds enough)
{
    constexpr std::size_t most = 2000;
    constexpr int others = 10;
    const Seconds begin = cpu_time();
    const OwnTime time;
    std::atomic<bool> stop{false};
    std::optional<Mismatch> mismatch;
    std::mutex mutex; // of the mismatch
    // What wakes up interrupts calls wherever they are, for as long as others need to get in between.
    constexpr std::size_t disturbers = 2;
    std::vector<std::jthread> disturbing;
    disturbing.reserve(disturbers);
    for (std::size_t i = 0; i < disturbers; ++i)
        disturbing.emplace_back([](const std::stop_token& end) {
            while (!end.stop_requested())
                std::this_thread::sleep_for(std::chrono::microseconds(20));
        });
    at_once(instances.size(), [&](std::size_t t) {
        for (std::size_t round = 0; round < most && !stop; ++round) {
            for (std::size_t b = 0; b < batches.size() && !stop; ++b) {
                const std::size_t at = (b * (2 * t + 1) + t) % batches.size();
                CallOptions options;
                options.yields = round % 2 == 0;
                Vectors found = instances[t]->encode(batches[at], options);
                if (expected.empty() || !first_difference(expected[at], found))
                    continue;
                stop = true;
                const std::lock_guard lock(mutex);
                mismatch = {t, at, std::move(found)};
            }
            if (round + 1 >= (bench.has_time() ? least_overlapping_rounds : 1) &&
                (cpu_time() - begin > enough || time.passed() > enough * others))
                stop = true;
        }
    });
    return mismatch;
}

} // namespace senteval::check
