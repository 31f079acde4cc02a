// Instances that come and go, prepare() in every order, calls that fail, memory that is not given back.
#include "check/trials.hpp"

#include "check/measure.hpp"
#include "check/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace senteval::check {
namespace {

struct Usage {
    std::size_t heap = heap_bytes();
    std::size_t resident = resident_bytes();
};

/// Bytes per round that memory grew by, both from the first to the second look and from there to the third;
/// 0 where it did not grow steadily. What is kept of the first rounds for later ones does not count.
std::size_t growth(const Usage& first, const Usage& second, const Usage& third, std::size_t rounds)
{
    constexpr std::size_t smallest = 16; // that malloc() gives
    const auto per_round = [&](std::size_t a, std::size_t b, std::size_t c) {
        const std::size_t x = b > a ? (b - a) / rounds : 0;
        const std::size_t y = c > b ? (c - b) / rounds : 0;
        return std::min(x, y) < smallest ? 0 : std::min(x, y);
    };
    // Pages come in larger pieces than allocations do: they count where there are many of them.
    constexpr std::size_t few_pages = std::size_t{2} << 20;
    const bool many_pages = first.heap > 0 && // a sanitizer also keeps what was freed
                            second.resident > first.resident + few_pages &&
                            third.resident > second.resident + few_pages;
    return std::max(per_round(first.heap, second.heap, third.heap),
                    many_pages ? per_round(first.resident, second.resident, third.resident) : 0);
}

/// Threads end a moment after they are joined.
bool threads_return_to(std::size_t count)
{
    constexpr int looks = 500;
    for (int look = 0; look < looks; ++look) {
        if (thread_count() <= count)
            return true;
        std::this_thread::sleep_for(std::chrono::milliseconds(look < looks / 2 ? 1 : 10));
    }
    return false;
}

/// Calls `body` up to `count` times while the time of the trial allows it; returns how many times.
std::size_t repeat(Bench& bench,
                   const OwnTime& time,
                   double share,
                   std::size_t count,
                   const std::function<void()>& body)
{
    std::size_t done = 0;
    for (; done < count && (done < 2 || time.passed() < bench.limit() * share); ++done)
        body();
    return done;
}

} // namespace

void try_repeated_life(Bench& bench)
{
    constexpr std::size_t third = 330; // three times that, and what goes before: 1000
    const OwnTime time;
    const Sentences samples(ordinary_texts());
    bench.step("2.2", "create() and destroy(), again and again");
    bench.create().reset();
    const std::size_t threads = thread_count();
    bench.create().reset();
    bench.reporter().tried("5.3");
    if (!threads_return_to(threads)) {
        bench.broken("5.3", "a thread goes on after destroy()");
        return;
    }
    for (int warming = 0; warming < 8; ++warming)
        bench.create_for(samples).reset();
    const std::size_t descriptors = open_descriptors();
    const Usage first;
    const std::size_t rounds = repeat(bench, time, 0.4, third, [&] { bench.create().reset(); });
    const Usage second;
    for (std::size_t round = 0; round < rounds; ++round)
        bench.create().reset();
    const Usage third_look;
    if (open_descriptors() > descriptors)
        bench.broken(fmt::format("{} files are open after {} instances, and {} were before",
                                 open_descriptors(), 2 * rounds, descriptors));
    else if (const std::size_t bytes = growth(first, second, third_look, rounds); bytes > 0)
        bench.broken(
            fmt::format("{} bytes of each instance are left, after {} of them", bytes, 2 * rounds));
    for (std::size_t round = 2 * rounds; round < 3 * third && rounds == third; ++round)
        bench.create().reset();
}

void try_before_prepare(Bench& bench)
{
    const Sentences samples(ordinary_texts());
    bench.step("9.2", "create() and destroy(), nothing between");
    bench.create().reset();
    auto instance = bench.create();
    bench.step("9.2", "dimension() before prepare()");
    std::size_t cols = 0;
    if (!instance->dimension(cols).done() || cols == 0 || cols > (std::size_t{1} << 24))
        return;
    bench.step("9.2", "batcher() before prepare()");
    std::vector<float> memory(samples.size() * cols);
    senteval_matrix out{sizeof out, 0, memory.data(), samples.size(), cols, cols};
    (void)instance->batcher(samples, out);
}

void try_prepare_again(Bench& bench)
{
    const auto& texts = ordinary_texts();
    const Sentences all(texts);
    const Sentences some({texts[1], texts[3], texts[5]});
    bench.step("9.1", "prepare(A), batcher(A), prepare(B), batcher(B), prepare(A), batcher(A)");
    auto instance = bench.create_for(some);
    const Vectors before = instance->encode(some);
    instance->ready_for(all);
    (void)instance->encode(all);
    instance->ready_for(some);
    const Vectors after = instance->encode(some);
    if (bench.claims(SENTEVAL_CAP_DETERMINISTIC))
        bench.same(before, after, false, "after prepare() of other sentences and of these again");

    bench.step("9.1", "prepare([])");
    const Sentences none(std::vector<std::string>{});
    if (const Reply reply = instance->prepare(none); reply.kind == Reply::Kind::misbehaved)
        return;
    bench.step("9.1", "prepare(A) after prepare([])");
    instance->ready_for(some);
    (void)instance->encode(some);
}

void try_kept_pointers(Bench& bench)
{
    bench.step("2.1", "batcher() after the text of the parameters has gone");
    auto settings = bench.settings();
    for (std::size_t p = 0; p < bench.encoder().param_count; ++p) {
        const senteval_param_spec& spec = *bench.encoder().params[p];
        const senteval_value& fallback = spec.default_value;
        if (fallback.type == SENTEVAL_TYPE_STRING && fallback.as.string.size > 0 &&
            (spec.flags & (SENTEVAL_PARAM_REQUIRED | SENTEVAL_PARAM_LIST)) == 0 &&
            std::ranges::none_of(settings, [&](const auto& one) { return one.key == spec.key; }))
            settings.push_back(
                {spec.key, fallback, {fallback.as.string.data, fallback.as.string.size}});
    }
    bench.take_texts_away();
    std::unique_ptr<Instance> instance;
    if (!bench.create(settings, instance).done())
        instance = bench.create();
    const Sentences samples(ordinary_texts());
    instance->ready_for(samples);
    (void)instance->encode(samples);
    bench.step("2.1", "batcher() after the text of prepare() has gone");
    std::vector<GuardedMemory> pages;
    std::vector<senteval_string> views;
    for (const std::string& text : ordinary_texts()) {
        pages.emplace_back(text.size(), true);
        std::memcpy(pages.back().bytes().data(), text.data(), text.size());
        views.push_back({reinterpret_cast<const char*>(pages.back().bytes().data()), text.size()});
    }
    {
        const Sentences there(views);
        instance->ready_for(there);
        (void)instance->encode(there);
    }
    for (GuardedMemory& page : pages)
        page.forbid();
    (void)instance->encode(samples);
    instance->ready_for(samples);
    (void)instance->encode(samples);
}

void try_failed_call(Bench& bench)
{
    const Sentences samples(ordinary_texts());
    bench.step("4.6", "batcher() after one that was cancelled");
    auto instance = bench.create_for(samples);
    const Vectors before = instance->encode(samples);
    std::vector<float> memory(samples.size() * instance->cols());
    senteval_matrix out{sizeof out,      0, memory.data(), samples.size(), instance->cols(),
                        instance->cols()};
    CallOptions cancelled;
    cancelled.cancelled = true;
    const Reply reply = instance->batcher(samples, out, cancelled);
    const Vectors after = instance->encode(samples);
    if (bench.claims(SENTEVAL_CAP_DETERMINISTIC))
        bench.same(before, after, false,
                   reply.done() ? "after another batch" : "after a cancelled batch");
    bench.step("4.6", "destroy() after a call that was cancelled");
    (void)instance->batcher(samples, out, cancelled);
    instance.reset();
}

void try_memory(Bench& bench)
{
    constexpr std::size_t third = 3300;
    const OwnTime time;
    const auto& texts = ordinary_texts();
    const Sentences samples(texts);
    bench.step("2.3", "batcher(), again and again");
    auto instance = bench.create_for(samples);
    std::vector<Sentences> batches;
    for (std::size_t i = 0; i + 1 < texts.size(); ++i)
        batches.emplace_back(std::vector<std::string>{texts[i], texts[i + 1]});
    std::vector<float> memory(2 * instance->cols());
    std::size_t next = 0;
    const auto encode = [&] {
        const Sentences& batch = batches[next++ % batches.size()];
        senteval_matrix out{sizeof out,      0, memory.data(), batch.size(), instance->cols(),
                            instance->cols()};
        bench.require(instance->batcher(batch, out), "batcher()");
    };
    const std::size_t rounds = repeat(bench, time, 0.25, third, encode);
    const Usage first;
    for (std::size_t round = 0; round < rounds; ++round)
        encode();
    const Usage second;
    for (std::size_t round = 0; round < rounds; ++round)
        encode();
    const Usage last;
    if (const std::size_t bytes = growth(first, second, last, rounds); bytes > 0)
        bench.broken(fmt::format("memory grows by {} bytes with each batch, after {} of them",
                                 bytes, 3 * rounds));
}

} // namespace senteval::check
