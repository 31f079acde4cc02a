// What an encoder claims of its vectors: rules of group 12.
#include "check/trials.hpp"

#include "check/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <thread>

namespace senteval::check {
namespace {

/// Encodes the sentences alone, one after the other, as many as there is time for.
Vectors alone(Instance& instance, std::span<const std::string> texts, Seconds enough)
{
    const OwnTime time;
    Vectors all{instance.cols(), {}};
    for (const std::string& text : texts) {
        const Vectors one = instance.encode(Sentences({text}));
        all.values.insert(all.values.end(), one.values.begin(), one.values.end());
        if (time.passed() > enough)
            break;
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

/// Texts that are encoded alone, and then in batches.
class InvarianceTrial {
public:
    /// Leaves texts out where encoding all of them alone takes longer.
    InvarianceTrial(Bench& bench, std::vector<std::string> texts, Seconds enough)
        : bench_(bench), texts_(std::move(texts)), instance_(bench.create())
    {
        bench_.step("12.1", "batcher() with one sentence at a time");
        instance_->ready_for(Sentences(texts_));
        expected_ = alone(*instance_, texts_, enough);
        texts_.resize(expected_.values.size() / expected_.dimension);
    }

    [[nodiscard]] std::size_t size() const noexcept { return texts_.size(); }

    /// Encodes the texts of these numbers as one batch and compares with each alone.
    void run(const std::string& how, const std::vector<std::size_t>& order)
    {
        const Sentences batch = batch_of(order);
        bench_.step("12.1", fmt::format("batcher({}), {}", batch.shown(), how));
        const Vectors wanted = reordered(expected_, order);
        const Vectors found = instance_->encode(batch);
        for (std::size_t row = 0; row < order.size(); ++row)
            if (difference(wanted.row(row), found.row(row), false) >= 0) {
                try {
                    show_shorter(order, row);
                } catch (const TooSlow&) { // this is no reason to keep it back
                }
                bench_.step("12.1", fmt::format("batcher({}), {}", batch.shown(), how));
                bench_.same(wanted, found, false, "as the sentence has alone");
                throw TrialEnded{};
            }
    }

    void run_alone_again()
    {
        bench_.step("12.1", "batcher() with one sentence, after other batches");
        if (!bench_.same(expected_, alone(*instance_, texts_, Seconds::max()), false,
                         "as before these batches"))
            throw TrialEnded{};
    }

private:
    [[nodiscard]] Sentences batch_of(std::span<const std::size_t> order) const
    {
        std::vector<std::string> texts;
        for (const std::size_t i : order)
            texts.push_back(texts_[i]);
        return Sentences(std::move(texts));
    }

    /// Looks for a batch of two that shows it, or for the first of these rows, which says more.
    void show_shorter(const std::vector<std::size_t>& order, std::size_t row)
    {
        constexpr std::size_t most_pairs = 12;
        for (std::size_t other = 0; other < std::min(order.size(), most_pairs); ++other) {
            show({order[row], order[other]}, 0);
            show({order[other], order[row]}, 1);
        }
        show({order.begin(), order.begin() + static_cast<std::ptrdiff_t>(row) + 1}, row);
    }

    /// Ends the trial where this row of this batch is not what the sentence has alone.
    void show(const std::vector<std::size_t>& order, std::size_t row)
    {
        const Sentences batch = batch_of(order);
        const Vectors found = instance_->encode(batch);
        const auto expected = expected_.row(order[row]);
        const auto at = difference(expected, found.row(row), false);
        if (at < 0)
            return;
        const auto k = static_cast<std::size_t>(at);
        bench_.step("12.1", "batcher(" + batch.shown() + ")");
        bench_.broken(
            fmt::format("element {} of row {}, the vector of {}, is {}; alone, the sentence has {}",
                        k + 1, row + 1, shown(batch[row]), found.row(row)[k], expected[k]));
        throw TrialEnded{};
    }

    Bench& bench_;
    std::vector<std::string> texts_;
    std::unique_ptr<Instance> instance_;
    Vectors expected_;
};

/// `count` numbers below `below`, from `begin` on and again from 0.
std::vector<std::size_t> numbers(std::size_t count, std::size_t below, std::size_t begin = 0)
{
    std::vector<std::size_t> order(count);
    for (std::size_t i = 0; i < count; ++i)
        order[i] = (begin + i) % below;
    return order;
}

/// Few texts in small batches.
void try_small_batches(Bench& bench)
{
    auto texts = bench.texts().ordinary();
    if (bench.texts().are_free())
        texts.emplace_back();
    InvarianceTrial trial(bench, std::move(texts), Seconds::max());
    auto order = numbers(trial.size(), trial.size());
    trial.run("all in one batch", order);
    std::reverse(order.begin(), order.end());
    trial.run("in another order", order);
    for (std::size_t at = 0; at + 3 <= order.size(); at += 3)
        trial.run("a part of them", {order[at], order[at + 1], order[at + 2]});
    trial.run("one of them twice", {order[0], order[1], order[0], order[0]});
    trial.run_alone_again();
}

/// Every row of batches as large as a run's, and larger, as far as there is time: of a slow encoder some of
/// the texts come again.
void try_large_batches(Bench& bench, const OwnTime& time)
{
    constexpr std::size_t many = 512;
    constexpr std::size_t of_a_run = 128;
    InvarianceTrial trial(bench, bench.texts().many(many), bench.limit() * 0.1);
    const std::size_t rows =
        std::max(trial.size(), std::min(of_a_run, 3 * trial.size())); // three times as long
    auto order = numbers(rows, trial.size());
    const Seconds before = time.passed();
    trial.run("all in one batch", order);
    const Seconds took = time.passed() - before;
    const auto is_time = [&] { return time.passed() + took < bench.limit() * 0.9; };
    std::reverse(order.begin(), order.end());
    if (is_time())
        trial.run("in another order", order);
    for (std::size_t at = of_a_run / 2; at < trial.size() && is_time(); at += of_a_run)
        trial.run("a part of them", numbers(std::min(of_a_run, rows), trial.size(), at));
}

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
    const OwnTime time;
    try_small_batches(bench);
    try_large_batches(bench, time);
}

void try_determinism(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    bench.step("12.3", "batcher(" + samples.shown() + ") again and again");
    auto instance = bench.create_for(samples);
    const Vectors expected = instance->encode(samples);
    constexpr int times = 128;
    const OwnTime time;
    for (int again = 0; again == 0 || (again < times && time.passed() < bench.limit() * 0.1);
         ++again)
        if (!bench.same(expected, instance->encode(samples), true, "the first time"))
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
    auto instance = bench.create_for(all);
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
