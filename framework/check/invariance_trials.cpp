// A row depends on its sentence only: rule 12.1.
#include "check/trials.hpp"

#include "check/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace senteval::check {
namespace {

/// The same batches in another order: what a row owes to earlier batches, however little that is. Each batch is
/// made of the same sentences every time, and each sentence is in one of them, so that nothing is rounded
/// differently.
class OrderTrial {
public:
    explicit OrderTrial(Bench& bench) : bench_(bench), samples_(bench.texts().ordinary())
    {
        const auto& texts = bench.texts().ordinary();
        const std::size_t size = bench.is_slow() ? 1 : 3;
        const std::size_t most = bench.is_slow() ? 2 : 4;
        for (std::size_t at = 0; at + size <= texts.size() && batches_.size() < most; at += size) {
            const auto begin = texts.begin() + static_cast<std::ptrdiff_t>(at);
            batches_.emplace_back(
                std::vector<std::string>(begin, begin + static_cast<std::ptrdiff_t>(size)));
        }
    }

    /// By two instances where the first makes it look so: what they do not have in common is not to be blamed
    /// on the order.
    void run()
    {
        bench_.step("12.1", "the same batches in another order");
        const Passes first = passes(*bench_.instance_for(samples_));
        if (apart(first.forward, first.backward).first <= equal)
            return;
        const Passes second = passes(*bench_.create_for(samples_));
        const double noise = std::max(apart(first.forward, second.forward).first,
                                      apart(first.backward, second.backward).first);
        const auto [least, batch] =
            std::min(apart(first.forward, first.backward), apart(second.forward, second.backward));
        if (least <= equal + 4 * noise)
            return;
        bench_.step("12.1", fmt::format("batcher({}), after other batches than before",
                                        batches_[batch].shown()));
        report(second.forward[batch], second.backward[batch]);
    }

private:
    /// Sums in another order differ by as much in single precision.
    static constexpr double equal = 1e-5;

    struct Passes {
        std::vector<Vectors> forward;
        std::vector<Vectors> backward;
    };

    /// Forward twice: before the second time all instances have the same behind them, others included.
    Passes passes(Instance& instance) const
    {
        Passes result;
        for (int pass = 0; pass < 2; ++pass) {
            result.forward.clear();
            for (const Sentences& batch : batches_)
                result.forward.push_back(instance.encode(batch));
        }
        result.backward.resize(batches_.size());
        for (std::size_t b = batches_.size(); b-- > 0;)
            result.backward[b] = instance.encode(batches_[b]);
        return result;
    }

    /// How far the vectors of a batch are apart at the most, and of which.
    static std::pair<double, std::size_t> apart(const std::vector<Vectors>& a,
                                                const std::vector<Vectors>& b)
    {
        std::pair<double, std::size_t> most{0, 0};
        for (std::size_t i = 0; i < a.size(); ++i)
            most = std::max(most, {distance(a[i], b[i]), i});
        return most;
    }

    void report(const Vectors& before, const Vectors& after)
    {
        std::size_t at = 0; // the element that differs most
        for (std::size_t k = 0; k < before.values.size(); ++k)
            if (std::abs(before.values[k] - after.values[k]) >
                std::abs(before.values[at] - after.values[at]))
                at = k;
        bench_.broken(fmt::format("element {} of row {} is {} in place of {}",
                                  at % before.dimension + 1, at / before.dimension + 1,
                                  after.values[at], before.values[at]));
        throw TrialEnded{};
    }

    Bench& bench_;
    Sentences samples_;
    std::vector<Sentences> batches_;
};

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

} // namespace

void try_batch_invariance(Bench& bench)
{
    OrderTrial(bench).run();
    try_small_batches(bench);
    try_large_batches(bench);
}

} // namespace senteval::check
