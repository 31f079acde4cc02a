// Instances that come and go, prepare() in every order, calls that fail, memory that is not given back.
#include "check/trials.hpp"

#include "check/measure.hpp"
#include "check/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <limits>
#include <span>
#include <thread>
#include <vector>

namespace senteval::check {
namespace {

struct Usage {
    std::size_t heap = heap_bytes();
    std::size_t resident = resident_bytes();
    std::size_t mapped = mapped_bytes();
};

/// The least that a number grew by from one look to the next; 0 where it did not.
std::size_t least_growth(std::span<const Usage> looks, std::size_t Usage::*number)
{
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (std::size_t i = 1; i < looks.size(); ++i) {
        const std::size_t before = looks[i - 1].*number;
        const std::size_t now = looks[i].*number;
        least = std::min(least, now > before ? now - before : 0);
    }
    return least;
}

/// Bytes per round that memory grew by from each look to the next, `rounds` later; 0 where it did not grow
/// steadily. What is kept of the first rounds for later ones does not count, nor does a table that is made
/// larger now and then. Takes three looks or more.
std::size_t growth(std::span<const Usage> looks, std::size_t rounds)
{
    constexpr std::size_t smallest = 16; // that malloc() gives
    // Buffers come and go by the hundred bytes. Of 165 rounds the smallest piece of each, 32 bytes, is more.
    constexpr std::size_t few_bytes = 4096;
    const std::size_t bytes = least_growth(looks, &Usage::heap);
    const std::size_t heap = bytes < few_bytes ? 0 : bytes / rounds;
    // Pages come in larger pieces than allocations do: they count where there are many of them.
    constexpr std::size_t few_pages = std::size_t{2} << 20;
    const std::size_t half = looks.size() / 2;
    const std::array<Usage, 3> far_apart{looks.front(), looks[half], looks.back()};
    const std::size_t pages = least_growth(far_apart, &Usage::resident);
    const bool is_known = looks.front().heap > 0; // a sanitizer also keeps what was freed
    const bool many_pages = is_known && pages > few_pages;
    // A mapping of its own for each round: nothing else takes addresses between all looks.
    constexpr std::size_t few_addresses = std::size_t{1} << 19;
    const std::size_t mapped = least_growth(looks, &Usage::mapped);
    const bool many_mappings = is_known && mapped > few_addresses && mapped / rounds >= page_size();
    return std::max({heap < smallest ? 0 : heap, many_pages ? pages / (half * rounds) : 0,
                     many_mappings ? mapped / rounds : 0});
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

/// The life of an instance.
void live(Bench& bench, const Sentences& samples)
{
    bench.step("4.2", "create(), prepare(), batcher() and destroy()");
    const auto instance = bench.create_for(samples);
    (void)instance->encode(samples);
    if (!bench.texts().are_free())
        return;
    bench.step("10.3", "batcher([\"\"])"); // what it does there may leave something, too
    (void)instance->put_to_use(Sentences({std::string()}));
}

/// How often something was done, and by how much memory grew each time.
struct Growth {
    std::size_t times = 0;
    std::size_t bytes = 0;
};

/// Calls `body` 990 * `scale` times, or as often as time allows, and looks at memory between.
Growth watch_growth(Bench& bench, std::size_t scale, const std::function<void()>& body)
{
    constexpr std::size_t periods = 6;
    constexpr std::size_t longest = 165;
    const Seconds begin = bench.passed();
    const Seconds period = std::max(Seconds(0), bench.enough() - begin) / periods;
    std::vector<Usage> looks(1);
    std::size_t rounds = 0;
    for (; rounds < 1 || (rounds < longest * scale && bench.passed() < begin + period); ++rounds)
        body();
    looks.emplace_back();
    while (looks.size() < 3 || (looks.size() <= periods && bench.has_time())) {
        for (std::size_t round = 0; round < rounds; ++round)
            body();
        looks.emplace_back();
    }
    return {rounds * (looks.size() - 1), growth(looks, rounds)};
}

} // namespace

void try_repeated_life(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    live(bench, samples); // threads that a library keeps for all instances are there then
    const std::size_t threads = thread_count();
    live(bench, samples);
    bench.step("5.3", "create(), prepare(), batcher(), destroy(), and a while of nothing");
    if (!threads_return_to(threads)) {
        bench.broken("a thread goes on after destroy()");
        return;
    }
    bench.step("2.2", "create() and destroy(), again and again");
    // Of a slow encoder the two before have to do.
    for (int warming = 0; warming < 8 && (bench.has_time() || !(warming > 0 || bench.is_slow()));
         ++warming)
        bench.create_for(samples).reset();
    const std::size_t descriptors = open_descriptors();
    // With those before: 1000.
    const Growth found = watch_growth(bench, 1, [&] { bench.create().reset(); });
    if (found.times < 990)
        bench.in_part(fmt::format("{} of 1000 instances", found.times));
    if (open_descriptors() > descriptors)
        bench.broken(fmt::format("{} files are open after {} instances, and {} were before",
                                 open_descriptors(), found.times, descriptors));
    else if (found.bytes > 0)
        bench.broken(fmt::format("{} bytes of each instance are left, after {} of them",
                                 found.bytes, found.times));
}

void try_before_prepare(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    bench.step("9.2", "create() and destroy(), nothing between");
    if (!bench.is_slow()) // then that will be seen
        bench.create().reset();
    auto instance = bench.instance(); // in this process there has been none
    bench.step("9.2", "dimension() before prepare()");
    std::size_t cols = 0;
    if (!instance->dimension(cols).done() || cols == 0 || cols > (std::size_t{1} << 24))
        return;
    bench.step("9.2", "batcher() before prepare()");
    std::vector<float> memory(samples.size() * cols);
    senteval_matrix out{sizeof out, 0, memory.data(), samples.size(), cols, cols};
    (void)instance->batcher(samples, out);
}

namespace {

/// Whether there is time for instances of which nothing is needed but a comparison.
bool has_time_for_another(const Bench& bench)
{
    return !bench.is_slow() || bench.passed() < Seconds(1);
}

/// Whether what an instance answers can be compared with what another does: what draws at random, or counts its
/// batches, claims no determinism.
bool is_repeated(Bench& bench,
                 Instance& instance,
                 const Sentences& sentences,
                 const Vectors& expected)
{
    constexpr double rounding = 1e-5;
    return bench.claims(SENTEVAL_CAP_DETERMINISTIC) ||
           (has_time_for_another(bench) && bench.comes_again(instance, sentences, expected) &&
            distance(expected, bench.create_for(sentences)->encode(sentences)) <= rounding);
}

} // namespace

void try_prepare_again(Bench& bench)
{
    const auto& texts = bench.texts().ordinary();
    const Sentences all(texts);
    const Sentences some({texts[1], texts[3], texts[5]});
    bench.step("9.1", "prepare(A), batcher(A), prepare(B), batcher(B), prepare(A), batcher(A)");
    auto instance = bench.instance_for(some);
    const Vectors before = instance->encode(some);
    const bool repeats = is_repeated(bench, *instance, some, before);
    instance->ready_for(all);
    (void)instance->encode(all);
    const Vectors other = instance->encode(some);
    instance->ready_for(some);
    const Vectors after = instance->encode(some);
    if (repeats &&
        !bench.same(before, after, false, "after prepare() of other sentences and of these again"))
        return;
    if (repeats && has_time_for_another(bench)) {
        bench.step("9.1", "prepare(A), prepare(B), batcher(A)");
        if (!bench.same(bench.create_for(all)->encode(some), other, false, "without prepare(A)"))
            return;
    }

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
    const Sentences samples(bench.texts().ordinary());
    instance->ready_for(samples);
    (void)instance->encode(samples);
    bench.step("2.1", "batcher() after the text of prepare() has gone");
    std::vector<GuardedMemory> pages;
    std::vector<senteval_string> views;
    for (const std::string& text : bench.texts().ordinary()) {
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
    const Sentences samples(bench.texts().ordinary());
    bench.step("4.6", "batcher() after one that was cancelled");
    auto instance = bench.instance_for(samples);
    const Vectors before = instance->encode(samples);
    std::vector<float> memory(samples.size() * instance->cols());
    senteval_matrix out{sizeof out,      0, memory.data(), samples.size(), instance->cols(),
                        instance->cols()};
    CallOptions cancelled;
    cancelled.cancelled_after = Seconds(0);
    const Reply reply = instance->batcher(samples, out, cancelled);
    const Vectors after = instance->encode(samples);
    if (bench.claims(SENTEVAL_CAP_DETERMINISTIC))
        bench.same(before, after, false,
                   reply.done() ? "after another batch" : "after a cancelled batch");
    bench.step("4.6", "destroy() after a call that was cancelled");
    (void)instance->batcher(samples, out, cancelled);
    instance.reset();
    bench.forget_instance();
}

void try_memory(Bench& bench)
{
    const auto& texts = bench.texts().ordinary();
    const Sentences samples(texts);
    bench.step("2.3", "batcher(), again and again");
    auto instance = bench.instance_for(samples);
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
    constexpr std::size_t warming = 100;
    for (std::size_t i = 0; i < warming && bench.passed() < bench.enough() * 0.3; ++i)
        encode();
    const bool is_invariant = bench.claims(SENTEVAL_CAP_BATCH_INVARIANT);
    const Vectors before = is_invariant ? instance->encode(samples) : Vectors{};
    const Growth found = watch_growth(bench, 10, encode);
    if (found.times < 9900)
        bench.in_part(fmt::format("{} of 10000 batches", found.times));
    if (found.bytes > 0)
        bench.broken(fmt::format("memory grows by {} bytes with each batch, after {} of them",
                                 found.bytes, found.times));
    bench.step("9.3", fmt::format("dimension() after {} batches", found.times));
    std::size_t cols = 0;
    bench.require(instance->dimension(cols), "dimension()");
    if (cols != instance->cols())
        bench.broken(fmt::format("it is {}, and was {} before them", cols, instance->cols()));
    if (!is_invariant)
        return;
    bench.step("12.1", fmt::format("batcher({}), after {} others", samples.shown(), found.times));
    bench.same(before, instance->encode(samples), false, "before them");
}

} // namespace senteval::check
