#include "learn/features.hpp"

#include "base/error.hpp"
#include "learn/design_matrix.hpp"
#include "support/support.hpp"
#include "vectors.hpp"

using namespace senteval;
using learn::DesignMatrix;
using learn::Features;
using learn::PairForm;

namespace {

const arma::fmat embeddings{{1, 3, -1}, {2, -4, 0}}; // three sentences, as columns

} // namespace

TEST_CASE("single features are the columns of an index")
{
    const std::vector<std::uint32_t> index{2, 0, 2};
    const auto features = Features::single({&embeddings, index});
    CHECK(features.size() == 3);
    CHECK(features.dimension() == 2);
    std::vector<float> out(4);
    features.copy(0, out.data());
    features.copy(1, out.data() + 2);
    CHECK(out == std::vector<float>{-1, 0, 1, 2});
    CHECK(Features().size() == 0);
    CHECK(Features().dimension() == 0);
}

TEST_CASE("features of a pair are made of its two vectors")
{
    const std::vector<std::uint32_t> first{0};
    const std::vector<std::uint32_t> second{1};
    std::vector<float> out(8);
    const auto narrow =
        Features::pair({&embeddings, first}, {&embeddings, second}, PairForm::difference_product);
    REQUIRE(narrow.dimension() == 4);
    narrow.copy(0, out.data());
    CHECK(std::vector<float>(out.begin(), out.begin() + 4) == std::vector<float>{2, 6, 3, -8});
    const auto wide =
        Features::pair({&embeddings, first}, {&embeddings, second}, PairForm::concatenation);
    REQUIRE(wide.dimension() == 8);
    wide.copy(0, out.data());
    CHECK(out == std::vector<float>{1, 2, 3, -4, 3, -8, 2, 6});
}

TEST_CASE("pairs must match")
{
    const std::vector<std::uint32_t> one{0};
    const std::vector<std::uint32_t> two{0, 1};
    const arma::fmat other(3, 3, arma::fill::zeros);
    CHECK_THROWS_AS(Features::pair({&embeddings, one}, {&embeddings, two}, PairForm::concatenation),
                    base::Error);
    CHECK_THROWS_AS(Features::pair({&embeddings, one}, {&other, one}, PairForm::concatenation),
                    base::Error);
}

TEST_CASE("features are made of normalised embeddings, fitted on both sides of the pairs named")
{
    using embedding::Normalisation;
    const test::OwnColumns x(arma::fmat{{1, 2, 4, 8}, {3, -4, 0, 5}});
    const std::vector<std::uint32_t> left{0, 1};
    const std::vector<std::uint32_t> right{2, 3};
    const embedding::Embeddings u{&x.matrix, left};
    const embedding::Embeddings v{&x.matrix, right};
    for (const auto form : {PairForm::difference_product, PairForm::concatenation})
        for (const embedding::Treatment kind :
             {embedding::Treatment(Normalisation::l2), embedding::Treatment(Normalisation::z_l2),
              embedding::Treatment(Normalisation::centre, embedding::Precision::int8)}) {
            arma::fmat by_hand = x.matrix;
            const arma::fmat first_pair = x.matrix.cols(arma::uvec{0, 2});
            embedding::Normaliser(kind, first_pair).apply(by_hand);
            const Features expected = Features::pair({&by_hand, left}, {&by_hand, right}, form);
            const Features pairs = Features::pair(u, v, form);
            const Features found = pairs.normalised(pairs.fit(kind, std::vector<std::uint32_t>{0}));
            CHECK(found.dimension() == expected.dimension());
            for (const std::size_t item : {0U, 1U}) {
                std::vector<float> a(expected.dimension());
                std::vector<float> b(expected.dimension());
                expected.copy(item, a.data());
                found.copy(item, b.data());
                CHECK(a == b);
            }
        }
}

TEST_CASE("rows have a one for the bias, stored or formed")
{
    const test::OwnColumns x(embeddings);
    const auto check = [&](const DesignMatrix& matrix) {
        CHECK(matrix.inputs() == 2);
        REQUIRE(matrix.stride() % learn::line_floats == 0);
        DesignMatrix::Batch batch(matrix, 3);
        batch.load(std::vector<std::uint32_t>{1, 2});
        REQUIRE(batch.size() == 2);
        for (const auto& [place, value] : {std::pair{0, 3.0F}, {1, -4.0F}, {2, 1.0F}, {3, 0.0F}})
            CHECK(batch.rows().rows[0][place] == value);
        CHECK(batch.rows().rows[1][0] == -1);
        CHECK(batch.rows().rows[15] == batch.rows().rows[0]); // readable up to a full line
    };
    const DesignMatrix stored(x.features());
    CHECK(stored.stored());
    check(stored);
    const DesignMatrix formed(x.features(), {.memory_limit = 0});
    CHECK_FALSE(formed.stored());
    check(formed);
}

TEST_CASE("vectors that lie as rows are read where they lie")
{
    arma::fmat store(core::row_stride(embeddings.n_rows), embeddings.n_cols, arma::fill::zeros);
    store.head_rows(embeddings.n_rows) = embeddings;
    store.row(embeddings.n_rows).ones();
    const std::vector<std::uint32_t> columns{2, 0, 1};
    const embedding::Embeddings items{&store, columns, store.n_rows - embeddings.n_rows};
    const DesignMatrix matrix(learn::Features::single(items), {.memory_limit = 0});
    CHECK(matrix.inputs() == embeddings.n_rows);
    CHECK(matrix.stride() == store.n_rows);
    CHECK(matrix.stored());
    DesignMatrix::Batch batch(matrix, 3);
    batch.load(std::vector<std::uint32_t>{1, 0});
    CHECK(batch.rows().rows[0] == store.colptr(0));
    CHECK(batch.rows().rows[1] == store.colptr(2));
    const learn::Features pairs =
        learn::Features::pair(items, items, learn::PairForm::difference_product);
    CHECK_FALSE(DesignMatrix(pairs, {.memory_limit = 0}).stored());
}

TEST_CASE("rows of few nonzero values are stored by these")
{
    arma::fmat few(100, 3, arma::fill::zeros);
    few(7, 0) = -2;
    few(99, 2) = 5;
    const test::OwnColumns x(few);
    const DesignMatrix matrix(x.features());
    CHECK(matrix.sparse());
    CHECK_FALSE(matrix.stored());
    CHECK_FALSE(DesignMatrix(x.features(), {.sparse_share = 0}).sparse());
    const std::vector<std::uint32_t> items{2, 1, 0};

    DesignMatrix::Batch sparse(matrix, 3, DesignMatrix::Batch::Form::sparse);
    sparse.load(items);
    CHECK(sparse.rows().count == 3);
    const learn::SparseRow* const rows = sparse.rows().sparse;
    CHECK(std::vector(rows[0].places, rows[0].places + rows[0].count) ==
          std::vector<std::uint32_t>{99, 100});
    CHECK(std::vector(rows[0].values, rows[0].values + 2) == std::vector<float>{5, 1});
    CHECK(rows[1].count == 1); // the bias's 1
    CHECK(rows[2].places[0] == 7);

    DesignMatrix::Batch dense(matrix, 3); // for those who want it so
    dense.load(items);
    CHECK(dense.rows().sparse == nullptr);
    for (const auto& [row, place, value] :
         {std::tuple{0, 99, 5.0F}, {0, 100, 1.0F}, {2, 7, -2.0F}, {2, 99, 0.0F}})
        CHECK(dense.rows().rows[row][place] == value);
}

TEST_CASE("features that are not finite are refused")
{
    arma::fmat bad = embeddings;
    bad(1, 2) = std::numeric_limits<float>::quiet_NaN();
    const test::OwnColumns x(bad);
    CHECK_ERROR(base::Error, "feature 1 of item 2 is nan", DesignMatrix(x.features()));
    CHECK_THROWS_AS(DesignMatrix(x.features(), {.memory_limit = 0}), base::Error);
    bad(1, 2) = -std::numeric_limits<float>::infinity();
    const test::OwnColumns infinite(bad);
    CHECK_THROWS_AS(DesignMatrix(infinite.features()), base::Error);
}
