// fakes.hpp -- tasks, encoders and an observer for the tests of a run.
#pragma once

#include "base/error.hpp"
#include "results/store.hpp"
#include "run/evaluate.hpp"
#include "run/record.hpp"
#include "support/plain_encoder.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace senteval::test {

/// Two sentences; the metric is the sum of all elements of their vectors plus the seed.
class FakeTask : public task::Task {
public:
    explicit FakeTask(const std::string& name, bool uses_seed = true) : uses_seed_(uses_seed)
    {
        info_.name = name;
        info_.groups = {"fake"};
        info_.protocol = "adds up";
        info_.metrics = {{"acc", "accuracy", results::percent, 2, true, {"accuracy", ""}}};
        info_.headline = "acc";
    }
    std::function<void()> in_load = [] {};
    std::function<void()> in_run = [] {};
    std::vector<std::string> more;           ///< sentences, of two words each
    base::Json fixed = base::Json::object(); ///< settings beside the seed

    [[nodiscard]] const task::Info& info() const override { return info_; }
    [[nodiscard]] base::Json protocol_settings(const task::Settings& settings) const override
    {
        base::Json json = fixed;
        if (uses_seed_)
            json["seed"] = settings.seed;
        return json;
    }
    [[nodiscard]] std::unique_ptr<task::LoadedTask> load(task::DataFolder& data) const override
    {
        in_load();
        if (!data.path("").empty())
            (void)data.open("file.txt");
        return std::make_unique<Loaded>(*this);
    }

private:
    class Loaded : public task::LoadedTask {
    public:
        explicit Loaded(const FakeTask& task) : task_(task)
        {
            for (const std::string& sentence : task.more)
                sentences_.push_back({sentence, 2});
        }
        [[nodiscard]] std::span<const text::Sentence> samples() const override
        {
            return sentences_;
        }
        [[nodiscard]] task::ItemText item(std::uint32_t item) const override
        {
            return item == 0 ? task::ItemText{sentences_[0], {}, false}
                             : task::ItemText{sentences_[0], sentences_[1], true};
        }
        [[nodiscard]] task::Result run(task::Context& context) const override
        {
            const arma::fmat vectors = context.session.embed(sentences_).matrix();
            task_.in_run();
            if (context.progress)
                context.progress(1, 1);
            task::Result result;
            result.metrics["acc"] =
                double(arma::accu(vectors)) + (task_.uses_seed_ ? context.settings.seed : 0);
            result.outcomes.kind = "class";
            result.outcomes.groups = {""};
            result.outcomes.rows = {{0, 0, 1, 1, 0.5}, {1, 0, 1, 0, 0.5}};
            return result;
        }

    private:
        const FakeTask& task_;
        std::vector<text::Sentence> sentences_ = {{"a b", 2}, {"b c", 2}};
    };

    task::Info info_;
    bool uses_seed_;
};

/// The two elements of a vector are 2 together, and how they share that depends on the text. Knows the
/// word "b".
class FakeEncoder : public PlainEncoder {
public:
    FakeEncoder(encoder::Identity identity, encoder::Capabilities capabilities)
    {
        named = std::move(identity);
        can = capabilities;
    }
    float when_alone = 0; ///< is moved from one element to the other in batches of one sentence
    void
    encode(std::span<const text::Sentence> batch, float* out, const encoder::CallContext&) override
    {
        for (const text::Sentence& sentence : batch) {
            unsigned sum = 0;
            for (const char c : sentence.text)
                sum += static_cast<unsigned char>(c);
            const float share = static_cast<float>(sum % 64) / 64;
            const float moved = batch.size() == 1 ? when_alone : 0;
            *out++ = 1 + share + moved;
            *out++ = 1 - share - moved;
        }
    }
    bool count_known(std::span<const text::Sentence> batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) override
    {
        for (std::size_t i = 0; i < batch.size(); ++i) {
            tokens[i] = batch[i].tokens;
            known[i] = batch[i].text.find('b') != std::string_view::npos ? 1 : 0;
        }
        return true;
    }
};

/// Counts how often the encoder was made.
struct FakeSource {
    explicit FakeSource(const std::string& label = "fake", const std::string& fingerprint = "0f0f")
    {
        source.identity.label = label;
        source.identity.id = "test.fake";
        source.identity.version = "1";
        source.identity.fingerprint = fingerprint;
        source.capabilities = {.concurrent = true, .batch_invariant = true, .deterministic = true};
        source.create = [this] {
            ++created;
            in_create();
            auto encoder = std::make_unique<FakeEncoder>(source.identity, source.capabilities);
            encoder->when_alone = when_alone;
            return encoder;
        };
    }
    FakeSource(const FakeSource&) = delete;
    FakeSource& operator=(const FakeSource&) = delete;
    FakeSource(FakeSource&&) = delete;
    FakeSource& operator=(FakeSource&&) = delete;
    ~FakeSource() = default;

    std::function<void()> in_create = [] {};
    int created = 0;
    float when_alone = 0; ///< of the encoder
    run::EncoderSource source;
};

/// Writes down what it is told, one line each.
class Protocol : public run::Observer {
public:
    std::vector<std::string> lines;
    std::vector<results::Cell> cells;
    std::size_t cells_started = 0;

    void started(const std::string& encoder, const std::string& task, std::size_t count) override
    {
        lines.push_back("started " + encoder + " " + task);
        cells_started += count;
    }
    void finished(const results::Cell& cell) override { add("finished", cell); }
    void kept(const results::Cell& cell) override { add("kept", cell); }
    void warned(const std::string& what) override { lines.push_back("warned " + what); }
    void skipped(const std::string& why) override { lines.push_back("skipped " + why); }
    void warned_of_data(const std::string& task, const std::vector<std::string>& warnings) override
    {
        for (const std::string& warning : warnings)
            lines.push_back("warned of data " + task + ": " + warning);
    }
    void failed(const run::Failure& failure) override
    {
        lines.push_back("failed " + failure.encoder + " " + failure.task + ": " + failure.why);
    }

private:
    void add(const std::string& what, const results::Cell& cell)
    {
        lines.push_back(what + " " + cell.result.encoder.label + " " +
                        cell.result.metrics.at("acc").dump());
        cells.push_back(cell);
    }
};

} // namespace senteval::test
