// Rows in another order are seen; vectors that look at places or neighbours are not accused.
#include "encoder/claims.hpp"
#include "support/support.hpp"

namespace senteval::encoder {
namespace {

constexpr std::size_t sentences = 24;

arma::fmat some_vectors(std::size_t dimension)
{
    std::mt19937 random(7);
    arma::fmat vectors(dimension, sentences);
    for (float& value : vectors)
        value = static_cast<float>(random() % 1000) / 100 - 5;
    return vectors;
}

arma::fmat in_order(const arma::fmat& vectors, const arma::uvec& order)
{
    return vectors.cols(order);
}

arma::uvec places()
{
    return arma::regspace<arma::uvec>(0, sentences - 1);
}

/// The row of each sentence from its length and its place.
arma::fmat by_place(std::size_t dimension,
                    const std::vector<int>& lengths,
                    bool alone,
                    const std::function<void(float*, int, std::size_t)>& fill)
{
    arma::fmat rows(dimension, sentences, arma::fill::zeros);
    for (std::size_t i = 0; i < sentences; ++i)
        fill(rows.colptr(i), lengths[i], alone ? 0 : i);
    return rows;
}

std::optional<std::size_t> first_misplaced(const arma::fmat& alone, const arma::fmat& rows)
{
    const auto wrong = misplaced_row(alone, rows);
    return wrong ? std::optional(wrong->row) : std::nullopt;
}

} // namespace

TEST_CASE("rows in another order are seen, whichever it is")
{
    for (const std::size_t dimension : {1U, 50U}) {
        const arma::fmat alone = some_vectors(dimension);
        CHECK_FALSE(first_misplaced(alone, alone));
        arma::uvec swapped = places();
        std::swap(swapped(3), swapped(9));
        CHECK(first_misplaced(alone, in_order(alone, swapped)) == 3);
        CHECK(first_misplaced(alone, in_order(alone, arma::reverse(places()))) == 0);
        CHECK(first_misplaced(alone, in_order(alone, arma::shift(places(), 1))) == 0);
    }
}

TEST_CASE("one vector for all sentences of a batch is seen, where it is that of one of them")
{
    const arma::fmat alone = some_vectors(50);
    const arma::fmat last = arma::repmat(alone.tail_cols(1), 1, sentences);
    CHECK(first_misplaced(alone, last) == 0);
    const arma::fmat mean = arma::repmat(arma::fmat(arma::mean(alone, 1)), 1, sentences);
    CHECK_FALSE(first_misplaced(alone, mean)); // of the batch
    CHECK_FALSE(first_misplaced(last, last));  // a constant
}

TEST_CASE("half precision hides no other order")
{
    const arma::fmat alone = some_vectors(50);
    arma::fmat rows = in_order(alone, arma::reverse(places()));
    std::mt19937 random(3);
    for (float& value : rows)
        value += static_cast<float>(random() % 100) / 10000;
    CHECK(first_misplaced(alone, rows) == 0);
}

TEST_CASE("sentences that are alike are in no wrong order")
{
    arma::fmat alone = some_vectors(5);
    alone.col(4) = alone.col(2);
    arma::uvec order = places();
    std::swap(order(2), order(4));
    CHECK_FALSE(first_misplaced(alone, in_order(alone, order)));
}

TEST_CASE("vectors of places, of neighbours and of whole batches are not accused")
{
    std::mt19937 random(5);
    std::vector<int> lengths(sentences);
    for (int& length : lengths)
        length = 3 + static_cast<int>(random() % 30);
    const auto is_accused = [&](std::size_t dimension, const auto& fill) {
        return first_misplaced(by_place(dimension, lengths, true, fill),
                               by_place(dimension, lengths, false, fill))
            .has_value();
    };
    CHECK_FALSE(is_accused(sentences,
                           [](float* row, int /*length*/, std::size_t place) { row[place] = 1; }));
    CHECK_FALSE(is_accused(1, [](float* row, int length, std::size_t place) {
        *row = static_cast<float>(length) + static_cast<float>(place);
    }));
    CHECK_FALSE(is_accused(2, [](float* row, int length, std::size_t place) {
        row[0] = static_cast<float>(length % 4);
        row[1] = static_cast<float>(place);
    }));

    arma::fmat ranks(1, sentences); // of the length in the batch; alone, each is the first
    for (std::size_t i = 0; i < sentences; ++i)
        ranks(0, i) = static_cast<float>(
            std::ranges::count_if(lengths, [&](int other) { return other < lengths[i]; }));
    CHECK_FALSE(first_misplaced(arma::fmat(1, sentences, arma::fill::zeros), ranks));
    CHECK_FALSE(first_misplaced(arma::fmat(1, sentences, arma::fill::ones), ranks + 1));

    const arma::fmat vectors = some_vectors(20);
    const arma::fmat centred = vectors.each_col() - arma::mean(vectors, 1);
    CHECK_FALSE(first_misplaced(arma::fmat(20, sentences, arma::fill::zeros), centred));
}

} // namespace senteval::encoder
