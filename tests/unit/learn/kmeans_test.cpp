#include "learn/kmeans.hpp"

#include "base/error.hpp"
#include "data/sha256.hpp"
#include "support/support.hpp"
#include "vectors.hpp"

using namespace senteval;
using learn::Clusters;
using learn::DesignMatrix;

namespace {

using Items = std::vector<std::uint32_t>;

double distance(std::span<const float> centre, const arma::fvec& point)
{
    double sum = 0;
    for (std::size_t f = 0; f < centre.size(); ++f)
        sum += std::pow(static_cast<double>(centre[f]) - static_cast<double>(point[f]), 2);
    return sum;
}

/// By comparing with every centre.
void check_nearest(const Clusters& found, const arma::fmat& values, const Items& rows)
{
    REQUIRE(found.labels.size() == rows.size());
    double inertia = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const double own = distance(found.centres[found.labels[i]], values.col(rows[i]));
        for (std::size_t c = 0; c < found.centres.size(); ++c)
            CHECK(own <= distance(found.centres[c], values.col(rows[i])) + 1e-5);
        inertia += own;
    }
    CHECK(found.inertia == doctest::Approx(inertia).epsilon(1e-6));
}

/// Points around as many corners of a cube, in turn.
arma::fmat corners(std::size_t points, std::size_t count)
{
    test::Lcg random(3);
    arma::fmat values(5, points);
    for (arma::uword i = 0; i < points; ++i)
        for (arma::uword f = 0; f < 5; ++f)
            values(f, i) = static_cast<float>(((i % count) >> f & 1U) != 0 ? 10 + random.next()
                                                                           : random.next());
    return values;
}

} // namespace

TEST_CASE("mini-batch k-means finds scikit-learn's clusters")
{
    const auto reference = test::reference_json("mteb_vectors.json");
    if (!reference)
        return;
    for (const auto& entry : (*reference)["minibatch_kmeans"]["fits"]) {
        if (entry["type"] != "float32")
            continue;
        const auto n = entry["n"].get<std::size_t>();
        const auto d = entry["d"].get<std::size_t>();
        const auto k = entry["k"].get<std::size_t>();
        const test::OwnColumns x(test::mteb_rows(n, d, std::min(k, d)));
        const DesignMatrix matrix(x.features());
        const Clusters found = learn::mini_batch_kmeans(matrix, test::first_numbers(n), k,
                                                        entry["batch"].get<std::size_t>(), 42);
        CHECK(found.steps == entry["steps"].get<std::size_t>());
        CHECK(data::sha256({reinterpret_cast<const char*>(found.labels.data()), 4 * n}) ==
              entry["labels_sha256_int32"].get<std::string>());
        const auto centre = entry["centre_0"].get<std::vector<double>>();
        for (std::size_t f = 0; f < d; ++f)
            CHECK(static_cast<double>(found.centres[0][f]) ==
                  doctest::Approx(centre[f]).epsilon(1e-6));
        CHECK(found.inertia == doctest::Approx(entry["inertia"].get<double>()).epsilon(1e-5));
    }
}

TEST_CASE("rows that are listed more than once count as often")
{
    // As copies in a matrix of their own.
    const arma::fmat values = test::mteb_rows(40, 6, 4);
    Items rows = learn::PythonRandom(1).choices(40, 900);
    arma::fmat copies(6, rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        copies.col(i) = values.col(rows[i]);
    const test::OwnColumns once(values);
    const test::OwnColumns often(copies);
    const DesignMatrix matrix(once.features());
    const DesignMatrix plain(often.features());
    const Items all = test::first_numbers(rows.size());
    const Clusters batches = learn::mini_batch_kmeans(matrix, rows, 5, 100, 42);
    CHECK(batches.labels == learn::mini_batch_kmeans(plain, all, 5, 100, 42).labels);
    check_nearest(batches, values, rows);
    const Clusters lloyd = learn::kmeans(matrix, rows, 5, 42, 1);
    CHECK(lloyd.labels == learn::kmeans(plain, all, 5, 42, 1).labels);
    check_nearest(lloyd, values, rows);
    // Its centres are the means of their rows.
    for (std::size_t c = 0; c < 5; ++c) {
        arma::vec sum(6, arma::fill::zeros);
        double members = 0;
        for (std::size_t i = 0; i < rows.size(); ++i)
            if (lloyd.labels[i] == c) {
                sum += arma::conv_to<arma::vec>::from(values.col(rows[i]));
                ++members;
            }
        for (std::size_t f = 0; f < 6; ++f)
            CHECK(static_cast<double>(lloyd.centres[c][f]) ==
                  doctest::Approx(sum[f] / members).epsilon(1e-3));
    }
}

TEST_CASE("k-means finds what lies apart, at every seed and with any number of threads")
{
    const test::OwnColumns x(corners(6000, 8));
    const DesignMatrix matrix(x.features());
    const Items rows = test::first_numbers(6000);
    for (const std::uint32_t seed : {1U, 2U, 3U}) {
        const Clusters found = learn::kmeans(matrix, rows, 8, seed, 1);
        for (std::size_t i = 0; i < 6000; ++i)
            CHECK(found.labels[i] == found.labels[i % 8]);
        CHECK(std::set<std::uint32_t>(found.labels.begin(), found.labels.end()).size() == 8);
    }
    // Where the clusters are not there, threads might tell.
    const Clusters one = learn::kmeans(matrix, rows, 21, 5, 1);
    const Clusters three = learn::kmeans(matrix, rows, 21, 5, 3);
    CHECK(one.labels == three.labels);
    CHECK(one.inertia == three.inertia);
    CHECK(one.steps == three.steps);
    check_nearest(one, x.matrix, rows);
    CHECK(one.labels != learn::kmeans(matrix, rows, 21, 6, 1).labels);
}

TEST_CASE("seeds are rows, far from each other")
{
    const test::OwnColumns x(corners(400, 8));
    const DesignMatrix matrix(x.features());
    learn::NumpyRandom random(7);
    const Items seeds = learn::seed_centres(matrix, test::first_numbers(400), 8, random);
    std::set<std::uint32_t> corner;
    for (const std::uint32_t seed : seeds)
        corner.insert(seed % 8);
    CHECK(corner.size() == 8);
}

TEST_CASE("more clusters than distinct points, and one cluster")
{
    arma::fmat values(2, 12);
    for (arma::uword i = 0; i < 12; ++i)
        values.col(i).fill(static_cast<float>(i % 3));
    const test::OwnColumns x(values);
    const DesignMatrix matrix(x.features());
    const Items rows = test::first_numbers(12);
    for (const Clusters& found : {learn::kmeans(matrix, rows, 6, 1, 1),
                                  learn::mini_batch_kmeans(matrix, rows, 6, 500, 42)}) {
        CHECK(found.inertia == 0);
        for (std::size_t i = 3; i < 12; ++i)
            CHECK(found.labels[i] == found.labels[i % 3]);
    }
    const Clusters one = learn::kmeans(matrix, rows, 1, 1, 1);
    CHECK(one.labels == Items(12, 0));
    CHECK(one.inertia == 16); // 8 rows at a squared distance of 2 from (1, 1)
}

TEST_CASE("k-means stops when it is told to")
{
    const test::OwnColumns x(corners(50, 4));
    const DesignMatrix matrix(x.features());
    std::stop_source stop;
    stop.request_stop();
    const Items rows = test::first_numbers(50);
    CHECK_THROWS_AS(learn::kmeans(matrix, rows, 4, 1, 1, stop.get_token()), base::Cancelled);
    CHECK_THROWS_AS(learn::mini_batch_kmeans(matrix, rows, 4, 10, 1, stop.get_token()),
                    base::Cancelled);
}
