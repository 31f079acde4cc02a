#include "base/error.hpp"
#include "measures/search.hpp"
#include "support/support.hpp"

using namespace senteval;
using doctest::Approx;
using measures::Documents;
using measures::Hit;
using measures::Similarity;
using Floats = std::vector<float>;
using Hits = std::vector<Hit>;

namespace {

Documents in_memory(const Floats& vectors, std::size_t dimension)
{
    return {vectors.size() / dimension,
            [&vectors, dimension](std::size_t first, std::size_t number, float* out) {
                std::copy_n(vectors.begin() + static_cast<std::ptrdiff_t>(first * dimension),
                            number * dimension, out);
            },
            {}};
}

/// Small whole numbers: many ties, and every product is exact.
Floats whole_numbers(std::mt19937& draw, std::size_t size)
{
    Floats values(size);
    std::ranges::generate(values, [&] { return static_cast<float>(draw() % 5) - 2; });
    return values;
}

/// Scores and sorts all documents of a query.
Hits sorted_all(const float* query,
                const Floats& documents,
                std::size_t dimension,
                std::size_t k,
                const std::vector<std::uint32_t>& place)
{
    Hits all;
    for (std::uint32_t d = 0; d < documents.size() / dimension; ++d)
        all.push_back({d, std::inner_product(query, query + dimension,
                                             documents.data() + d * dimension, 0.0F)});
    std::ranges::sort(all, [&](const Hit& a, const Hit& b) {
        return a.score != b.score ? a.score > b.score : place[a.document] > place[b.document];
    });
    all.resize(std::min(k, all.size()));
    return all;
}

} // namespace

TEST_CASE("the cosine of vectors near both ends of single precision is that of any others")
{
    std::mt19937 draw(3);
    const Floats queries = whole_numbers(draw, 24);
    const Floats documents = whole_numbers(draw, 320);
    const auto found = [&](int exponent) {
        Floats scaled_queries = queries;
        Floats scaled = documents;
        for (Floats* values : {&scaled_queries, &scaled})
            for (float& value : *values)
                value = std::ldexp(value, exponent);
        return measures::search(scaled_queries, 8, in_memory(scaled, 8), 40, Similarity::cosine, 1);
    };
    const auto expected = found(0);
    for (const int exponent : {-149, -130, -60, 60, 126})
        CHECK(found(exponent) == expected);
}

TEST_CASE("the best documents, with ties, as a full sort has them, on any number of threads")
{
    std::mt19937 draw(2);
    for (const auto& [count, query_count, dimension] :
         {std::tuple{1, 1, 1}, std::tuple{63, 3, 7}, std::tuple{64, 48, 16},
          std::tuple{1000, 50, 5}, std::tuple{700, 1010, 3}}) {
        const auto n = static_cast<std::size_t>(count);
        const auto width = static_cast<std::size_t>(dimension);
        const Floats documents = whole_numbers(draw, n * width);
        const Floats queries = whole_numbers(draw, static_cast<std::size_t>(query_count) * width);
        std::vector<std::uint32_t> by_id(n);
        std::iota(by_id.begin(), by_id.end(), 0U);
        std::ranges::shuffle(by_id, draw);
        std::vector<std::uint32_t> place(n);
        for (std::uint32_t i = 0; i < n; ++i)
            place[by_id[i]] = i;
        Documents all = in_memory(documents, width);
        all.by_id = by_id;
        for (const std::size_t k : {std::size_t{1}, std::size_t{10}, n, n + 5}) {
            const auto one = measures::search(queries, width, all, k, Similarity::dot, 1);
            REQUIRE(one.size() == static_cast<std::size_t>(query_count));
            for (std::size_t q = 0; q < one.size(); ++q)
                REQUIRE(one[q] ==
                        sorted_all(queries.data() + q * width, documents, width, k, place));
            CHECK(measures::search(queries, width, all, k, Similarity::dot, 2) == one);
            CHECK(measures::search(queries, width, all, k, Similarity::dot, 7) == one);
        }
    }
}

TEST_CASE("scores have the same bits on any number of threads and in any company")
{
    std::mt19937 draw(4);
    std::normal_distribution<float> normal;
    constexpr std::size_t dimension = 37;
    Floats documents(900 * dimension);
    Floats queries(100 * dimension);
    std::ranges::generate(documents, [&] { return normal(draw); });
    std::ranges::generate(queries, [&] { return normal(draw); });
    const Documents all = in_memory(documents, dimension);
    for (const auto similarity : {Similarity::dot, Similarity::cosine}) {
        const auto one = measures::search(queries, dimension, all, 20, similarity, 1);
        CHECK(measures::search(queries, dimension, all, 20, similarity, 2) == one);
        const std::span<const float> last = std::span(queries).last(dimension);
        CHECK(measures::search(last, dimension, all, 20, similarity, 3).front() == one.back());
        for (const Hit& hit : one.back()) {
            double product = 0;
            double a = 0;
            double b = 0;
            for (std::size_t f = 0; f < dimension; ++f) {
                const double x = last[f];
                const double y = documents[hit.document * dimension + f];
                product += x * y;
                a += x * x;
                b += y * y;
            }
            if (similarity == Similarity::cosine)
                product /= std::sqrt(a * b);
            CHECK(static_cast<double>(hit.score) == Approx(product).epsilon(1e-5));
        }
    }
}

TEST_CASE("zero vectors have cosine 0, and the later id wins")
{
    const Floats documents = {0, 0, 3, 4, -3, -4, 0, 0};
    const Floats queries = {0, 0, 30, 40};
    const auto found =
        measures::search(queries, 2, in_memory(documents, 2), 3, Similarity::cosine, 1);
    CHECK(found[0] == Hits{{3, 0}, {2, 0}, {1, 0}}); // -0 and 0 are equal
    CHECK(found[1][0].document == 1);
    CHECK(found[1][0].score == Approx(1));
    CHECK(found[1][1] == Hit{3, 0});
    CHECK(found[1][2] == Hit{0, 0});
}

TEST_CASE("orthogonal vectors have cosine 0, and the later id wins")
{
    constexpr std::size_t half = 100;
    constexpr std::size_t dimension = 2 * half;
    std::mt19937 draw(5);
    std::normal_distribution<float> normal;
    Floats
        documents; // 3 of 5 are (x, y), whose product with (y, -x) is 0 in exact arithmetic alone
    Floats query(dimension);
    std::ranges::generate(query, [&] { return normal(draw); });
    for (std::size_t d = 0; d < 200; ++d)
        for (std::size_t f = 0; f < dimension; ++f) {
            const float turned = f < half ? query[f + half] : -query[f - half];
            documents.push_back(d % 5 < 3   ? std::ldexp(turned, static_cast<int>(d % 7) * 9 - 27)
                                : d % 5 < 4 ? query[f] + normal(draw)
                                            : normal(draw) - query[f]);
        }
    for (const std::size_t k : {20UL, 100UL, 200UL})
        for (const unsigned threads : {1U, 3U}) {
            const auto found = measures::search(query, dimension, in_memory(documents, dimension),
                                                k, Similarity::cosine, threads)[0];
            std::vector<std::uint32_t> zeros;
            for (const Hit& hit : found)
                if (hit.document % 5 < 3) {
                    CHECK(hit.score == 0);
                    zeros.push_back(hit.document);
                } else {
                    CHECK(std::abs(hit.score) > 1e-3);
                }
            CHECK(zeros.size() == std::min<std::size_t>(k < 40 ? 0 : k - 40, 120));
            CHECK(std::ranges::is_sorted(zeros, std::greater()));
            CHECK((zeros.empty() || zeros.front() == 197));
        }
}

TEST_CASE("scores that overflow")
{
    constexpr float big = 3e38F;
    const Floats documents = {big, big, -big, -big, big, -big, 1, 1};
    const auto found =
        measures::search(Floats{10, 10}, 2, in_memory(documents, 2), 4, Similarity::dot, 1);
    constexpr float infinity = std::numeric_limits<float>::infinity();
    CHECK(found[0] == Hits{{2, infinity}, {0, infinity}, {3, 20}, {1, -infinity}});
}

TEST_CASE("each document is read once for a thousand queries, by blocks that fit")
{
    const Floats documents(1000 * 4, 1.0F);
    std::atomic<std::size_t> read = 0;
    Documents all = in_memory(documents, 4);
    all.copy = [&, inner = all.copy](std::size_t first, std::size_t number, float* out) {
        CHECK(first + number <= 1000);
        read += number;
        inner(first, number, out);
    };
    const auto found = measures::search(Floats(1000 * 4, 1.0F), 4, all, 2, Similarity::dot, 2);
    CHECK(read == 1000);
    CHECK(found[999] == Hits{{999, 4}, {998, 4}});
}

TEST_CASE("nothing to search, and sizes that do not fit")
{
    const Floats vectors = {1, 2, 3, 4};
    const Documents two = in_memory(vectors, 2);
    CHECK(measures::search(Floats{}, 2, two, 3, Similarity::dot, 2).empty());
    CHECK(measures::search(vectors, 2, two, 0, Similarity::dot, 2) == std::vector<Hits>(2));
    CHECK(measures::search(vectors, 2, Documents{}, 3, Similarity::dot, 2) == std::vector<Hits>(2));
    CHECK_THROWS_AS(measures::search(vectors, 3, two, 1, Similarity::dot, 1), base::Error);
    CHECK_THROWS_AS(measures::search(vectors, 0, two, 1, Similarity::dot, 1), base::Error);
    const std::vector<std::uint32_t> wrong = {0, 2};
    Documents ordered = two;
    ordered.by_id = wrong;
    CHECK_THROWS_AS(measures::search(vectors, 2, ordered, 1, Similarity::dot, 1), base::Error);
}
