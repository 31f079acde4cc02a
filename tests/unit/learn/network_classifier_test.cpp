#include "learn/network_classifier.hpp"

#include "base/error.hpp"
#include "learn/design_matrix.hpp"
#include "support/support.hpp"
#include "vectors.hpp"

using namespace senteval;
using learn::DesignMatrix;
using learn::Settings;

namespace {

learn::Fit fit_one(const Settings& settings,
                   const learn::Examples& train,
                   const learn::Examples& dev,
                   std::size_t classes,
                   double strength,
                   std::uint32_t seed)
{
    const auto classifier = learn::make_classifier(settings);
    auto fits = classifier->fit({train, dev, classes, std::span(&strength, 1), seed, {}});
    return std::move(fits.front());
}

/// The settings of a recorded fit.
Settings settings_of(const base::Json& config)
{
    Settings settings;
    settings.nhid = config["nhid"].get<std::size_t>();
    settings.classifier = settings.nhid > 0 ? "mlp" : "softmax";
    settings.dropout = config.value("dropout", settings.dropout);
    settings.optim = config["optim"].get<std::string>();
    settings.batch_size = config["batch_size"].get<std::size_t>();
    settings.tenacity = config["tenacity"].get<std::size_t>();
    settings.epoch_size = config["epoch_size"].get<std::size_t>();
    settings.max_epoch = config.value("max_epoch", settings.max_epoch);
    return settings;
}

void check_parameters(const learn::AlignedVector<float>& layer,
                      std::size_t outputs,
                      const std::vector<double>& weight,
                      const std::vector<double>& bias)
{
    const std::size_t stride = layer.size() / outputs;
    const std::size_t inputs = weight.size() / outputs;
    for (std::size_t k = 0; k < outputs; ++k) {
        for (std::size_t f = 0; f < inputs; ++f)
            CHECK(std::fabs(static_cast<double>(layer[k * stride + f]) - weight[k * inputs + f]) <
                  5e-5);
        CHECK(std::fabs(static_cast<double>(layer[k * stride + inputs]) - bias[k]) < 5e-5);
    }
}

} // namespace

TEST_CASE("the recorded small fits are reproduced")
{
    const auto reference = test::reference_json("test_vectors.json");
    if (!reference)
        return;
    const auto& fits = (*reference)["small_fits"];
    const test::OwnColumns x(test::columns_of(fits["X"]));
    const auto y = fits["y"].get<std::vector<std::uint32_t>>();
    const DesignMatrix matrix(x.features());
    for (const auto& entry : fits["cases"]) {
        const Settings settings = settings_of(entry["config"]);
        const std::span rows(x.index);
        const auto train = entry["train_rows"].get<std::size_t>();
        CAPTURE(entry["name"].get<std::string>());
        const auto fit =
            fit_one(settings, {&matrix, y, rows.first(train)}, {&matrix, y, rows.subspan(train)}, 3,
                    entry["l2reg"].get<double>(), entry["seed"].get<std::uint32_t>());
        CHECK(fit.accuracy == entry["best"].get<double>());
        CHECK(fit.passes == settings.epoch_size * entry["dev_accuracy_of_blocks"].size());
        const auto& weights = dynamic_cast<const learn::NetworkModel&>(*fit.model).weights();
        const auto& expected = entry["parameters_of_best"];
        if (settings.nhid > 0)
            check_parameters(weights.hidden, settings.nhid, test::exact(expected[0]),
                             test::exact(expected[1]));
        check_parameters(weights.output, 3, test::exact(expected[expected.size() - 2]),
                         test::exact(expected[expected.size() - 1]));
    }
}

TEST_CASE("the original's fits on generated data are reproduced")
{
    const auto reference = test::reference_json("golden_fit.json");
    if (!reference)
        return;
    const test::GoldenProblem golden;
    const DesignMatrix matrix(golden.x.features());
    const std::span rows(golden.x.index);
    REQUIRE(golden.y[1] == (*reference)["y_first"][1].get<std::uint32_t>());
    for (const auto& run : (*reference)["runs"]) {
        const auto& config = run["config"];
        CAPTURE(config.dump());
        const double strength = run["l2reg"].get<double>();
        const auto seed = run["seed"].get<std::uint32_t>();
        const learn::Examples train{&matrix, golden.y, rows.first(450)};
        const auto fit = fit_one(settings_of(config), train, {&matrix, golden.y, rows.last(150)}, 3,
                                 strength, seed);
        CHECK(fit.accuracy == run["best"].get<double>());
        CHECK(fit.passes == run["nepoch"].get<std::size_t>());
    }
}

TEST_CASE("one class of the labels is learned with confidence")
{
    const auto problem = test::small_problem(200, 5, 3, 1);
    const DesignMatrix matrix(problem.x.features());
    for (const char* classifier : {"softmax", "mlp"}) {
        Settings settings;
        settings.classifier = classifier;
        settings.nhid = settings.classifier == "mlp" ? 20 : 0;
        settings.optim = "adam,lr=0.05";
        const auto fit = fit_one(settings, {&matrix, problem.y, problem.x.index}, {}, 3, 1e-5, 1);
        const auto predictions = fit.model->predict(matrix, problem.x.index);
        std::size_t correct = 0;
        for (std::size_t i = 0; i < 200; ++i) {
            correct += predictions[i].label == problem.y[i] ? 1 : 0;
            CHECK(predictions[i].confidence > 1 / 3.0 - 1e-6);
            CHECK(predictions[i].confidence <= 1);
        }
        CHECK(correct > 150);
    }
}

TEST_CASE("features formed by batch give the same model as stored ones")
{
    const auto problem = test::small_problem(150, 40, 2, 2);
    const DesignMatrix stored(problem.x.features());
    const DesignMatrix formed(problem.x.features(), {.memory_limit = 0});
    const auto weights = [&](const DesignMatrix& matrix) {
        const auto fit = fit_one({}, {&matrix, problem.y, problem.x.index}, {}, 2, 1e-4, 3);
        return dynamic_cast<const learn::NetworkModel&>(*fit.model).weights().output;
    };
    CHECK(weights(stored) == weights(formed));
}

TEST_CASE("a batch of more than all items is a batch of all of them, and takes no more memory")
{
    const auto problem = test::small_problem(150, 4, 2, 2);
    const DesignMatrix matrix(problem.x.features());
    for (const std::size_t nhid : {0U, 5U}) {
        Settings settings;
        settings.nhid = nhid;
        settings.classifier = nhid > 0 ? "mlp" : "softmax";
        settings.dropout = nhid > 0 ? 0.1 : 0;
        const auto weights = [&](std::size_t batch_size) {
            settings.batch_size = batch_size;
            const auto fit =
                fit_one(settings, {&matrix, problem.y, problem.x.index}, {}, 2, 1e-4, 3);
            return dynamic_cast<const learn::NetworkModel&>(*fit.model).weights().output;
        };
        CHECK(weights(1'000'000'000'000) == weights(143)); // 150 without 5 % held out
    }
}

TEST_CASE("settings out of range are refused")
{
    const auto refuse = [](auto change) {
        Settings settings;
        change(settings);
        CHECK_THROWS_AS(learn::make_classifier(settings), base::UsageError);
    };
    refuse([](Settings& s) { s.classifier = "mlp"; });
    refuse([](Settings& s) { s.nhid = 5; });
    refuse([](Settings& s) { s.dropout = 1; });
    refuse([](Settings& s) { s.dropout = -0.1; });
    refuse([](Settings& s) { s.batch_size = 0; });
    refuse([](Settings& s) { s.epoch_size = 0; });
    refuse([](Settings& s) { s.optim = "lion"; });
    refuse([](Settings& s) {
        s.classifier = "logreg-newton";
        s.max_iterations = 0;
    });
    Settings typo;
    typo.classifier = "sofmax";
    const std::string why =
        test::error_of<base::UsageError>([&] { return learn::make_classifier(typo); });
    CHECK(test::contains(why, {"'sofmax'", "'softmax'", "mlp", "logreg-newton"}));
}

TEST_CASE("too few items for the hold-out are refused, and a stop is heard")
{
    const auto problem = test::small_problem(30, 4, 2, 2);
    const DesignMatrix matrix(problem.x.features());
    const std::span rows(problem.x.index);
    CHECK_THROWS_AS(fit_one({}, {&matrix, problem.y, rows.first(19)}, {}, 2, 1e-4, 1), base::Error);
    std::stop_source source;
    source.request_stop();
    const double strength = 1e-4;
    CHECK_THROWS_AS(
        (void)learn::make_classifier({})->fit(
            {{&matrix, problem.y, rows}, {}, 2, std::span(&strength, 1), 1, source.get_token()}),
        base::Cancelled);
}

TEST_CASE("sparse rows train the same models as dense ones, to the bit, with every kernel")
{
    // Words as a one-hot encoder numbers them: some are frequent, and most occur once or twice.
    constexpr std::size_t items = 150;
    constexpr std::size_t words = 700;
    test::Lcg random(3);
    arma::fmat bag(words, items, arma::fill::zeros);
    std::vector<std::uint32_t> labels;
    for (arma::uword i = 0; i < items; ++i) {
        const std::size_t length = i % 10 == 9 ? 0 : 4 + i % 9;
        for (std::size_t n = 0; n < length; ++n) {
            const double u = (random.next() + 1) / 2;
            bag(static_cast<arma::uword>(words * u * u * u), i) = n % 4 == 0 ? 0.3F : 1.0F;
        }
        labels.push_back(
            static_cast<std::uint32_t>((bag(0, i) > 0 ? 1 : 0) + (i % 5 == 0 ? 1 : 0)));
    }
    const test::OwnColumns x(bag);
    const DesignMatrix sparse(x.features());
    const DesignMatrix dense(x.features(), {.sparse_share = 0});
    REQUIRE(sparse.sparse());
    REQUIRE(dense.stored());
    const auto rows = test::first_numbers(items);
    const std::span<const std::uint32_t> train = std::span(rows).first(110);
    const std::span<const std::uint32_t> dev = std::span(rows).subspan(110);
    const double strengths[] = {1e-5, 1e-2};

    for (const learn::Kernels* kernels : learn::available_kernels())
        for (const char* optim : {"adam", "rmsprop", "sgd,lr=0.1,momentum=0.9"})
            for (const std::size_t nhid : {0U, 5U}) {
                CAPTURE(kernels->name);
                CAPTURE(optim);
                Settings settings;
                settings.classifier = nhid > 0 ? "mlp" : "softmax";
                settings.nhid = nhid;
                settings.optim = optim;
                settings.batch_size = 32;
                settings.max_epoch = 12;
                const learn::NetworkClassifier classifier(settings, *kernels);
                const auto fit = [&](const DesignMatrix& matrix) {
                    return classifier.fit(
                        {{&matrix, labels, train}, {&matrix, labels, dev}, 3, strengths, 1111, {}});
                };
                const auto by_sparse = fit(sparse);
                const auto by_dense = fit(dense);
                REQUIRE(by_sparse.size() == 2);
                for (std::size_t s = 0; s < 2; ++s) {
                    const auto weights = [&](const learn::Fit& one) {
                        return dynamic_cast<const learn::NetworkModel&>(*one.model).weights();
                    };
                    CHECK(weights(by_sparse[s]).output == weights(by_dense[s]).output);
                    CHECK(weights(by_sparse[s]).hidden == weights(by_dense[s]).hidden);
                    CHECK(by_sparse[s].accuracy == by_dense[s].accuracy);
                    CHECK(by_sparse[s].passes == by_dense[s].passes);
                    const auto predicted = by_sparse[s].model->predict(sparse, rows);
                    const auto expected = by_dense[s].model->predict(dense, rows);
                    for (std::size_t i = 0; i < items; ++i) {
                        CHECK(predicted[i].label == expected[i].label);
                        CHECK(predicted[i].confidence == expected[i].confidence);
                    }
                }
            }
}
