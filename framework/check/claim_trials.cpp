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
        : bench_(bench), texts_(std::move(texts)), instance_(bench.instance())
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
    std::shared_ptr<Instance> instance_;
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

/// Texts of a slow encoder; ordinary() has as many, or one that is known comes again.
constexpr std::size_t few = 5;

/// Few texts in small batches.
void try_small_batches(Bench& bench)
{
    auto texts = bench.texts().ordinary();
    if (bench.is_slow() && texts.size() > few) // they are encoded alone, too
        texts.resize(few);
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

/// Every row of batches as large as a run's, and larger.
void try_many_texts(Bench& bench, InvarianceTrial& trial)
{
    constexpr std::size_t of_a_run = 128;
    auto order = numbers(trial.size(), trial.size());
    const Seconds before = bench.passed();
    trial.run("all in one batch", order);
    const Seconds took = bench.passed() - before;
    const auto is_time = [&] { return bench.passed() + took < bench.most() * 0.5; };
    std::reverse(order.begin(), order.end());
    if (is_time())
        trial.run("in another order", order);
    for (std::size_t at = of_a_run / 2; at < trial.size() && is_time(); at += of_a_run)
        trial.run("a part of them", numbers(std::min(of_a_run, trial.size()), trial.size(), at));
}

/// The same of a slow encoder: a few short texts, again and again, in batches as large as there is time for.
void try_few_texts(Bench& bench, std::size_t most_rows)
{
    auto texts = bench.texts().ordinary();
    std::ranges::stable_sort(texts, {}, &std::string::size);
    texts.resize(std::min(few, texts.size()));
    InvarianceTrial trial(bench, std::move(texts), Seconds::max());
    constexpr std::size_t steps = 4;
    std::size_t tried = 0;
    Seconds next(0); // that the next batch is going to take
    for (std::size_t rows = most_rows / (steps * steps);
         rows <= most_rows && (tried == 0 || bench.passed() + next < bench.most() * 0.4);
         rows *= steps) {
        const Seconds before = bench.passed();
        trial.run("again and again in one batch", numbers(rows, trial.size()));
        next = (bench.passed() - before) * static_cast<double>(steps);
        tried = rows;
    }
    if (tried < most_rows)
        bench.in_part(fmt::format("batches of up to {} of {} sentences", tried, most_rows));
}

void try_large_batches(Bench& bench)
{
    constexpr std::size_t many = 512;
    if (!bench.is_slow()) {
        const Seconds left = bench.enough() - bench.passed();
        InvarianceTrial trial(bench, bench.texts().many(many), left * 0.25);
        try_many_texts(bench, trial);
        if (trial.size() == many)
            return;
    }
    try_few_texts(bench, many);
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

void try_batch_invariance(Bench& bench)
{
    try_small_batches(bench);
    try_large_batches(bench);
}

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
