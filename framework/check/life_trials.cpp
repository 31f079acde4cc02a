// An ordinary run, the same again, failed calls, memory that is not given back.
#include "check/trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <thread>

namespace senteval::check {
namespace {

/// What the instance says of itself, asked for as a run does, before everything else: its claims, and a hash of what it
/// states.
base::Json told_by(Bench& bench, Instance& instance)
{
    const senteval_encoder& encoder = bench.encoder();
    std::uint32_t claims = encoder.capabilities;
    std::size_t stated = 0;
    if (encoder.get_extension != nullptr) {
        bench.step("13.1", "get_extension() after create()");
        encoder::Extensions extensions;
        bench.call_plain("get_extension()", [&] { extensions = encoder::extensions_of(encoder); });
        bench.step("13.3", "the identity's state(), ignores_prepare() and capabilities()");
        if (extensions.state != nullptr)
            stated = hash_of(state_of(bench, instance, extensions));
        bench.call_plain("capabilities()",
                         [&] { claims = encoder::claims_of(encoder, extensions, instance.raw()); });
    }
    return {{"claims", claims}, {"stated", stated}};
}

/// Whether there are no more threads than this, now or soon: threads end a moment after they are joined.
bool threads_return_to(std::size_t count, Seconds patience)
{
    const auto end = Clock::now() + patience;
    while (threads().size() > count && Clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return threads().size() <= count;
}

/// Rule 5.3, after the life of a first instance. Threads that a library keeps for all instances are there by then.
void try_threads_end(Bench& bench, std::size_t threads_before, const Sentences& samples)
{
    bench.step("5.3", "create(), prepare(), batcher(), destroy(), and a while of nothing");
    if (threads_before == 0 || threads().empty())
        return bench.skip("the threads of the process cannot be listed");
    if (threads_return_to(threads_before, Seconds(0.2)))
        return;
    const std::size_t after_one = threads().size();
    auto instance = bench.create_for(samples);
    (void)instance->encode(samples);
    instance.reset();
    if (!threads_return_to(after_one, Seconds(3)))
        bench.broken("a thread goes on after destroy()");
}

/// The number of times that a body ran, and the bytes of each time that are left.
struct Growth {
    std::size_t times = 0;
    std::size_t bytes = 0;
};

/// Memory that grows in both of two periods grows for ever: what is kept of the first times for later ones does not
/// count.
Growth growth_of(std::size_t most, const std::function<void()>& body)
{
    constexpr std::size_t few = 4096; // bytes that come and go with buffers
    constexpr std::size_t periods = 2;
    std::size_t times = most;
    std::size_t least = SIZE_MAX;
    for (std::size_t i = 0; i < periods; ++i) {
        const std::size_t before = heap_bytes();
        times = repeat(times, body, i == 0 ? a_while : Seconds::max());
        least = std::min(least, std::max(heap_bytes(), before) - before);
    }
    return {times * periods, least > few ? least / times : 0};
}

} // namespace

void try_ordinary_run(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    const std::size_t threads_before = threads().size();
    bench.step("4.2", "create()");
    std::unique_ptr<Instance> instance;
    const Reply reply = bench.create(bench.settings(), instance);
    if (reply.refused()) {
        if (!reply.refused_a_value())
            bench.broken("8.5", reply.failure());
        bench.report().stop((reply.status == SENTEVAL_NOT_FOUND
                                 ? "create() does not find what it needs: "
                                 : "create() refuses the parameters: ") +
                            told(reply.reason));
        return;
    }
    if (!reply.done())
        return;
    base::Json result = told_by(bench, *instance);
    bench.step("4.2", "prepare(" + samples.shown() + ") and dimension()");
    const Reply prepared = instance->prepare(samples);
    if (prepared.refused() && prepared.status != SENTEVAL_INTERNAL) {
        bench.report().stop(
            "prepare() refuses the sentences that are tried (--sentences FILE names "
            "those that it has vectors for): " +
            told(prepared.reason));
        return;
    }
    instance->ready_for(samples);
    bench.step("4.2", "batcher(" + samples.shown() + ")");
    result["hash"] = hash_of(instance->encode(samples));
    bench.report().result(std::move(result));
    std::size_t again = 0;
    bench.require(instance->dimension(again), "dimension()");
    if (again != instance->cols())
        bench.broken("9.3", fmt::format("the dimension is {} after a batch, and was {} before",
                                        again, instance->cols()));
    const Sentences one({bench.texts().ordinary().front()});
    bench.step("4.2", "batcher(" + one.shown() + ")");
    (void)instance->encode(one);
    bench.step("4.2", "prepare() for a task whose language is not known");
    (void)instance->prepare(samples, nullptr);
    bench.step("4.2", "destroy()");
    instance.reset();
    try_threads_end(bench, threads_before, samples);
}

void try_determinism(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    const std::string call = "batcher(" + samples.shown() + ")";
    Instance& instance = bench.main();
    bench.step("12.3", call + " in two processes");
    const Vectors& first = bench.first();
    if (bench.encode_of_role() == nullptr && hash_of(first) != bench.elsewhere().hash)
        bench.broken("the vectors are others");
    bench.step("12.3", call + " again and again");
    repeat(128, [&] {
        if (!bench.same(first, instance.encode(samples), "the first time", 0))
            throw TrialEnded{};
    });
    bench.step("12.3", call + " on another thread");
    std::optional<Vectors> elsewhere;
    std::exception_ptr problem;
    std::thread([&] {
        try {
            elsewhere = instance.encode(samples);
        } catch (...) {
            problem = std::current_exception();
        }
    }).join();
    if (problem)
        std::rethrow_exception(problem);
    bench.same(first, *elsewhere, "on the first thread", 0);
}

void try_repetition(Bench& bench)
{
    const Vectors& first = bench.first();
    bench.step("12.1", "batcher(" + Sentences(bench.texts().ordinary()).shown() + ") twice");
    bench.same(first, bench.second(), "the first time");
}

void try_failed_call(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    Instance& instance = bench.main();
    bench.step("4.6", "batcher() after one that was cancelled");
    (void)instance.batcher(samples, {.cancelled_after = Seconds(0)});
    const Vectors after = instance.encode(samples);
    if (const Vectors* const expected = bench.expected())
        bench.same(*expected, after, "before a cancelled batch");
}

void try_many_batches(Bench& bench)
{
    const auto& texts = bench.texts().ordinary();
    constexpr std::size_t most = 2000;
    Instance& instance = bench.main();
    bench.step("2.3", "batcher(), again and again");
    std::vector<Sentences> batches;
    for (std::size_t i = 0; i + 1 < texts.size(); ++i)
        batches.emplace_back(std::vector<std::string>{texts[i], texts[i + 1]});
    std::vector<Vectors> first(batches.size());
    std::size_t next = 0;
    const Growth found = growth_of(most, [&] {
        const std::size_t b = next++ % batches.size();
        Vectors vectors = instance.encode(batches[b]);
        if (first[b].values.empty())
            first[b] = std::move(vectors);
        else if (bench.claims(SENTEVAL_CAP_BATCH_INVARIANT) &&
                 !bench.same(first[b], vectors, "the first time", encoder::rounding, "12.1"))
            throw TrialEnded{};
    });
    if (found.bytes > 0)
        bench.broken(fmt::format("memory grows by {} bytes with each batch, after {} of them",
                                 found.bytes, found.times));
    bench.step("9.3", fmt::format("dimension() after {} batches", found.times));
    std::size_t cols = 0;
    bench.require(instance.dimension(cols), "dimension()");
    if (cols != instance.cols())
        bench.broken(fmt::format("it is {}, and was {} before them", cols, instance.cols()));
}

void try_many_instances(Bench& bench)
{
    (void)bench.main(); // files that a library keeps open are open by now
    bench.step("2.2", "create() and destroy(), again and again");
    constexpr std::size_t most = 200;
    const std::size_t files = open_descriptors();
    const Growth found = growth_of(most, [&] { bench.create().reset(); });
    if (files == 0)
        bench.skip("the open files of the process cannot be listed");
    else if (open_descriptors() > files)
        bench.broken(fmt::format("{} files are open after {} instances, and {} were before",
                                 open_descriptors(), found.times, files));
    else if (found.bytes > 0)
        bench.broken(fmt::format("{} bytes of each instance are left, after {} of them",
                                 found.bytes, found.times));
}

} // namespace senteval::check
