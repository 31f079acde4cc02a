// What an encoder claims of its vectors: rules of group 12 (of batches: invariance_trials.cpp).
#include "check/trials.hpp"

#include "check/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <thread>

namespace senteval::check {
namespace {

/// Bits of every vector, as text that another process can be compared with.
core::Json bits_of(const Vectors& vectors)
{
    core::Json rows = core::Json::array();
    constexpr std::size_t most = 4096;
    for (std::size_t i = 0; i < std::min(vectors.values.size(), most); ++i)
        rows.push_back(static_cast<double>(vectors.values[i]));
    return rows;
}

/// Again and again: of a slow encoder, soon the shortest sentence only.
bool comes_always(Bench& bench,
                  Instance& instance,
                  const Sentences& samples,
                  const Vectors& expected)
{
    constexpr int times = 128;
    const auto& texts = bench.texts().ordinary();
    const Sentences shortest({*std::ranges::min_element(texts, {}, &std::string::size)});
    const Vectors of_shortest = instance.encode(shortest);
    int again = 0;
    for (; again == 0 || (again < times && bench.has_time()); ++again) {
        const bool is_early = again == 0 || bench.passed() < bench.enough() * 0.5;
        bench.step("12.3", fmt::format("batcher({}) again and again",
                                       (is_early ? samples : shortest).shown()));
        if (!(is_early
                  ? bench.same(expected, instance.encode(samples), true, "the first time")
                  : bench.same(of_shortest, instance.encode(shortest), true, "the first time")))
            return false;
    }
    if (again < times)
        bench.in_part(fmt::format("{} of {} times", again, times));
    return true;
}

} // namespace

void try_determinism(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    bench.step("12.3", "batcher(" + samples.shown() + ") again and again");
    auto instance = bench.create_for(samples);
    const Vectors expected = instance->encode(samples);
    if (bench.is_again()) {
        bench.step("12.3", "batcher(" + samples.shown() + ") in another process");
        bench.reporter().result(bits_of(expected));
        return;
    }
    if (!comes_always(bench, *instance, samples, expected))
        return;
    bench.step("12.3", "batcher(" + samples.shown() + ") on another thread");
    Vectors found = expected;
    std::exception_ptr problem;
    std::thread([&] {
        try {
            found = instance->encode(samples);
        } catch (...) {
            problem = std::current_exception();
        }
    }).join();
    if (problem)
        std::rethrow_exception(problem);
    bench.same(expected, found, true, "on the first thread");
    bench.step("12.3", "batcher(" + samples.shown() + ") of another instance");
    auto other = bench.create_for(samples);
    bench.same(expected, other->encode(samples), true, "of the first instance");
    bench.step("12.3", "batcher(" + samples.shown() + ") in another process");
    bench.reporter().result(bits_of(expected));
}

void try_irrelevant_prepare(Bench& bench)
{
    const auto& texts = bench.texts().ordinary();
    const Sentences all(texts);
    const Sentences some({texts[1], texts[3]});
    bench.step("12.4", "prepare(" + all.shown() + ") and prepare(" + some.shown() + ")");
    auto instance = bench.instance_for(all);
    const Vectors expected = instance->encode(some);
    if (!bench.comes_again(*instance, some, expected))
        return;
    instance->ready_for(some);
    bench.same(expected, instance->encode(some), false, "after prepare() of more sentences");
}

void try_irrelevant_parameters(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    bench.step("12.5", "batcher(" + samples.shown() + ")");
    const Vectors expected = bench.instance_for(samples)->encode(samples);
    for (std::size_t p = 0; p < bench.encoder().param_count; ++p) {
        const senteval_param_spec& spec = *bench.encoder().params[p];
        const auto setting = another_value(spec);
        if ((spec.flags & SENTEVAL_PARAM_NO_EFFECT) == 0 || !setting ||
            spec.default_value.type == SENTEVAL_TYPE_REAL)
            continue;
        auto settings = bench.settings();
        std::erase_if(settings, [&](const Setting& one) { return one.key == spec.key; });
        settings.push_back(*setting);
        bench.step("12.5", fmt::format("create() with another {}", spec.key));
        std::unique_ptr<Instance> instance;
        if (!bench.create(settings, instance).done())
            continue;
        instance->ready_for(samples);
        bench.same(expected, instance->encode(samples), false, "without it");
    }
}

} // namespace senteval::check
