// Calls that overlap, threads, cancellation.
#include "check/trials.hpp"

#include "check/measure.hpp"
#include "check/overlap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <limits>
#include <thread>

namespace senteval::check {

void try_concurrent_batches(Bench& bench)
{
    constexpr std::size_t threads = 4;
    auto batches = small_batches(bench);
    batches.emplace_back(bench.texts().many(64)); // most of the time is spent in the encoder
    const Sentences samples(bench.texts().many(64));
    bench.step("12.2", fmt::format("batcher() on {} threads at once", threads));
    auto instance = bench.instance_for(samples);
    // One by one, to see that it comes again, and on all threads.
    const auto expected =
        encode_some(bench, *instance, batches, 4 + threads * least_overlapping_rounds);
    for (std::size_t b = batches.size(); b-- > 0;)
        if (!bench.comes_again(*instance, batches[b], expected[b]))
            return;
    const auto other = overlap(bench, std::vector<Instance*>(threads, instance.get()), batches,
                               expected, Seconds(0.3));
    if (other)
        bench.same(expected[other->batch], other->found, false,
                   fmt::format("as one by one, for {}", batches[other->batch].shown()));
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
