// Instances that come and go, prepare() in every order, calls that fail, memory that is not given back.
#include "check/trials.hpp"

#include <fmt/format.h>

#include <sys/mman.h>

#include <algorithm>
#include <thread>

namespace senteval::check {
namespace {

/// How often something was done, and how many bytes of it were left each time.
struct Growth {
    std::size_t times = 0;
    std::size_t bytes = 0;
};

/// Does it in four periods, of up to `most` times each. Memory that grows in each period grows for ever: what
/// is kept of the first times for later ones does not count, nor does a table that is made larger now and then.
Growth growth_of(const Bench& bench, std::size_t most, const std::function<void()>& body)
{
    constexpr std::size_t few_of_heap = 4096; // bytes that come and go with buffers
    constexpr std::size_t few_mapped = std::size_t{1} << 19U;
    constexpr int periods = 4;
    std::size_t times = 0;
    const auto begin = Clock::now();
    do // as often as there is time for
        body();
    while (++times < most && bench.has_time() && Clock::now() - begin < Seconds(1));
    std::size_t heap = SIZE_MAX;
    std::size_t mapped = SIZE_MAX;
    for (int period = 0; period < periods; ++period) {
        const std::size_t heap_before = heap_bytes();
        const std::size_t mapped_before = mapped_bytes();
        for (std::size_t i = 0; i < times; ++i)
            body();
        heap = std::min(heap, std::max(heap_bytes(), heap_before) - heap_before);
        mapped = std::min(mapped, std::max(mapped_bytes(), mapped_before) - mapped_before);
    }
    return {times * (periods + 1), std::max(heap > few_of_heap ? heap / times : 0,
                                            mapped > few_mapped ? mapped / times : 0)};
}

/// Threads end a moment after they are joined.
bool threads_return_to(std::size_t count)
{
    const auto end = Clock::now() + std::chrono::seconds(3);
    while (threads().size() > count && Clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return threads().size() <= count;
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

/// Encodes into memory that nobody looks at.
Reply encode(Instance& instance, const Sentences& batch, const CallOptions& options = {})
{
    std::vector<float> memory(batch.size() * instance.cols());
    senteval_matrix out{sizeof out,     0, memory.data(), batch.size(), instance.cols(),
                        instance.cols()};
    return instance.batcher(batch, out, options);
}

} // namespace

void try_threads_end(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    live(bench, samples); // threads that a library keeps for all instances are there then
    const std::size_t before = threads().size();
    live(bench, samples);
    bench.step("5.3", "create(), prepare(), batcher(), destroy(), and a while of nothing");
    if (!threads_return_to(before))
        bench.broken("a thread goes on after destroy()");
}

void try_many_instances(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    constexpr int warming = 8;
    constexpr std::size_t most = 200;
    bench.step("2.2", "create() and destroy(), again and again");
    for (int i = 0; i < warming && (i == 0 || bench.has_time()); ++i)
        bench.create_for(samples).reset();
    const std::size_t files = open_descriptors();
    const std::size_t threads_before = threads().size();
    const Growth found = growth_of(bench, most, [&] { bench.create().reset(); });
    if (threads().size() > threads_before)
        bench.broken("5.3", "threads are left");
    else if (open_descriptors() > files)
        bench.broken(fmt::format("{} files are open after {} instances, and {} were before",
                                 open_descriptors(), found.times, files));
    else if (found.bytes > 0)
        bench.broken(fmt::format("{} bytes of each instance are left, after {} of them",
                                 found.bytes, found.times));
}

void try_before_prepare(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
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
    const auto& texts = bench.texts().ordinary();
    const Sentences all(texts);
    const Sentences some({texts[1], texts[3], texts[5]});
    constexpr double rounding = 1e-5;
    bench.step("9.1", "prepare(A), batcher(A), prepare(B), batcher(B), prepare(A), batcher(A)");
    auto instance = bench.create_for(some);
    const Vectors before = instance->encode(some);
    // What draws at random, or counts its batches, claims no determinism: it cannot be compared.
    const bool repeats = bench.claims(SENTEVAL_CAP_DETERMINISTIC) ||
                         (bench.comes_again(*instance, some, before) &&
                          distance(before, bench.create_for(some)->encode(some)) <= rounding);
    instance->ready_for(all);
    (void)instance->encode(all);
    const Vectors other = instance->encode(some);
    instance->ready_for(some);
    const Vectors after = instance->encode(some);
    if (repeats &&
        !bench.same(before, after, false, "after prepare() of other sentences and of these again"))
        return;
    if (repeats) {
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
        views.push_back(pages.emplace_back(text + '\0').view());
        --views.back().size;
    }
    const Sentences there(views);
    instance->ready_for(there);
    (void)instance->encode(there);
    for (GuardedMemory& page : pages)
        page.protect(PROT_NONE);
    (void)instance->encode(samples);
    instance->ready_for(samples);
    (void)instance->encode(samples);
}

void try_failed_call(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    bench.step("4.6", "batcher() after one that was cancelled");
    auto instance = bench.create_for(samples);
    const Vectors before = instance->encode(samples);
    const CallOptions cancelled{.cancelled_after = Seconds(0)};
    (void)encode(*instance, samples, cancelled);
    const Vectors after = instance->encode(samples);
    if (bench.claims(SENTEVAL_CAP_DETERMINISTIC))
        bench.same(before, after, false, "after a cancelled batch");
    bench.step("4.6", "destroy() after a call that was cancelled");
    (void)encode(*instance, samples, cancelled);
    instance.reset();
}

void try_many_batches(Bench& bench)
{
    const auto& texts = bench.texts().ordinary();
    const Sentences samples(texts);
    constexpr std::size_t most = 2000;
    bench.step("2.3", "batcher(), again and again");
    auto instance = bench.create_for(samples);
    std::vector<Sentences> batches;
    for (std::size_t i = 0; i + 1 < texts.size(); ++i)
        batches.emplace_back(std::vector<std::string>{texts[i], texts[i + 1]});
    std::size_t next = 0;
    const auto body = [&] {
        bench.require_of_text(encode(*instance, batches[next++ % batches.size()]), "batcher()");
    };
    const bool is_invariant = bench.claims(SENTEVAL_CAP_BATCH_INVARIANT);
    const Vectors before = is_invariant ? instance->encode(samples) : Vectors{};
    const Growth found = growth_of(bench, most, body);
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
