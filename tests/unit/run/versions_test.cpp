// An encoder that no file identifies is known by what it says.
#include "base/files.hpp"
#include "fakes/fakes.hpp"
#include "support/support.hpp"

#include <set>

using namespace senteval;
using test::FakeTask;

namespace {

/// Vectors of a checkpoint: those of FakeEncoder times `weight`, which grows by `noise` with each call.
struct Checkpoint {
    double weight = 1;
    bool prepares = false;
    const char* unseen = "program";
    double noise = 0;
};

class Trained final : public test::FakeEncoder {
public:
    Trained(encoder::Identity identity, const Checkpoint& of, std::size_t& asked)
        : FakeEncoder(std::move(identity), {.batch_invariant = true}), of_(of), asked_(asked)
    {
    }
    [[nodiscard]] bool has_prepare() const override { return of_.prepares; }
    void encode(std::span<const text::Sentence> batch,
                float* out,
                const encoder::CallContext& c) override
    {
        FakeEncoder::encode(batch, out, c);
        asked_ += batch.size();
        of_.weight *= 1 + of_.noise;
        for (std::size_t i = 0; i < 2 * batch.size(); ++i)
            out[i] *= static_cast<float>(of_.weight);
    }

private:
    Checkpoint of_;
    std::size_t& asked_;
};

/// A store that runs follow each other in.
struct Trial {
    test::ScratchFolder folder;
    results::Store store{folder / "results"};
    run::EvaluateOptions options;
    const FakeTask mr{"MR", false};
    const FakeTask cr{"CR", false};
    std::size_t asked = 0; ///< sentences, by the last run
    std::string declared = "0f0f";
    Trial() { options.store = &store; }

    /// What happened to each cell, with its number, '!' before it where something was said.
    std::string run(const Checkpoint& of, const std::vector<const task::Task*>& tasks)
    {
        run::EncoderSource source;
        source.identity.label = "mine";
        source.identity.id = "test.mine";
        source.identity.unseen = of.unseen;
        source.identity.fingerprint = declared;
        source.create = [&] { return std::make_unique<Trained>(source.identity, of, asked); };
        asked = 0;
        test::Protocol told;
        run::evaluate({&source, 1}, tasks,
                      run::in_order(run::all_units(1, tasks, std::vector<task::Settings>(1))),
                      options, told);
        std::string all;
        for (const std::string& line : told.lines)
            if (line.starts_with("warned "))
                all += "!";
            else if (!line.starts_with("started "))
                all += fmt::format("{} {:.1f} ", line.substr(0, line.find(' ')),
                                   std::stod(line.substr(line.rfind(' '))));
        return all;
    }
    [[nodiscard]] std::size_t rows() const
    {
        std::set<std::string> all;
        for (const results::Result& result : store.records())
            all.insert(result.encoder.fingerprint);
        return all.size();
    }
};

} // namespace

TEST_CASE("each checkpoint under one name has its own numbers, and is known again")
{
    for (const bool prepares : {false, true}) {
        Trial trial;
        CHECK(trial.run({1, prepares}, {&trial.mr, &trial.cr}) == "finished 4.0 finished 4.0 ");
        for (const auto& [weight, number] : {std::pair{2, "8.0 "}, {3, "12.0 "}, {4, "16.0 "}})
            CHECK(trial.run({double(weight), prepares}, {&trial.mr, &trial.cr}) ==
                  "!finished " + std::string(number) + "finished " + number);
        CHECK(trial.rows() == 4);
        CHECK(trial.run({2, prepares}, {&trial.mr, &trial.cr}) == "kept 8.0 kept 8.0 ");
        CHECK(trial.asked <= (prepares ? 8 : 4)); // the texts, and some again: claims are tried
        trial.options.overwrite = run::Overwrite::always;
        CHECK(trial.run({3, prepares}, {&trial.mr}) == "finished 12.0 ");
        CHECK(trial.rows() == 4);
    }
}

TEST_CASE("tasks that runs of their own compute come together, and no checkpoint gets another's")
{
    for (const bool prepares : {false, true}) {
        Trial trial;
        const std::string joined =
            prepares ? "!" : ""; // vectors of another task's texts say nothing
        CHECK(trial.run({1, prepares}, {&trial.mr}) == "finished 4.0 ");
        CHECK(trial.run({1, prepares}, {&trial.cr}) == joined + "finished 4.0 ");
        CHECK(trial.run({2, prepares}, {&trial.mr}) == "!finished 8.0 ");
        CHECK(trial.run({2, prepares}, {&trial.cr}) == joined + "finished 8.0 ");
        CHECK(trial.run({1, prepares}, {&trial.cr}) == "kept 4.0 ");
        CHECK(trial.run({2, prepares}, {&trial.cr, &trial.mr}) == "kept 8.0 kept 8.0 ");
        CHECK(trial.rows() == 2);
    }
}

TEST_CASE("rounding is no other encoder, and of a server neither is a little more")
{
    const auto after = [](const Checkpoint& second) {
        Trial trial;
        trial.run({1, false, second.unseen}, {&trial.mr});
        return trial.run(second, {&trial.mr});
    };
    CHECK(after({1 + 2e-7}) == "kept 4.0 ");
    CHECK(after({1 + 1e-5}) == "!finished 4.0 ");
    CHECK(after({1 + 1e-5, false, "server"}) == "!kept 4.0 ");
    CHECK(after({1 - 2e-5, false, "server", 4e-5}) ==
          "kept 4.0 "); // its two answers differ as much
    CHECK(after({1 + 1e-3, false, "server"}) == "!finished 4.0 ");
    CHECK(after({2, false, "server", 2e-5}) == "!finished 8.0 ");

    Trial drifting; // by little steps, away from the first
    drifting.run({1, false, "server"}, {&drifting.mr});
    CHECK(drifting.run({1 + 8e-5, false, "server"}, {&drifting.mr}) == "!kept 4.0 ");
    CHECK(drifting.run({1 + 16e-5, false, "server"}, {&drifting.mr}) == "!finished 4.0 ");
}

TEST_CASE("results of an encoder that was not asked are computed anew once")
{
    Trial trial;
    trial.run({1}, {&trial.mr});
    results::Cell old = trial.store.find(trial.store.records().at(0)).value();
    trial.store.remove(old.result);
    CHECK(std::filesystem::is_empty(trial.store.folder()));
    old.result.encoder.fingerprint = trial.declared;
    old.result.encoder.declared = "";
    trial.store.save(old);

    trial.options.overwrite = run::Overwrite::never;
    CHECK(trial.run({2}, {&trial.mr}) == "kept 4.0 ");
    CHECK(trial.asked == 0);
    trial.options.overwrite = run::Overwrite::missing;
    CHECK(trial.run({2}, {&trial.mr}) == "!finished 8.0 ");
    CHECK(trial.run({2}, {&trial.mr}) == "kept 8.0 ");
    CHECK(trial.rows() == 2);
    trial.options.overwrite = run::Overwrite::never;
    CHECK(trial.run({1}, {&trial.mr}) == "kept 8.0 "); // nobody asks
    CHECK(trial.asked == 0);
}

TEST_CASE("a cached vector is of the version that is at work")
{
    Trial trial;
    const encoder::EmbeddingCache cache(trial.folder / "cache", 1U << 20U);
    trial.options.cache = &cache;
    for (const bool is_stored : {true, false}) {
        trial.options.store = is_stored ? &trial.store : nullptr;
        trial.options.overwrite = run::Overwrite::always;
        trial.run({1}, {&trial.mr});
        CHECK(trial.run({2}, {&trial.mr}).ends_with("finished 8.0 "));
        CHECK(trial.run({1}, {&trial.mr}) == "finished 4.0 ");
    }
}
