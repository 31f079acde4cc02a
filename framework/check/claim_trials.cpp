// What an encoder claims of its vectors: rules of group 12.
#include "check/trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

namespace senteval::check {
namespace {

/// Bits of every vector, as numbers that another process can be compared with.
core::Json bits_of(const Vectors& vectors)
{
    constexpr std::size_t most = 4096;
    core::Json numbers = core::Json::array();
    for (std::size_t i = 0; i < std::min(vectors.values.size(), most); ++i)
        numbers.push_back(static_cast<double>(vectors.values[i]));
    return numbers;
}

Vectors on_another_thread(Instance& instance, const Sentences& samples)
{
    Vectors found;
    std::exception_ptr problem;
    std::thread([&] {
        try {
            found = instance.encode(samples);
        } catch (...) {
            problem = std::current_exception();
        }
    }).join();
    if (problem)
        std::rethrow_exception(problem);
    return found;
}

} // namespace

void try_determinism(Bench& bench)
{
    constexpr int times = 128;
    const Sentences samples(bench.texts().ordinary());
    const std::string call = "batcher(" + samples.shown() + ")";
    bench.step("12.3", call + " again and again");
    auto instance = bench.create_for(samples);
    const Vectors expected = instance->encode(samples);
    bench.report().result(bits_of(expected));
    for (int time = 0; time < times && (time == 0 || bench.has_time()); ++time)
        if (!bench.same(expected, instance->encode(samples), true, "the first time"))
            return;
    bench.step("12.3", call + " on another thread");
    bench.same(expected, on_another_thread(*instance, samples), true, "on the first thread");
    bench.step("12.3", call + " of another instance");
    auto other = bench.create_for(samples);
    bench.same(expected, other->encode(samples), true, "of the first instance");
}

namespace {

/// The same batches in one order and the other, where all instances have the same behind them.
struct Passes {
    std::vector<Vectors> forward;
    std::vector<Vectors> backward;

    Passes(Instance& instance, const std::vector<Sentences>& batches) : backward(batches.size())
    {
        for (int pass = 0; pass < 2; ++pass) {
            forward.clear();
            for (const Sentences& batch : batches)
                forward.push_back(instance.encode(batch));
        }
        for (std::size_t b = batches.size(); b-- > 0;)
            backward[b] = instance.encode(batches[b]);
    }
};

/// How far the vectors of a batch are apart at the most, and of which.
std::pair<double, std::size_t> apart(const std::vector<Vectors>& a, const std::vector<Vectors>& b)
{
    std::pair<double, std::size_t> most{0, 0};
    for (std::size_t i = 0; i < a.size(); ++i)
        most = std::max(most, {distance(a[i], b[i]), i});
    return most;
}

} // namespace

/// What a row owes to earlier batches, however little that is: each batch is made of the same sentences every
/// time, so that nothing is rounded differently. What two instances do not have in common is not to be blamed on
/// the order.
void try_order(Bench& bench)
{
    constexpr double equal = 1e-5; // sums in another order differ by as much
    const auto& texts = bench.texts().ordinary();
    std::vector<Sentences> batches;
    for (std::size_t at = 0; at + 3 <= texts.size(); at += 3)
        batches.emplace_back(std::vector{texts[at], texts[at + 1], texts[at + 2]});
    const Sentences samples(texts);
    bench.step("12.1", "the same batches in another order");
    const Passes first(*bench.create_for(samples), batches);
    if (apart(first.forward, first.backward).first <= equal)
        return;
    const Passes second(*bench.create_for(samples), batches);
    const double noise = std::max(apart(first.forward, second.forward).first,
                                  apart(first.backward, second.backward).first);
    const auto [least, batch] =
        std::min(apart(first.forward, first.backward), apart(second.forward, second.backward));
    if (least > equal + 4 * noise)
        bench.broken(fmt::format("the vectors of {} differ by {:.2g} of their largest element",
                                 batches[batch].shown(), least));
}

void try_batches(Bench& bench)
{
    constexpr std::size_t many = 512; // more than the 128 that a run passes at once
    auto texts = bench.texts().ordinary();
    if (bench.texts().are_free())
        texts.emplace_back();
    for (std::string& text : bench.texts().many(64))
        texts.push_back(std::move(text));
    bench.step("12.1", "batcher() with one sentence at a time");
    auto instance = bench.create_for(Sentences(texts));
    Vectors alone{instance->cols(), {}};
    std::size_t count = 0;
    const auto encode_alone = [&](std::size_t i) {
        return instance->encode(Sentences({texts[i]}));
    };
    for (; count < texts.size() && (count < 3 || bench.has_time()); ++count) {
        const Vectors one = encode_alone(count);
        alone.values.insert(alone.values.end(), one.values.begin(), one.values.end());
    }
    const auto run = [&](const std::vector<std::size_t>& order) {
        std::vector<std::string> batch;
        Vectors expected{alone.dimension, {}};
        for (const std::size_t i : order) {
            batch.push_back(texts[i % count]);
            const auto row = alone.row(i % count);
            expected.values.insert(expected.values.end(), row.begin(), row.end());
        }
        const Sentences samples(batch);
        bench.step("12.1", "batcher(" + samples.shown() + ")");
        if (!bench.same(expected, instance->encode(samples), false, "as the sentence has alone"))
            throw TrialEnded{};
    };
    run({0, 1}); // the smallest first: they say most
    run({2, 1, 0});
    run({0, 1, 0, 0});
    for (const std::size_t rows : {count, many}) {
        std::vector<std::size_t> order(rows);
        for (std::size_t i = 0; i < rows; ++i)
            order[i] = i;
        run(order);
        std::ranges::reverse(order);
        run(order);
    }
    bench.step("12.1", "batcher() with one sentence, after other batches");
    const Vectors again = encode_alone(0);
    bench.same({alone.dimension, {alone.row(0).begin(), alone.row(0).end()}}, again, false,
               "as before these batches");
}

void try_irrelevant_prepare(Bench& bench)
{
    const auto& texts = bench.texts().ordinary();
    const Sentences all(texts);
    const Sentences some({texts[1], texts[3]});
    bench.step("12.4", "prepare(" + all.shown() + ") and prepare(" + some.shown() + ")");
    auto instance = bench.create_for(all);
    const Vectors expected = instance->encode(some);
    if (!bench.comes_again(*instance, some, expected))
        return;
    instance->ready_for(some);
    bench.same(expected, instance->encode(some), false, "after prepare() of more sentences");
}

} // namespace senteval::check
