#include "stats/correlation.hpp"
#include "support/evaluate.hpp"
#include "support/support.hpp"
#include "tasks/protocols/similarity.hpp"
#include "tasks/readers/readers.hpp"

using namespace senteval;
using task::Similarity;

TEST_CASE("similarities of two vectors, by hand")
{
    const std::array<float, 3> u = {1, 2, 2};
    const std::array<float, 3> v = {2, 0, 0};
    CHECK(tasks::similarity(Similarity::cosine, u, v) == doctest::Approx(1.0 / 3.0).epsilon(1e-15));
    CHECK(tasks::similarity(Similarity::dot, u, v) == 2.0);
    CHECK(tasks::similarity(Similarity::euclidean, u, v) == -3.0);
    CHECK(tasks::similarity(Similarity::manhattan, u, v) == -5.0);
}

TEST_CASE("the cosine with a zero vector is zero")
{
    const std::array<float, 2> zero = {0, 0};
    const std::array<float, 2> v = {3, 4};
    CHECK(tasks::similarity(Similarity::cosine, zero, v) == 0.0);
    CHECK(tasks::similarity(Similarity::cosine, zero, zero) == 0.0);
}

TEST_CASE("similarities of pairs stand in the order of the file")
{
    const arma::fmat vectors = {{0, 3, 4}, {0, 4, 3}}; // columns: zero, and two of length 5
    const std::array<std::uint32_t, 3> first = {1, 0, 0};
    const std::array<std::uint32_t, 3> second = {2, 1, 0};
    tasks::Part part;
    part.first.resize(3);
    part.order = {2, 0, 1}; // columns follow the order
    const tasks::EmbeddedPart pairs{{&vectors, first}, {&vectors, second}};
    const auto found = tasks::pair_similarities(part, pairs, {});
    CHECK(found.of(Similarity::cosine) == std::vector<double>{0, 0, .96});
    CHECK(found.mteb_cosine == std::vector<double>{.5, 1, .96});
    CHECK(found.of(Similarity::manhattan) == std::vector<double>{-7, 0, -2});
    CHECK(found.without_cosine == 2);
}

TEST_CASE("long vectors are summed in double precision")
{
    // 0.1f is not 0.1: a sum in floats would be off by more than a thousandth
    const std::vector<float> u(1000003, 0.1F);
    const double square = double{0.1F} * double{0.1F};
    CHECK(tasks::similarity(Similarity::dot, u, u) ==
          doctest::Approx(square * 1000003).epsilon(1e-10));
    CHECK(tasks::similarity(Similarity::cosine, u, u) == doctest::Approx(1.0).epsilon(1e-12));
}

TEST_CASE("an STS task reports every subset and three aggregates over them")
{
    const test::ScratchFolder scratch;
    // similarities by dot product of (a, b, c, words): 2, 1, 3 and 1, 2
    scratch.write("STS.input.one.txt", "a\ta\na\tb\na\ta x\n");
    scratch.write("STS.gs.one.txt", "2\n1\n5\n");
    scratch.write("STS.input.two.txt", "a\tb\nb\tb\n");
    scratch.write("STS.gs.two.txt", "3\n1\n");
    const std::vector<std::string> subsets = {"one", "two"};
    const auto task = tasks::make_task("Example", {"similarity"}, tasks::sts_source(".", subsets),
                                       tasks::subset_similarity(subsets), "all.pearson.wmean");
    task::Settings settings;
    settings.similarity = Similarity::dot;
    const task::Result result = test::evaluate(*task, scratch.path(), settings);

    const std::vector<double> one = {2, 1, 3}, gold_one = {2, 1, 5};
    const double r = stats::pearson(one, gold_one).r; // 0.9608
    const auto& metrics = result.metrics;
    CHECK(metrics["one"]["pearson"] == doctest::Approx(r));
    CHECK(metrics["one"]["spearman"] == doctest::Approx(1.0));
    CHECK(metrics["one"]["pearson_p"] == doctest::Approx(stats::pearson(one, gold_one).p_value));
    CHECK(metrics["one"]["nsamples"] == 3);
    CHECK(metrics["two"]["pearson"] == doctest::Approx(-1.0));
    CHECK(metrics["all"]["pearson"]["mean"] == doctest::Approx((r - 1) / 2));
    CHECK(metrics["all"]["pearson"]["wmean"] == doctest::Approx((3 * r - 2) / 5));
    const std::vector<double> all = {2, 1, 3, 1, 2}, gold_all = {2, 1, 5, 3, 1};
    CHECK(metrics["all"]["pearson"]["all"] == doctest::Approx(stats::pearson(all, gold_all).r));
    CHECK(metrics["all"]["spearman"]["all"] == doctest::Approx(stats::spearman(all, gold_all).r));
    for (const auto& [name, values] :
         {std::pair("cosine", std::vector<double>{1, .5, 3 / std::sqrt(10), .5, 1}),
          std::pair("euclidean", std::vector<double>{0, -std::sqrt(2), -1, -std::sqrt(2), 0}),
          std::pair("manhattan", std::vector<double>{0, -2, -1, -2, 0})}) {
        CAPTURE(name);
        CHECK(metrics["mteb"][std::string(name) + "_pearson"] ==
              doctest::Approx(stats::pearson(values, gold_all).r));
        CHECK(metrics["mteb"][std::string(name) + "_spearman"] ==
              doctest::Approx(stats::spearman(values, gold_all).r));
    }

    CHECK(result.outcomes.kind == "score");
    CHECK(result.outcomes.groups == std::vector<std::string>{"one", "two"});
    REQUIRE(result.outcomes.rows.size() == 5);
    const results::ItemOutcome& last = result.outcomes.rows[4];
    CHECK(last.item == 4);
    CHECK(last.group == 1);
    CHECK(last.gold == 1.0);
    CHECK(last.prediction == 2.0);
    CHECK(task->protocol_settings(settings)["similarity"] == "dot");
}

TEST_CASE("embeddings are normalised over both sentences of all pairs of a subset")
{
    const test::ScratchFolder scratch;
    scratch.write("STS.input.one.txt", "a\ta\na\tb\n");
    scratch.write("STS.gs.one.txt", "5\n1\n");
    scratch.write("STS.input.two.txt", "b\tb\nb\tb\n");
    scratch.write("STS.gs.two.txt", "5\n1\n");
    const std::vector<std::string> subsets = {"one", "two"};
    const auto task = tasks::make_task("Example", {"similarity"}, tasks::sts_source(".", subsets),
                                       tasks::subset_similarity(subsets), "all.pearson.wmean");
    task::Settings settings;
    settings.similarity = Similarity::dot;
    const auto predictions = [&](embedding::Normalisation normalise) {
        settings.normalise = normalise;
        const task::Result result = test::evaluate(*task, scratch.path(), settings);
        CHECK(result.details.contains("transductive") == embedding::is_fitted(normalise));
        CHECK(task->protocol_settings(settings)["normalise"] == embedding::name(normalise));
        std::vector<double> all;
        for (const auto& row : result.outcomes.rows)
            all.push_back(row.prediction);
        return all;
    };
    // vectors are (a, b, c, words); their mean over a, a, a, b is (3/4, 1/4, 0, 1)
    using embedding::Normalisation;
    CHECK(predictions(Normalisation::none) == std::vector<double>{2, 1, 2, 2});
    CHECK(predictions(Normalisation::centre) == std::vector<double>{0.125, -0.375, 0, 0});
    // deviations are sqrt(3)/4 for a and b: a becomes (1, -1)/sqrt(3), b (-3, 3)/sqrt(3)
    const auto z = predictions(Normalisation::z);
    CHECK(z[0] == doctest::Approx(2.0 / 3));
    CHECK(z[1] == doctest::Approx(-2.0));
    CHECK(z[3] == 0.0);
    const auto z_l2 = predictions(Normalisation::z_l2);
    CHECK(z_l2[0] == doctest::Approx(1.0));
    CHECK(z_l2[1] == doctest::Approx(-1.0));
    CHECK(predictions(Normalisation::l2)[1] == doctest::Approx(0.5));
}

TEST_CASE("a subset without variance is not a number, and neither are the means")
{
    const test::ScratchFolder scratch;
    scratch.write("STS.input.one.txt", "a\ta\nb\tb\n");
    scratch.write("STS.gs.one.txt", "2\n1\n");
    const std::vector<std::string> subsets = {"one"};
    const auto task = tasks::make_task("Example", {"similarity"}, tasks::sts_source(".", subsets),
                                       tasks::subset_similarity(subsets), "all.pearson.wmean");
    const task::Result result = test::evaluate(*task, scratch.path());
    CHECK(std::isnan(result.metrics["one"]["pearson"].get<double>()));
    CHECK(std::isnan(result.metrics["all"]["pearson"]["mean"].get<double>()));
    CHECK(result.metrics["all"]["pearson"]["mean"].dump() == "null");
}

TEST_CASE("an unsupervised benchmark scores its test part, and the dev part beside it")
{
    const test::ScratchFolder scratch;
    const auto line = [](const std::string& score, const std::string& pair) {
        return "g\tf\ty\t1\t" + score + "\t" + pair + "\n";
    };
    const std::string up = line("1", "a\tb") + line("2", "a x\ta b") + line("3", "a\ta");
    const std::string down = line("3", "a\tb\tnote") + line("1", "c\tc");
    scratch.write("sts-train.csv", up);
    scratch.write("sts-dev.csv", down);
    scratch.write("sts-test.csv", up);
    const auto task = tasks::make_task("Example", {"similarity"}, tasks::sts_benchmark_source("."),
                                       tasks::split_similarity(), "pearson");
    const task::Result result = test::evaluate(*task, scratch.path());
    CHECK(result.metrics["devpearson"] == doctest::Approx(-1.0));
    CHECK(result.metrics["spearman"] == doctest::Approx(1.0));
    CHECK(result.metrics["pearson"].get<double>() > 0.9);
    CHECK(result.metrics["ndev"] == 2);
    CHECK(result.metrics["ntest"] == 3);
    REQUIRE(result.outcomes.rows.size() == 3);
    CHECK(result.outcomes.rows[1].gold == 2.0);
    CHECK(result.outcomes.rows[2].prediction == doctest::Approx(1.0));
}
