#include "learn/relatedness.hpp"

#include "base/error.hpp"
#include "support/support.hpp"
#include "vectors.hpp"

using namespace senteval;
using learn::RelatednessOptions;
using learn::ScoredDataset;
using learn::ScoreRange;

namespace {

/// Items whose score depends on their first feature, between low and high.
struct Scored {
    Scored(std::size_t items, double low, double high, std::uint32_t seed)
        : x(test::small_problem(items, 6, 2, seed).x)
    {
        for (arma::uword i = 0; i < items; ++i)
            scores.push_back(low + (high - low) * (static_cast<double>(x.matrix(0, i)) + 1) / 2);
    }

    [[nodiscard]] ScoredDataset data() const { return {x.features(), scores}; }

    test::OwnColumns x;
    std::vector<double> scores;
};

} // namespace

TEST_CASE("the original's relatedness of generated data is reproduced")
{
    const auto reference = test::reference_json("golden_fit.json");
    if (!reference)
        return;
    const auto& expected = (*reference)["relatedness"];
    const test::GoldenProblem golden;
    std::vector<test::OwnColumns> x;
    std::vector<std::vector<double>> scores;
    for (const auto& [first, items] : {std::pair{0U, 300U}, {300U, 150U}, {450U, 150U}}) {
        x.emplace_back(arma::fmat(golden.x.matrix.cols(first, first + items - 1)));
        auto& part = scores.emplace_back();
        for (std::size_t i = first; i < first + items; ++i)
            part.push_back(std::clamp(3 + 1.4 * golden.scores[i], 1.0, 5.0));
    }
    const auto result =
        learn::relatedness({x[0].features(), scores[0]}, {x[1].features(), scores[1]},
                           {x[2].features(), scores[2]}, {});
    CHECK(result.devpearson ==
          doctest::Approx(expected["best_dev_pearson"].get<double>()).epsilon(1e-5));
    CHECK(result.passes == expected["nepoch"].get<std::size_t>());
    for (std::size_t i = 0; i < expected["yhat_head"].size(); ++i)
        CHECK(result.yhat[i] ==
              doctest::Approx(expected["yhat_head"][i].get<double>()).epsilon(1e-4));
}

TEST_CASE("scores are learned and their errors measured")
{
    const Scored train(400, 1, 5, 1);
    const Scored dev(100, 1, 5, 2);
    const Scored test(100, 1, 5, 3);
    std::size_t last = 0;
    RelatednessOptions options;
    options.progress = [&](std::size_t done, std::size_t total) {
        last = done;
        CHECK(total == 21);
    };
    const auto result = learn::relatedness(train.data(), dev.data(), test.data(), options);
    CHECK(result.pearson > 0.9);
    CHECK(result.spearman > 0.9);
    CHECK(result.devpearson > 0.9);
    CHECK(last * 50 == result.passes);
    double mse = 0;
    for (std::size_t i = 0; i < 100; ++i)
        mse += std::pow(result.yhat[i] - test.scores[i], 2) / 100;
    CHECK(result.mse == doctest::Approx(mse));
}

TEST_CASE("with its range a scale from zero is learned over its whole width")
{
    const Scored train(400, 0, 5, 1);
    const Scored dev(100, 0, 5, 2);
    const Scored test(100, 0, 5, 3);
    const auto plain = learn::relatedness(train.data(), dev.data(), test.data(), {});
    RelatednessOptions options;
    options.range = ScoreRange{0, 5};
    const auto ranged = learn::relatedness(train.data(), dev.data(), test.data(), options);
    CHECK(*std::min_element(plain.yhat.begin(), plain.yhat.end()) >= 1);
    CHECK(*std::min_element(ranged.yhat.begin(), ranged.yhat.end()) < 1);
    CHECK(ranged.mse < plain.mse);

    // A range of 1 ... 5 is the original's.
    const Scored same(400, 1, 5, 1);
    options.range = ScoreRange{1, 5};
    CHECK(learn::relatedness(same.data(), same.data(), same.data(), options).yhat ==
          learn::relatedness(same.data(), same.data(), same.data(), {}).yhat);
}

TEST_CASE("constant features correlate with nothing")
{
    const test::OwnColumns constant(arma::fmat(3, 50, arma::fill::ones));
    const Scored scored(50, 1, 5, 1);
    const ScoredDataset data{constant.features(), scored.scores};
    const auto result = learn::relatedness(data, data, data, {});
    CHECK(result.pearson == 0);
    CHECK(result.spearman == 0);
    CHECK(result.devpearson == 0);
}

TEST_CASE("a dev part that is always ordered the wrong way round has a model too")
{
    const Scored train(100, 1, 5, 1);
    // Two items: their correlation is 1 or -1. These are what the training part says, turned round.
    test::OwnColumns x(arma::fmat(6, 2, arma::fill::zeros));
    x.matrix(0, 0) = 1;
    x.matrix(0, 1) = -1;
    const std::vector<double> wrong{1, 5};
    const ScoredDataset dev{x.features(), wrong};
    const auto result = learn::relatedness(train.data(), dev, train.data(), {});
    CHECK(result.devpearson == doctest::Approx(-1));
    CHECK(result.pearson > 0.3); // of the first look's model
}

TEST_CASE("the normalisation of a relatedness model is chosen by the dev correlation")
{
    using embedding::Normalisation;
    const Scored train(120, 1, 5, 1);
    const Scored dev(60, 1, 5, 2);
    const Scored held(60, 1, 5, 3);
    RelatednessOptions options;
    const auto under = [&](std::vector<embedding::Treatment> kinds) {
        options.normalisations = std::move(kinds);
        return learn::relatedness(train.data(), dev.data(), held.data(), options);
    };
    const auto none = under({Normalisation::none});
    const auto z = under({Normalisation::z});
    const auto both = under({Normalisation::none, Normalisation::z});
    CHECK(none.devpearson != z.devpearson);
    CHECK(both.devpearson_of == std::vector<double>{none.devpearson, z.devpearson});
    CHECK(both.devpearson == std::max(none.devpearson, z.devpearson));
    const auto& best = both.normalisation == 0 ? none : z;
    CHECK(best.devpearson == both.devpearson);
    CHECK(both.yhat == best.yhat);

    // fitted on the training part
    const auto by_hand = [&](const Scored& part) {
        test::OwnColumns x(part.x.matrix);
        embedding::Normaliser(Normalisation::z, train.x.matrix).apply(x.matrix);
        return x;
    };
    const auto x = by_hand(train);
    const auto x_dev = by_hand(dev);
    const auto x_held = by_hand(held);
    options.normalisations = {Normalisation::none};
    CHECK(learn::relatedness({x.features(), train.scores}, {x_dev.features(), dev.scores},
                             {x_held.features(), held.scores}, options)
              .yhat == z.yhat);
}

TEST_CASE("scores that cannot be used are refused")
{
    Scored good(50, 1, 5, 1);
    const Scored zero(50, 0, 5, 1);
    const auto wide = test::small_problem(50, 7, 2, 1);
    RelatednessOptions options;
    const auto of = [&](const ScoredDataset& train, const ScoredDataset& dev,
                        const ScoredDataset& held) {
        return learn::relatedness(train, dev, held, options);
    };
    const auto of_one = [&](const Scored& data) {
        return of(data.data(), data.data(), data.data());
    };
    const ScoredDataset few{good.x.features(), std::span(good.scores).first(4)};
    CHECK_THROWS_AS(of({}, good.data(), good.data()), base::Error);
    CHECK_THROWS_AS(of(good.data(), few, good.data()), base::Error);
    CHECK_THROWS_AS(of(good.data(), {wide.x.features(), good.scores}, good.data()), base::Error);
    options.range = ScoreRange{1, 5};
    CHECK_THROWS_AS(of(good.data(), good.data(), zero.data()), base::Error);
    options.range = ScoreRange{5, 5};
    CHECK_THROWS_AS(of_one(good), base::UsageError);
    options.range.reset();
    good.scores[3] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(of_one(good), base::Error);

    options.normalisations.clear();
    CHECK_THROWS_AS(of_one(zero), base::UsageError);
    options.normalisations = {embedding::Normalisation::none};
    std::stop_source source;
    source.request_stop();
    options.stop = source.get_token();
    CHECK_THROWS_AS(of_one(zero), base::Cancelled);
}
