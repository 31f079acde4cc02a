// Training that is stopped, resumed, or given another checkpoint.
#include "train/checkpoint.hpp"
#include "train/trainer.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "made_corpus.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

using namespace senteval;
using paragram::Kind;
using test::settings_of;
using test::trained;
using train::ModelState;
using train::Trainer;
using train::TrainOptions;
using train::TrainSettings;

TEST_CASE("a training that is stopped and resumed gives the bytes of one that was not")
{
    const test::MadeCorpus made(60, 20, 301);
    for (const Kind kind : {Kind::word, Kind::lstm}) {
        CAPTURE(static_cast<int>(kind));
        const TrainSettings settings = settings_of(kind, 20);
        const auto dev = [](const ModelState& model) {
            return -static_cast<double>(model.words[7]);
        };
        TrainOptions undisturbed;
        undisturbed.dev = dev;
        const ModelState expected = trained(made, settings, undisturbed);
        for (const std::size_t after : {1U, 3U, 5U, 8U}) { // looks at the progress
            CAPTURE(after);
            TrainOptions options;
            options.dev = dev;
            options.checkpoint = made.scratch / "checkpoint";
            options.checkpoint_every = 3;
            std::filesystem::remove(options.checkpoint);
            std::stop_source stop;
            options.stop = stop.get_token();
            std::size_t looks = 0;
            options.progress = [&](const train::TrainProgress&) {
                if (++looks == after)
                    stop.request_stop();
            };
            CHECK_THROWS_AS(trained(made, settings, options), core::Cancelled);
            options.stop = {};
            options.threads = 2;
            Trainer again(made.corpus, *made.vectors, settings, options);
            CHECK(again.resume());
            CHECK(again.train() == expected);
            CHECK(again.reports().size() == settings.epochs);
        }
    }
}

TEST_CASE("a checkpoint of another training, or a damaged one, is refused")
{
    const test::MadeCorpus made(60, 6, 120);
    TrainSettings settings = settings_of(Kind::word);
    TrainOptions options;
    options.checkpoint = made.scratch / "checkpoint";
    Trainer trainer(made.corpus, *made.vectors, settings, options);
    CHECK_FALSE(trainer.resume());
    trainer.train();
    settings.margin = 0.5;
    CHECK_THROWS_WITH_AS(Trainer(made.corpus, *made.vectors, settings, options).resume(),
                         doctest::Contains("another training"), core::UsageError);
    std::string bytes = core::read_file(options.checkpoint);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    core::write_file_atomically(options.checkpoint, bytes);
    CHECK_THROWS_WITH_AS(trainer.resume(), doctest::Contains("damaged"), core::Error);
}

TEST_CASE("what is reported of an epoch does not depend on checkpoints, stops or threads")
{
    const test::MadeCorpus made(60, 20, 301);
    TrainSettings settings = settings_of(Kind::word, 20);
    settings.batch = 4; // more of them than are run at once
    const auto losses = [&](Trainer& trainer) {
        trainer.train();
        std::vector<double> values;
        for (const train::EpochReport& report : trainer.reports())
            values.insert(values.end(), {report.loss, report.separation});
        return values;
    };
    Trainer undisturbed(made.corpus, *made.vectors, settings, {});
    const std::vector<double> expected = losses(undisturbed);
    for (const std::size_t every : {1U, 5U, 7U, 40U}) {
        CAPTURE(every);
        TrainOptions options;
        options.checkpoint = made.scratch / "checkpoint";
        options.checkpoint_every = every;
        options.threads = 2;
        Trainer whole(made.corpus, *made.vectors, settings, options);
        CHECK(losses(whole) == expected);
        std::stop_source stop;
        options.stop = stop.get_token();
        std::size_t looks = 0;
        options.progress = [&](const train::TrainProgress&) {
            if (++looks == 3)
                stop.request_stop();
        };
        CHECK_THROWS_AS(trained(made, settings, options), core::Cancelled);
        options.stop = {};
        options.checkpoint_every = 0;
        Trainer resumed(made.corpus, *made.vectors, settings, options);
        CHECK(resumed.resume());
        CHECK(losses(resumed) == expected);
    }
}

TEST_CASE("a checkpoint is resumed for more epochs, and not for fewer than it has seen")
{
    const test::MadeCorpus made(60, 6, 120);
    TrainSettings settings = settings_of(Kind::word);
    const ModelState three = trained(made, settings);
    TrainOptions options;
    options.checkpoint = made.scratch / "checkpoint";
    settings.epochs = 2;
    const ModelState two = trained(made, settings, options);
    Trainer again(made.corpus, *made.vectors, settings, options);
    REQUIRE(again.resume());
    CHECK(again.train() == two);
    settings.epochs = 3;
    Trainer further(made.corpus, *made.vectors, settings, options);
    REQUIRE(further.resume());
    CHECK(further.train() == three);
    settings.epochs = 2;
    Trainer back(made.corpus, *made.vectors, settings, options);
    CHECK_THROWS_WITH_AS(back.resume(), doctest::Contains("has passed epoch 2"), core::UsageError);
}

TEST_CASE("only checkpoints are replaced or removed")
{
    const test::MadeCorpus made(60, 6, 120);
    TrainOptions options;
    options.checkpoint = made.scratch.write("notes", "mine\n");
    CHECK_THROWS_WITH_AS(trained(made, settings_of(Kind::word), options),
                         doctest::Contains("is no checkpoint"), core::Error);
    train::remove_checkpoint(options.checkpoint);
    CHECK(core::read_file(options.checkpoint) == "mine\n");
    std::filesystem::create_symlink("target", made.scratch / "link");
    options.checkpoint = made.scratch / "link";
    trained(made, settings_of(Kind::word), options);
    CHECK(train::is_checkpoint(made.scratch / "target"));
    train::remove_checkpoint(options.checkpoint);
    CHECK_FALSE(std::filesystem::exists(made.scratch / "target"));
}
