#include "encoder/claims.hpp"

#include <senteval/encoder.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::encoder {
namespace {

constexpr double near = 1e-2; // half precision, and sums in another order

std::span<const float> column(const arma::fmat& vectors, std::size_t number)
{
    return {vectors.colptr(number), vectors.n_rows};
}

/// The column of `others` that `vector` is: `own`, else the nearest that is not taken; none where none is near.
std::optional<std::size_t> place_of(std::span<const float> vector,
                                    const arma::fmat& others,
                                    std::size_t own,
                                    const std::vector<bool>& is_taken)
{
    std::vector<double> apart(others.n_cols, std::numeric_limits<double>::infinity());
    for (std::size_t i = 0; i < apart.size(); ++i)
        if (!is_taken[i])
            apart[i] = difference(vector, column(others, i)).size;
    if (apart[own] <= near)
        return own;
    const auto nearest = std::ranges::min_element(apart);
    return *nearest <= near ? std::optional(nearest - apart.begin()) : std::nullopt;
}

bool are_equal(const arma::fmat& rows)
{
    for (std::size_t i = 1; i < rows.n_cols; ++i)
        if (!std::ranges::equal(column(rows, i), column(rows, 0)))
            return false;
    return rows.n_cols > 1;
}

/// Encodes some of the sentences again.
class RowCheck {
public:
    using Slots = std::span<const Slot>;

    RowCheck(Encoder& encoder, const Encoded& encoded, const CallContext& context)
        : encoder_(encoder), encoded_(encoded), context_(context)
    {
    }

    void try_claims()
    {
        const std::size_t size = encoded_.slots.size();
        if (size < fewest)
            return;
        const Capabilities can = encoder_.capabilities();
        const Slots batch = batch_of(encoded_.slots[size / 2]);
        if (can.batch_invariant) {
            // A part of one batch, of one sentence of 64: a race often spoils one row of it only.
            if (can.concurrent && encoded_.overlapped)
                compare(batch.first(std::min(batch.size(), std::max(size / 64, fewest))),
                        "in a part of the same batch, by itself");
            auto sample = choose();
            for (std::size_t i = sample.size() / 2; i < sample.size(); ++i)
                compare({&sample[i], 1}, "alone");
            std::ranges::reverse(sample);
            compare(sample, "in another order");
        } else if (can.concurrent && can.deterministic && encoded_.overlapped) {
            compare(batch, "in the same batch, by itself");
        }
    }

    void try_order(std::size_t number, Slots task)
    {
        const arma::fmat rows = rows_of(encoded_.slots);
        const arma::fmat alone = encode(encoded_.slots.subspan(number, 1));
        const auto place = place_of(column(alone, 0), rows, number, std::vector<bool>(rows.n_cols));
        if (place ? *place != number : are_equal(rows))
            require_order(encoded_.slots);
        if (difference(column(alone, 0), vector(encoded_.slots[number])).size > near)
            require_own(encoded_.slots[number], column(alone, 0), task);
    }

private:
    static constexpr std::size_t fewest = 8; ///< sentences of which some are encoded again

    /// Sentences from the first, which is the shortest, to the last, which is the longest: padding and a cold start
    /// are seen there. Few where they are long.
    [[nodiscard]] std::vector<Slot> choose() const
    {
        constexpr std::size_t share = 512;
        constexpr std::size_t least = 2;
        constexpr std::size_t most = 8;
        constexpr std::size_t most_bytes = 4096;
        const std::size_t size = encoded_.slots.size();
        const std::size_t count = std::min(size / fewest, std::clamp(size / share, least, most));
        std::vector<Slot> chosen;
        std::size_t bytes = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const Slot& slot = encoded_.slots[count == 1 ? size / 2 : i * (size - 1) / (count - 1)];
            bytes += slot.sentence.text.size();
            if (bytes > most_bytes && !chosen.empty())
                break;
            chosen.push_back(slot);
        }
        return chosen;
    }

    [[nodiscard]] Slots batch_of(const Slot& slot) const
    {
        const auto at = std::ranges::find(encoded_.slots, slot.vector, &Slot::vector);
        const auto number = static_cast<std::size_t>(at - encoded_.slots.begin());
        const Slots rest =
            encoded_.slots.subspan(number / encoded_.batch_size * encoded_.batch_size);
        return rest.first(std::min(encoded_.batch_size, rest.size()));
    }

    [[nodiscard]] std::span<const float> vector(const Slot& slot) const
    {
        return {slot.vector, encoded_.dimension};
    }

    [[nodiscard]] arma::fmat rows_of(Slots slots) const
    {
        arma::fmat rows(encoded_.dimension, slots.size());
        for (std::size_t i = 0; i < slots.size(); ++i)
            std::ranges::copy(vector(slots[i]), rows.colptr(i));
        return rows;
    }

    [[nodiscard]] arma::fmat encode(Slots slots)
    {
        if (context_.stop.stop_requested())
            throw base::Cancelled();
        std::vector<std::string> texts; // at other addresses
        texts.reserve(slots.size());
        std::vector<text::Sentence> sentences;
        for (const Slot& slot : slots)
            sentences.emplace_back(slot.sentence).text = texts.emplace_back(slot.sentence.text);
        arma::fmat vectors(encoded_.dimension, slots.size());
        encoder_.encode(sentences, vectors.memptr(), context_);
        return vectors;
    }

    void compare(Slots slots, std::string_view how)
    {
        const arma::fmat again = encode(slots);
        for (std::size_t i = 0; i < slots.size(); ++i) {
            const auto before = vector(slots[i]);
            const auto [size, at] = difference(before, column(again, i));
            if (size <= rounding)
                continue;
            const bool raced = is_race(slots[i]);
            if (!raced) // the commonest reason has words of its own
                require_order(batch_of(slots[i]));
            throw WrongRows(
                "{}: element {} of the vector of {} was {}, and is {} encoded again {}. Where that "
                "is meant, {} (rule {} of encoder.h; 'senteval check' looks closer)",
                raced ? "batches encoded at the same time have other vectors than one by one"
                      : "a sentence does not always have the same vector",
                at + 1, shown(slots[i].sentence.text), before[at], again(at, i), how,
                raced ? "the encoder must not say CONCURRENT_BATCHER, or --set processes=1 of a "
                        "client"
                      : "the encoder must not say BATCH_INVARIANT, nor a client batch_invariant",
                raced ? "12.2" : "12.1");
        }
    }

    /// Throws where the rows of a batch are those of its sentences alone, in another order.
    void require_order(Slots batch)
    {
        arma::fmat alone(encoded_.dimension, batch.size());
        for (std::size_t i = 0; i < batch.size(); ++i)
            alone.col(i) = encode(batch.subspan(i, 1));
        if (const auto wrong = misplaced_row(alone, rows_of(batch)))
            throw WrongRows("the rows are not in the order of the sentences: {} was given the "
                            "vector that {} has, encoded alone. Row i must be that of sentence i "
                            "(was the batch sorted and not put back?)",
                            shown(batch[wrong->row].sentence.text),
                            shown(batch[wrong->owner].sentence.text));
    }

    /// Throws where one other sentence of the task was given what a sentence has alone. Several may by chance.
    void require_own(const Slot& slot, std::span<const float> alone, Slots task)
    {
        const Slot* owner = nullptr;
        for (const Slot& other : task) {
            if (difference(alone, vector(other)).size > rounding)
                continue;
            if (owner != nullptr && owner->sentence.text != other.sentence.text)
                return;
            owner = &other;
        }
        if (owner == nullptr || owner->sentence.text == slot.sentence.text ||
            difference(alone, column(encode({owner, 1}), 0)).size <= near)
            return;
        throw WrongRows("{} was given the vector that {} has, encoded alone: vectors belong to "
                        "other sentences of "
                        "the task",
                        shown(owner->sentence.text), shown(slot.sentence.text));
    }

    /// Whether the same batch alone gives another result.
    bool is_race(const Slot& slot)
    {
        if (!encoder_.capabilities().concurrent || !encoded_.overlapped)
            return false;
        const Slots batch = batch_of(slot);
        const auto row = std::ranges::find(batch, slot.vector, &Slot::vector) - batch.begin();
        const arma::fmat again = encode(batch);
        return difference(vector(slot), column(again, row)).size > rounding &&
               difference(column(again, row), column(encode(batch), row)).size <=
                   rounding; // else it is by chance
    }

    Encoder& encoder_;
    const Encoded& encoded_;
    const CallContext& context_;
};

} // namespace

Difference difference(std::span<const float> a, std::span<const float> b)
{
    float size = 0;
    Difference most;
    constexpr float not_found =
        SENTEVAL_NOT_FOUND_BY_QUERY; // nothing is near it, and it is no measure of size
    for (std::size_t k = 0; k < a.size(); ++k) {
        if (a[k] == not_found && b[k] == not_found)
            continue;
        if (a[k] == not_found || b[k] == not_found)
            return {std::numeric_limits<double>::infinity(), k};
        size = std::max({size, std::fabs(a[k]), std::fabs(b[k])});
        const double apart = std::fabs(a[k] - b[k]);
        if (!std::isfinite(apart))
            return {std::numeric_limits<double>::infinity(), k};
        if (apart > most.size)
            most = {apart, k};
    }
    most.size = size > 0 ? most.size / size : 0;
    return most;
}

std::optional<Misplaced> misplaced_row(const arma::fmat& alone, const arma::fmat& rows)
{
    const bool is_one = are_equal(rows);
    std::optional<Misplaced> first;
    std::vector<bool> is_taken(rows.n_cols);
    for (std::size_t row = 0; row < rows.n_cols; ++row) {
        const auto owner = place_of(column(rows, row), alone, row, is_taken);
        if (!owner)
            return std::nullopt;
        is_taken[*owner] = !is_one;
        if (*owner != row && !first)
            first = {row, *owner};
    }
    return first;
}

std::optional<Misplaced> foreign_row(const arma::fmat& alone, const arma::fmat& rows)
{
    const auto apart = [](const arma::fmat& a, std::size_t i, const arma::fmat& b, std::size_t j) {
        return difference(column(a, i), column(b, j)).size;
    };
    for (std::size_t i = 0; i < rows.n_cols; ++i) {
        std::vector<std::size_t> owners;
        for (std::size_t j = 0; j < rows.n_cols && apart(alone, i, rows, i) > near; ++j)
            if (apart(alone, i, rows, j) <= rounding)
                owners.push_back(j);
        if (owners.size() == 1 && apart(alone, i, alone, owners.front()) > near)
            return Misplaced{owners.front(), i};
    }
    return std::nullopt;
}

void check_claims(Encoder& encoder, const Encoded& encoded, const CallContext& context)
{
    RowCheck(encoder, encoded, context).try_claims();
}

void check_order(Encoder& encoder,
                 const Encoded& batch,
                 std::size_t number,
                 std::span<const Slot> task,
                 const CallContext& context)
{
    RowCheck(encoder, batch, context).try_order(number, task);
}

} // namespace senteval::encoder
