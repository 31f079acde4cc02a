// What an encoder claims of its vectors: rules of group 12.
#include "check/trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace senteval::check {
namespace {

/// Encodes every sentence alone, in the order given.
Vectors alone(Instance& instance, const std::vector<std::string>& texts)
{
    Vectors all{instance.cols(), {}};
    for (const std::string& text : texts) {
        const Vectors one = instance.encode(Sentences({text}));
        all.values.insert(all.values.end(), one.values.begin(), one.values.end());
    }
    return all;
}

/// The rows in another order: row i of the result is row order[i].
Vectors reordered(const Vectors& vectors, const std::vector<std::size_t>& order)
{
    Vectors result{vectors.dimension, {}};
    for (const std::size_t i : order) {
        const auto row = vectors.row(i);
        result.values.insert(result.values.end(), row.begin(), row.end());
    }
    return result;
}

class InvarianceTrial {
public:
    explicit InvarianceTrial(Bench& bench)
        : bench_(bench), texts_(bench.texts().ordinary()), instance_(bench.create())
    {
        if (bench.texts().are_free())
            texts_.emplace_back();
        instance_->ready_for(Sentences(texts_));
        expected_ = alone(*instance_, texts_);
    }

    [[nodiscard]] std::size_t size() const noexcept { return texts_.size(); }

    /// Encodes the texts of these numbers as one batch and compares with each alone.
    void run(const std::string& how, const std::vector<std::size_t>& order)
    {
        std::vector<std::string> texts;
        for (const std::size_t i : order)
            texts.push_back(texts_[i]);
        const Sentences batch(texts);
        bench_.step("12.1", fmt::format("batcher({}), {}", batch.shown(), how));
        const Vectors wanted = reordered(expected_, order);
        const Vectors found = instance_->encode(batch);
        for (std::size_t row = 0; row < order.size(); ++row)
            if (difference(wanted.row(row), found.row(row), false) >= 0) {
                show_shorter(order, row);
                bench_.same(wanted, found, false, "as the sentence has alone");
                throw TrialEnded{};
            }
    }

    void run_alone_again()
    {
        bench_.step("12.1", "batcher() with one sentence, after other batches");
        if (!bench_.same(expected_, alone(*instance_, texts_), false, "as before these batches"))
            throw TrialEnded{};
    }

private:
    /// Looks for a batch of two that shows it, which says more.
    void show_shorter(const std::vector<std::size_t>& order, std::size_t row)
    {
        for (const std::size_t other : order)
            for (const bool first : {true, false}) {
                const Sentences pair(first ? std::vector{texts_[order[row]], texts_[other]}
                                           : std::vector{texts_[other], texts_[order[row]]});
                const Vectors found = instance_->encode(pair);
                const std::size_t place = first ? 0 : 1;
                const auto at = difference(expected_.row(order[row]), found.row(place), false);
                if (at < 0)
                    continue;
                const auto k = static_cast<std::size_t>(at);
                bench_.step("12.1", "batcher(" + pair.shown() + ")");
                bench_.broken(fmt::format(
                    "element {} of the vector of {} is {}; alone, the sentence has {}", k + 1,
                    shown(texts_[order[row]]), found.row(place)[k], expected_.row(order[row])[k]));
                throw TrialEnded{};
            }
    }

    Bench& bench_;
    std::vector<std::string> texts_;
    std::unique_ptr<Instance> instance_;
    Vectors expected_;
};

/// Bits of every vector, as text that another process can be compared with.
core::Json bits_of(const Vectors& vectors)
{
    core::Json rows = core::Json::array();
    constexpr std::size_t most = 4096;
    for (std::size_t i = 0; i < std::min(vectors.values.size(), most); ++i)
        rows.push_back(static_cast<double>(vectors.values[i]));
    return rows;
}

} // namespace

void try_batch_invariance(Bench& bench)
{
    bench.step("12.1", "batcher() with one sentence at a time");
    InvarianceTrial trial(bench);
    std::vector<std::size_t> order(trial.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    trial.run("all in one batch", order);
    std::reverse(order.begin(), order.end());
    trial.run("in another order", order);
    for (std::size_t at = 0; at + 3 <= order.size(); at += 3)
        trial.run("a part of them", {order[at], order[at + 1], order[at + 2]});
    trial.run("one of them twice", {order[0], order[1], order[0], order[0]});
    trial.run_alone_again();
}

void try_determinism(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    bench.step("12.3", "batcher(" + samples.shown() + ") twice");
    auto instance = bench.create_for(samples);
    const Vectors expected = instance->encode(samples);
    bench.same(expected, instance->encode(samples), true, "the first time");
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
    auto instance = bench.create_for(all);
    const Vectors expected = instance->encode(some);
    instance->ready_for(some);
    bench.same(expected, instance->encode(some), false, "after prepare() of more sentences");
}

void try_irrelevant_parameters(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    bench.step("12.5", "batcher(" + samples.shown() + ")");
    const Vectors expected = bench.create_for(samples)->encode(samples);
    for (std::size_t p = 0; p < bench.encoder().param_count; ++p) {
        const senteval_param_spec& spec = *bench.encoder().params[p];
        if ((spec.flags & SENTEVAL_PARAM_NO_EFFECT) == 0 ||
            (spec.default_value.type != SENTEVAL_TYPE_BOOLEAN &&
             spec.default_value.type != SENTEVAL_TYPE_INTEGER))
            continue;
        Setting setting{spec.key, spec.default_value, {}};
        if (spec.default_value.type == SENTEVAL_TYPE_BOOLEAN)
            setting.value.as.boolean = 1 - setting.value.as.boolean;
        else
            setting.value.as.integer += 1;
        auto settings = bench.settings();
        std::erase_if(settings, [&](const Setting& one) { return one.key == spec.key; });
        settings.push_back(setting);
        bench.step("12.5", fmt::format("create() with another {}", spec.key));
        std::unique_ptr<Instance> instance;
        if (!bench.create(settings, instance).done())
            continue;
        instance->ready_for(samples);
        bench.same(expected, instance->encode(samples), false, "without it");
    }
}

} // namespace senteval::check
