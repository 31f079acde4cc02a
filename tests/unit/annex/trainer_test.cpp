#include "annex/trainer.hpp"

#include "base/error.hpp"
#include "base/files.hpp"
#include "made_corpus.hpp"
#include "support/support.hpp"

#include <stop_token>

using namespace senteval;
using annex::ModelState;
using annex::Trainer;
using annex::TrainOptions;
using annex::TrainSettings;
using paragram::Activation;
using paragram::Architecture;
using paragram::Kind;
using test::settings_of;
using test::trained;

namespace {

const Kind kinds[] = {
    Kind::word, Kind::projection,         Kind::dan, Kind::rnn, Kind::identity_rnn,
    Kind::lstm, Kind::lstm_no_output_gate};

} // namespace

TEST_CASE("a model has the same bytes on any number of threads")
{
    const test::MadeCorpus made(60, 6, 301);
    for (const Kind kind : kinds)
        for (const double clip : {0.0, 0.05}) {
            CAPTURE(static_cast<int>(kind));
            CAPTURE(clip);
            TrainSettings settings = settings_of(kind);
            settings.clip = clip;
            settings.negatives = annex::Negatives::mix;
            TrainOptions two;
            two.threads = 2;
            TrainOptions three;
            three.threads = 3;
            const ModelState one = trained(made, settings);
            CHECK(one == trained(made, settings, two));
            CHECK(one == trained(made, settings, three));
            settings.seed = 2;
            CHECK_FALSE(one == trained(made, settings));
        }
}

TEST_CASE("means of words, of whole lines or not, have the same bytes on any number of threads")
{
    for (const std::size_t dimension : {17U, 50U}) {
        const test::MadeCorpus made(60, dimension, 301);
        for (const double penalty : {0.0, 0.05})
            for (const double clip : {0.0, 0.05})
                for (const auto negatives : {annex::Negatives::max, annex::Negatives::mix}) {
                    CAPTURE(dimension);
                    CAPTURE(penalty);
                    CAPTURE(clip);
                    CAPTURE(static_cast<int>(negatives));
                    TrainSettings settings = settings_of(Kind::word, dimension);
                    settings.epochs = 1;
                    settings.l2_words = penalty;
                    settings.clip = clip;
                    settings.negatives = negatives;
                    const ModelState one = trained(made, settings);
                    for (const unsigned threads : {2U, 4U}) {
                        CAPTURE(threads);
                        TrainOptions options;
                        options.threads = threads;
                        CHECK(one == trained(made, settings, options));
                    }
                }
    }
}

TEST_CASE("every model learns to tell its pairs from others")
{
    const test::MadeCorpus made(60, 6, 120);
    for (const Kind kind : kinds) {
        CAPTURE(static_cast<int>(kind));
        TrainSettings settings = settings_of(kind);
        settings.epochs = 40;
        settings.l2_words = 0;
        for (const std::string optimiser : {"adam,lr=0.01", "adagrad,lr=0.05"}) {
            CAPTURE(optimiser);
            settings.optimiser = optimiser;
            Trainer trainer(made.corpus, *made.vectors, settings, {});
            trainer.train();
            REQUIRE(trainer.reports().size() == 40);
            CHECK(trainer.reports().back().loss < 0.7 * trainer.reports().front().loss);
            CHECK(trainer.reports().back().separation > trainer.reports().front().separation);
        }
    }
}

TEST_CASE("the best epoch on the development set is kept")
{
    const test::MadeCorpus made(60, 6, 120);
    const TrainSettings settings = settings_of(Kind::word);
    std::vector<ModelState> seen;
    TrainOptions options;
    options.dev = [&](const ModelState& model) {
        seen.push_back(model);
        return seen.size() == 2 ? 0.5 : 0.4;
    };
    Trainer trainer(made.corpus, *made.vectors, settings, options);
    const ModelState best = trainer.train();
    REQUIRE(seen.size() == 3);
    CHECK(best == seen[1]);
    CHECK(trainer.chosen_epoch() == 2);
    CHECK_FALSE(seen[2] == seen[1]);
}

TEST_CASE("a similarity head trains the model below it, with the same bytes on any threads")
{
    test::MadeCorpus made(60, 6, 301);
    for (std::size_t pair = 0; pair < made.corpus.pairs(); ++pair) // as many words, as similar
        made.corpus.scores[pair] =
            0.5F * static_cast<float>(std::min(made.corpus.phrase(pair, 0).size(),
                                               made.corpus.phrase(pair, 1).size()));
    for (const Kind kind : {Kind::word, Kind::lstm}) {
        CAPTURE(static_cast<int>(kind));
        TrainSettings settings = settings_of(kind);
        settings.scores = annex::range_of(made.corpus.scores);
        settings.hidden = 5;
        Trainer trainer(made.corpus, *made.vectors, settings, {});
        const ModelState expected = trainer.train();
        CHECK(trainer.reports().back().loss < 0.9 * trainer.reports().front().loss);
        CHECK(expected.parameters.size() == paragram::parameter_count(settings.architecture));
        TrainOptions options;
        options.threads = 3;
        CHECK(trained(made, settings, options) == expected);
    }
}

TEST_CASE("a training that is stopped and resumed gives the bytes of one that was not")
{
    const test::MadeCorpus made(60, 20, 301);
    for (const Kind kind : {Kind::word, Kind::lstm})
        for (const std::size_t after : {1U, 3U, 5U, 8U}) { // looks at the progress
            CAPTURE(after);
            const TrainSettings settings = settings_of(kind, 20);
            TrainOptions options;
            options.dev = [](const ModelState& model) {
                return -static_cast<double>(model.words[7]);
            };
            Trainer undisturbed(made.corpus, *made.vectors, settings, options);
            const ModelState expected = undisturbed.train();
            options.checkpoint = made.scratch / "checkpoint";
            options.checkpoint_every = 3;
            std::filesystem::remove(options.checkpoint);
            std::stop_source stop;
            options.stop = stop.get_token();
            std::size_t looks = 0;
            options.progress = [&](const annex::TrainProgress&) {
                if (++looks == after)
                    stop.request_stop();
            };
            CHECK_THROWS_AS(trained(made, settings, options), base::Cancelled);
            options.stop = {};
            options.threads = 2;
            Trainer again(made.corpus, *made.vectors, settings, options);
            CHECK(again.resume());
            CHECK(again.train() == expected);
            CHECK(again.chosen_epoch() == undisturbed.chosen_epoch());
            REQUIRE(again.reports().size() == settings.epochs);
            for (std::size_t i = 0; i < settings.epochs; ++i)
                CHECK(again.reports()[i].loss == undisturbed.reports()[i].loss);
        }
}

TEST_CASE(
    "a checkpoint is resumed for more epochs; that of another training, or a part, is refused")
{
    const test::MadeCorpus made(60, 6, 120);
    TrainSettings settings = settings_of(Kind::word);
    const ModelState three = trained(made, settings);
    TrainOptions options;
    options.checkpoint = made.scratch / "checkpoint";
    settings.epochs = 2;
    (void)trained(made, settings, options);
    settings.epochs = 3;
    Trainer further(made.corpus, *made.vectors, settings, options);
    REQUIRE(further.resume());
    CHECK(further.train() == three);
    settings.epochs = 2;
    CHECK_THROWS_AS(Trainer(made.corpus, *made.vectors, settings, options).resume(),
                    base::UsageError);
    settings.epochs = 3;
    settings.margin = 0.5;
    CHECK_THROWS_AS(Trainer(made.corpus, *made.vectors, settings, options).resume(),
                    base::UsageError);
    settings.margin = settings_of(Kind::word).margin;
    const std::string bytes = base::read_file(options.checkpoint);
    for (const std::string& other : {bytes.substr(0, bytes.size() - 1), std::string("mine\n")}) {
        base::write_file_atomically(options.checkpoint, other);
        CHECK_THROWS_AS(Trainer(made.corpus, *made.vectors, settings, options).resume(),
                        base::Error);
    }
    CHECK_FALSE(annex::may_be_checkpoint(options.checkpoint));
}

TEST_CASE("a training whose numbers are none any more ends with where and what to do")
{
    const test::MadeCorpus made(60, 6, 120);
    for (const Kind kind : {Kind::word, Kind::projection, Kind::identity_rnn, Kind::lstm})
        for (const char* const optimiser : {"adam,lr=1e30", "adagrad,lr=1e25"}) {
            CAPTURE(static_cast<int>(kind));
            CAPTURE(optimiser);
            TrainSettings settings = settings_of(kind);
            settings.l2_words = 0;
            settings.l2 = 0;
            settings.optimiser = optimiser;
            try {
                trained(made, settings);
                FAIL("trained to the end");
            } catch (const base::UsageError&) {
                FAIL("is no error of usage");
            } catch (const base::Error& error) {
                CAPTURE(error.what());
                CHECK(test::contains(error.what(), "minibatch"));
                CHECK(test::contains(error.what(), "smaller lr"));
            }
        }
}

TEST_CASE("an epoch after which all sentences are alike says so, and one that learns does not")
{
    const test::MadeCorpus made(60, 6, 120);
    TrainSettings settings = settings_of(Kind::dan);
    Trainer healthy(made.corpus, *made.vectors, settings, {});
    healthy.train();
    CHECK_FALSE(healthy.reports().back().is_collapsed);
    settings.architecture.activation = Activation::relu;
    settings.universal.assign(paragram::parameter_count(settings.architecture), 0.0F); // dead
    Trainer dead(made.corpus, *made.vectors, settings, {});
    dead.train();
    REQUIRE(dead.reports().size() == 3);
    CHECK(dead.reports().back().is_collapsed);
}

TEST_CASE("epochs without a development score are never the best, and the last is kept without any")
{
    const test::MadeCorpus made(60, 6, 120);
    const TrainSettings settings = settings_of(Kind::word);
    const ModelState last = trained(made, settings);
    TrainOptions options;
    std::size_t epochs = 0;
    options.dev = [&](const ModelState&) { return epochs++ == 1 ? 0.5 : std::nan(""); };
    Trainer some(made.corpus, *made.vectors, settings, options);
    some.train();
    CHECK(some.chosen_epoch() == 2);
    options.dev = [](const ModelState&) { return std::nan(""); };
    Trainer none(made.corpus, *made.vectors, settings, options);
    CHECK(none.train() == last);
    CHECK(none.chosen_epoch() == 3);
    CHECK_FALSE(none.reports().back().dev.has_value());
}

TEST_CASE("a strong penalty keeps a model at the parameters it was given")
{
    const test::MadeCorpus made(60, 6, 120);
    TrainSettings settings = settings_of(Kind::projection);
    settings.l2_words = 0;
    settings.l2 = 0;
    settings.universal = trained(made, settings).parameters;
    const auto distance = [&](double l2) {
        settings.l2 = l2;
        const ModelState model = trained(made, settings);
        double sum = 0;
        for (std::size_t i = 0; i < model.parameters.size(); ++i)
            sum += std::abs(static_cast<double>(model.parameters[i] - settings.universal[i]));
        return sum;
    };
    const double free = distance(0);
    CHECK(free > 0);
    CHECK(distance(100) < 0.5 * free);
}

TEST_CASE("settings that cannot be are refused")
{
    const test::MadeCorpus made(60, 6, 20);
    const auto error_of = [&](auto&& change) {
        TrainSettings settings = settings_of(Kind::word);
        change(settings);
        CHECK_THROWS_AS(trained(made, settings), base::UsageError);
    };
    error_of([](TrainSettings& s) { s.batch = 1; });
    error_of([](TrainSettings& s) { s.optimiser = "sgd,lr=0.1"; });
    error_of([](TrainSettings& s) { s.l2_words = 200; });
    error_of([](TrainSettings& s) { s.fixed_words = true; });
}
