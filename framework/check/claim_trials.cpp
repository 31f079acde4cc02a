// Claims, instances that are independent, threads, cancellation.
#include "check/trials.hpp"
#include "encoder/claims.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace senteval::check {
namespace {

/// Whether the same batches have the same vectors in both orders, also where those differ by little: each batch is
/// made of the same sentences every time, so that nothing is rounded differently.
bool is_order_irrelevant(Bench& bench)
{
    constexpr double equal = 1e-5; // sums of threads differ by as much
    const auto& texts = bench.texts().ordinary();
    bench.step("12.1", "the same batches in another order");
    std::vector<Sentences> batches;
    for (const std::size_t at : {0U, 3U})
        batches.emplace_back(std::vector{texts[at], texts[at + 1], texts[at + 2]});
    std::vector<Vectors> forward;
    for (const Sentences& batch : batches)
        forward.push_back(bench.main().encode(batch));
    for (std::size_t b = batches.size(); b-- > 0;) {
        const Vectors backward = bench.main().encode(batches[b]);
        if (difference(forward[b], backward).size <= equal)
            continue;
        // The order is not to blame where two in a row differ as well.
        const Vectors again = bench.main().encode(batches[b]);
        if (difference(again, bench.main().encode(batches[b])).size <= equal)
            return bench.same(forward[b], backward, "as in the first order", equal);
    }
    return true;
}

} // namespace

void try_batches(Bench& bench)
{
    auto texts = bench.texts().ordinary();
    if (bench.texts().are_free())
        texts.emplace_back();
    if (bench.expected() == nullptr || !is_order_irrelevant(bench))
        return;
    bench.step("12.1", "batcher() with one sentence at a time");
    std::vector<Vectors> alone;
    for (const std::string& text : texts)
        alone.push_back(bench.main().encode(Sentences({text})));
    const auto run = [&](const std::vector<std::size_t>& order) {
        std::vector<std::string> batch;
        Vectors expected{alone.front().dimension, {}};
        for (const std::size_t i : order) {
            const auto& row = alone[i % texts.size()].values;
            batch.push_back(texts[i % texts.size()]);
            expected.values.insert(expected.values.end(), row.begin(), row.end());
        }
        const Sentences samples(batch);
        bench.step("12.1", "batcher(" + samples.shown() + ")");
        if (!bench.same(expected, bench.main().encode(samples), "as the sentence has alone"))
            throw TrialEnded{};
    };
    run({0, 1}); // the smallest first: they say most
    run({2, 1, 0});
    run({0, 1, 0, 0});
    constexpr std::size_t many = 512; // more than the 128 that a run passes at once
    std::vector<std::size_t> order(bench.fitting(many));
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = order.size() - 1 - i;
    run(order);
    run({0});
}

/// An encoder that claims nothing of its batches may give a sentence alone another vector, but not that of another
/// sentence.
void try_order(Bench& bench)
{
    constexpr std::size_t of_a_task = 4096;
    constexpr std::size_t of_a_run = 128; // sentences that it passes at once
    Instance& instance = bench.main();
    const Sentences task(bench.texts().many(bench.fitting(of_a_task)));
    bench.step("10.1", fmt::format("prepare() with {} sentences", task.size()));
    instance.ready_for(task);
    for (const auto& texts :
         {bench.texts().ordinary(), bench.texts().many(bench.fitting(of_a_run))}) {
        const Sentences batch(texts);
        bench.step("11.6", "batcher(" + batch.shown() + ")");
        const Vectors together = instance.encode(batch);
        const arma::fmat rows(together.values.data(), together.dimension, texts.size());
        arma::fmat alone(arma::size(rows));
        for (std::size_t i = 0; i < texts.size(); ++i)
            alone.col(i) = arma::fvec(instance.encode(Sentences({texts[i]})).values);
        if (const auto wrong = encoder::misplaced_row(alone, rows))
            return bench.broken(fmt::format("the rows of a batch are those of its sentences alone, "
                                            "in another order: see {}",
                                            shown(texts[wrong->row])));
        if (const auto wrong = encoder::foreign_row(alone, rows))
            return bench.broken(fmt::format("{} was given the vector that {} has alone",
                                            shown(texts[wrong->row]), shown(texts[wrong->owner])));
    }
    instance.ready_for(Sentences(bench.texts().ordinary()));
    (void)bench.expected(); // else a row may be anybody's
}

// ---- Calls at the same time ----

namespace {

/// Small batches and one as large as a run's, and the vectors that the main instance has for each; as many as there is time for.
struct Batches {
    std::vector<Sentences> sentences;
    std::vector<Vectors> expected;

    explicit Batches(Bench& bench)
    {
        const auto& texts = bench.texts().ordinary();
        for (std::size_t b = 0; b < bench.fitting(texts.size()); ++b) {
            std::vector<std::string> batch;
            for (std::size_t i = b; i <= b + b % 4; ++i)
                batch.push_back(texts[i % texts.size()]);
            sentences.emplace_back(std::move(batch));
        }
        sentences.emplace_back(bench.texts().many(bench.fitting(128)));
        for (const Sentences& batch : sentences)
            expected.push_back(bench.main().encode(batch));
    }
};

/// Lets each instance, on a thread of its own, encode all batches again and again, until one gets other vectors
/// than expected or the time is over. Other vectors break the rule of the step. An instance may be there several
/// times.
void overlap(Bench& bench, const std::vector<Instance*>& instances, const Batches& batches)
{
    constexpr std::size_t most = 1000;
    std::atomic<bool> stop{false};
    std::mutex mutex; // of the problem
    std::exception_ptr problem;
    const auto encode_all = [&](Instance& instance, std::size_t first) {
        std::size_t at = 5 * first;
        repeat(most, [&] {
            at = (at + 1) % batches.sentences.size();
            if (stop)
                return;
            const Vectors found = instance.encode(batches.sentences[at], {.yields = true});
            const std::lock_guard lock(mutex);
            if (!stop && !bench.same(batches.expected[at], found,
                                     "as one by one, for " + batches.sentences[at].shown()))
                stop = true;
        });
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
}

/// An instance with the defaults of all parameters, if they go together.
std::unique_ptr<Instance> create_with_defaults(Bench& bench)
{
    const auto defaults = default_settings(bench);
    auto settings = bench.settings();
    settings.insert(settings.end(), defaults.begin(), defaults.end());
    std::unique_ptr<Instance> instance;
    bench.report().kept("8.3");
    if (bench.create(settings, instance).done())
        return instance;
    for (const encoder::Parameter& one : defaults) {
        settings = bench.settings();
        settings.push_back(one);
        if (const Reply reply = bench.create(settings, instance); reply.refused())
            bench.broken("8.3", fmt::format("the default of '{}' is refused: {}", one.key,
                                            told(reply.reason)));
    }
    return bench.create();
}

/// prepare() in every order, and text that has gone by the time of batcher().
void try_prepare(Bench& bench, Instance& instance, const Vectors* expected)
{
    const auto& texts = bench.texts().ordinary();
    const Sentences all(texts);
    const Sentences some({texts[1], texts[3], texts[5]});
    bench.step("2.1", "batcher() after the text of the parameters has gone");
    instance.ready_for(some);
    (void)instance.encode(some);
    if (bench.claims(SENTEVAL_CAP_PREPARE_IRRELEVANT) && expected != nullptr) {
        bench.step("12.4", "prepare() of a few sentences and of all");
        bench.same(*expected, instance.encode(all), "after prepare() of all");
    }
    bench.step("9.1", "prepare(A), prepare(B), batcher(B)");
    instance.ready_for(all);
    const Vectors found = instance.encode(all);
    if (expected != nullptr && !bench.same(*expected, found, "without prepare(A)"))
        throw TrialEnded{};
    bench.step("9.1", "prepare([]), prepare(A), batcher(A)");
    (void)instance.prepare(Sentences(std::vector<std::string>{}));
    instance.ready_for(some);
    (void)instance.encode(some);
    bench.step("2.1", "batcher() after the text of prepare() has gone");
    auto memory = guarded(texts);
    instance.ready_for(sentences_in(memory));
    for (GuardedMemory& text : memory)
        text.take_away();
    (void)instance.encode(some);
    instance.ready_for(all);
}

void try_before_prepare(Bench& bench, Instance& instance)
{
    constexpr std::size_t most = std::size_t{1} << 24;
    bench.step("9.2", "dimension() and batcher() before prepare()");
    const Sentences all(bench.texts().ordinary());
    std::size_t cols = 0;
    if (!instance.dimension(cols).done() || cols == 0 || cols > most)
        return;
    std::vector<float> memory(all.size() * cols);
    senteval_matrix out{sizeof out, 0, memory.data(), all.size(), cols, cols};
    (void)instance.batcher(all, out);
}

} // namespace

/// The second instance and a third one serve all rules that need one more: making one may take long.
void try_more_instances(Bench& bench)
{
    const auto& texts = bench.texts().ordinary();
    const Sentences some({texts[2], texts[4]});
    bench.step("5.1", "two instances");
    Instance& first = bench.main();
    const Vectors* const expected = bench.expected();
    const auto try_first = [&](std::string_view what) {
        bench.step("5.1", std::string(what));
        if (expected != nullptr && !bench.same(*expected, first.encode(Sentences(texts)),
                                               "before there was another instance"))
            throw TrialEnded{};
    };
    try {
        auto second = create_with_defaults(bench);
        try_prepare(bench, *second, expected);
        bench.step("5.1", "two instances");
        if (expected != nullptr)
            overlap(bench, {&first, second.get()}, Batches(bench));
        second->ready_for(some);
        (void)second->encode(some);
        try_first("an instance beside another one");
        bench.step("4.6", "destroy() after a call that was cancelled");
        (void)second->batcher(some, {.cancelled_after = Seconds(0)});
        second.reset();
        if (!bench.create(other_settings(bench, 0), second).done())
            second = bench.create();
        try_before_prepare(bench, *second);
        (void)second->prepare(some);
        try_first("an instance after one was destroyed, and one made with other parameters");
    } catch (const TooSlow& slow) {
        if (!bench.is_stuck(slow.call))
            throw;
        bench.broken("calls did not return until they were cancelled; those of one instance do");
    }
}

void try_concurrent_batches(Bench& bench)
{
    constexpr std::size_t threads = 2;
    bench.step("12.2", fmt::format("batcher() on {} threads at once", threads));
    if (bench.expected() != nullptr)
        overlap(bench, std::vector<Instance*>(threads, &bench.main()), Batches(bench));
}

// ---- Threads and cancellation ----

/// Threads that are busy on average while batches run. Threads that wait for a processor count: so this does not
/// depend on how many there are.
void try_thread_budget(Bench& bench)
{
    constexpr double more_than_one = 1.5; // one thread hands over to another now and then
    constexpr std::size_t looks_needed = 20;
    const Sentences samples(bench.texts().many(bench.fitting(128))); // that a run passes at once
    Instance& instance = bench.main();
    bench.step("5.4", "batcher() with thread_budget 1");
    std::atomic<std::size_t> looks{0};
    std::size_t busy = 0;
    {
        const std::jthread observer([&](const std::stop_token& stop) {
            const std::string own = std::to_string(gettid());
            while (!stop.stop_requested()) {
                busy += busy_threads(own);
                ++looks;
                std::this_thread::sleep_for(std::chrono::microseconds(500));
            }
        });
        repeat(1000, [&] { (void)instance.encode(samples); });
    }
    const double average = static_cast<double>(busy) / static_cast<double>(looks);
    if (looks >= looks_needed && average > more_than_one)
        bench.broken(fmt::format("{:.1f} threads were busy on average", average));
    if (threads().empty())
        bench.skip("the threads of the process cannot be listed");
    bench.step("4.2", "batcher() with thread_budget 4");
    const Vectors found = instance.encode(samples, {.thread_budget = 4});
    if (bench.claims(SENTEVAL_CAP_BATCH_INVARIANT))
        bench.same(instance.encode(samples), found, "with thread_budget 1", encoder::rounding,
                   "12.1");
}

/// Batches that grow until one takes long enough for it to be seen: an encoder that asks answers at every size.
void try_cancellation(Bench& bench)
{
    constexpr Seconds soon(0.1);
    constexpr Seconds slow(3); // three times what the rule says
    constexpr std::size_t most_floats = std::size_t{1} << 26;
    Instance& instance = bench.main();
    for (std::size_t rows = 8; rows <= 32768 && rows * instance.cols() <= most_floats; rows *= 8) {
        const Sentences batch(bench.texts().many(rows));
        bench.step("5.5", fmt::format("batcher() with {} sentences, cancelled after {} s", rows,
                                      soon.count()));
        const auto begin = Clock::now();
        (void)instance.batcher(batch, {.cancelled_after = soon});
        if (const Seconds more = Clock::now() - begin - soon; more > slow) {
            bench.broken(fmt::format("it went on for {:.1f} s", more.count()));
            return;
        }
    }
    instance.ready_for(
        Sentences(bench.texts().ordinary())); // a process that was cancelled begins anew
}

} // namespace senteval::check
