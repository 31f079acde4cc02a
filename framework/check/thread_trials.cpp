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
constexpr std::size_t least_rounds = 4; ///< one where even these take too long

/// The vectors of as many of the batches as there is time to encode often; the others are left out.
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

/// Lets each of them, on a thread of its own, encode all batches again and again, until a rule is broken
/// or so much processor time is spent; where others do the work, until so many times that has gone by.
void overlap(Bench& bench,
             const std::vector<Instance*>& instances,
             const std::vector<Sentences>& batches,
             const std::vector<Vectors>& expected,
             bool compare,
             Seconds enough)
{
    constexpr std::size_t most = 2000;
    constexpr int others = 10;
    const Seconds begin = cpu_time();
    const OwnTime time;
    std::atomic<bool> stop{false};
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
                const Vectors found = instances[t]->encode(batches[at], options);
                if (compare &&
                    !bench.same(expected[at], found, false,
                                fmt::format("as one by one, for {}", batches[at].shown())))
                    stop = true;
            }
            if (round + 1 >= (bench.has_time() ? least_rounds : 1) &&
                (cpu_time() - begin > enough || time.passed() > enough * others))
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
    auto instance = bench.instance_for(samples);
    // One by one, to see that it comes again, and on all threads.
    const auto expected = encode_some(bench, *instance, batches, 4 + threads * least_rounds);
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

    const std::size_t count = bench.is_slow() ? 2 : threads;
    bench.step("5.1", fmt::format("batcher() of {} instances at once", count));
    auto batches = small_batches(bench);
    const Sentences samples(bench.texts().many(64));
    std::vector<std::unique_ptr<Instance>> owners;
    owners.push_back(std::move(first));
    owners.front()->ready_for(samples);
    while (owners.size() < count)
        owners.push_back(bench.create_for(samples));
    std::vector<Instance*> instances;
    instances.reserve(count);
    for (const auto& owner : owners)
        instances.push_back(owner.get());
    const auto one_by_one = encode_some(bench, *instances[0], batches, 1 + count * least_rounds);
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
    constexpr std::size_t most = 128; // as many as a run passes at once
    constexpr std::size_t least = 8;
    auto texts = bench.texts().many(most);
    bench.step("5.4", "batcher() with thread_budget 1");
    auto instance = bench.instance_for(Sentences(texts));
    const Seconds before = bench.passed();
    (void)instance->encode(Sentences(std::vector(texts.begin(), texts.begin() + least)));
    const double times = std::max(Seconds(0), bench.enough() - before) /
                         std::max(bench.passed() - before, Seconds(1e-6));
    texts.resize(static_cast<std::size_t>(
        std::clamp(times * static_cast<double>(least), 1.0 * least, 1.0 * most)));
    if (texts.size() < most)
        bench.in_part(fmt::format("{} of {} sentences at once", texts.size(), most));
    const Sentences samples(texts);
    double busy = std::numeric_limits<double>::infinity();
    for (int attempt = 0; attempt < attempts && busy > more_than_one; ++attempt)
        busy = std::min(busy, busy_on_average([&] { (void)instance->encode(samples); }));
    if (busy > more_than_one)
        bench.broken(fmt::format("{:.1f} threads were busy on average, at each of {} attempts",
                                 busy, attempts));
}

namespace {

/// How long batcher() goes on after it was cancelled.
class CancellationTrial {
public:
    explicit CancellationTrial(Bench& bench)
        : bench_(bench),
          texts_(bench.texts().many(256)),
          instance_(bench.instance_for(Sentences(texts_)))
    {
        const Seconds before = bench.passed();
        (void)instance_->encode(Sentences({bench.texts().ordinary().front()}));
        of_one_ = bench.passed() - before;
    }

    /// Of batches that grow. One attempt more is made of what was too slow.
    void run()
    {
        std::size_t size = 1;
        while (size <= most && size * instance_->cols() <= most_floats && has_time()) {
            const Seconds took = call(size);
            if (took - soon > slow && !is_quick_again(size, took))
                return;
            // No larger than it has to be: a step that takes half of too long, and one that takes too long.
            const double up = (slow + soon) * 1.2 / std::max(took, Seconds(1e-6));
            const double wanted = std::clamp(up, 1.1, 2.0) * static_cast<double>(size);
            size = took > slow + soon ? 2 * size
                                      : std::max(size + 1, static_cast<std::size_t>(wanted));
        }
        if (size <= most && size * instance_->cols() <= most_floats &&
            of_one_ * static_cast<double>(size) < 4 * slow)
            bench_.in_part(fmt::format("batches of up to {} sentences", size - 1));
    }

private:
    // Of any speed from a tenth of a millisecond per sentence there is a batch that takes too long for an
    // encoder that does not ask; one that asks answers at every size.
    static constexpr std::size_t most = 32768;
    static constexpr std::size_t most_floats = std::size_t{1} << 26;
    static constexpr Seconds soon{0.1};
    static constexpr Seconds slow{2}; // twice what the rule says

    [[nodiscard]] bool has_time() const { return bench_.passed() < bench_.most() * 0.3; }

    Seconds call(std::size_t size)
    {
        while (rows_.size() < size)
            rows_.push_back(texts_[rows_.size() % texts_.size()]);
        const Sentences batch(
            std::vector(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(size)));
        memory_.resize(size * instance_->cols());
        senteval_matrix out{sizeof out,       0, memory_.data(), size, instance_->cols(),
                            instance_->cols()};
        bench_.step("5.5", fmt::format("batcher() with {} sentences, cancelled after {} s", size,
                                       soon.count()));
        CallOptions cancelled;
        cancelled.cancelled_after = soon;
        const OwnTime time;
        (void)instance_->batcher(batch, out, cancelled);
        return time.passed();
    }

    /// After one call that went on for too long. Where it always does, the rule is broken.
    bool is_quick_again(std::size_t size, Seconds took)
    {
        constexpr int attempts = 3;
        Seconds least = took - soon;
        int attempt = 1;
        while (attempt < attempts && least > slow &&
               (attempt < 2 || bench_.passed() + least < bench_.most() * 0.8)) {
            least = std::min(least, call(size) - soon);
            ++attempt;
        }
        if (least > slow)
            bench_.broken(fmt::format("it went on for {:.1f} s that it did not wait for a "
                                      "processor, at each of {} attempts",
                                      least.count(), attempt));
        return least <= slow;
    }

    Bench& bench_;
    std::vector<std::string> texts_;
    std::shared_ptr<Instance> instance_;
    Seconds of_one_{0};
    std::vector<std::string> rows_;
    std::vector<float> memory_;
};

} // namespace

void try_cancellation(Bench& bench)
{
    bench.step("5.5", "batcher()");
    CancellationTrial(bench).run();
}

} // namespace senteval::check
