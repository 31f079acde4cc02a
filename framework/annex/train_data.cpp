#include "annex/train_command.hpp"
#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/fingerprint.hpp"
#include "base/home.hpp"
#include "encoder/encoder.hpp"
#include "encoder/session.hpp"
#include "host/data_needed.hpp"
#include "task/data_folder.hpp"
#include "task/selection.hpp"
#include "tasks/custom/custom.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <span>

namespace senteval::annex {
namespace {

bool has_data(const task::Task& task, const std::filesystem::path& data)
{
    return std::ranges::all_of(task.info().files, [&](const std::string& file) {
        return std::filesystem::exists(data / file);
    });
}

void add_sentences(const task::Task& task,
                   const std::filesystem::path& data,
                   bool is_excluded,
                   EvaluatedSentences& sentences)
{
    task::DataFolder folder(data);
    const auto loaded = task.load(folder);
    sentences.begin(task.info().name, is_excluded);
    for (const text::Sentence& sentence : loaded->samples())
        sentences.add(sentence.text);
}

std::string told(const PairSource& source, const PairFileCounts& counts)
{
    std::string text =
        fmt::format("{}: {}", source.file.string(), base::counted(counts.pairs, "pair"));
    if (source.threshold)
        text += fmt::format(", {} below {}", counts.below, *source.threshold);
    if (counts.bad > 0)
        text += fmt::format("; warning: {} of {} lines cannot be used:", counts.bad, counts.lines);
    for (const std::string& line : counts.bad_lines)
        text += "\n    " + line;
    return text;
}

std::string told(const CorpusCounts& counts,
                 const EvaluatedSentences& evaluated,
                 const std::filesystem::path& data)
{
    std::string text =
        fmt::format("{} to train on, of {}; left out: {} with a phrase without a known word, {} of "
                    "two equal phrases",
                    base::counted(counts.kept, "pair"), counts.read, counts.unknown, counts.equal);
    if (evaluated.names().empty())
        return text + "; whether they share sentences with evaluation sets is not known" +
               (data.empty()
                    ? " without --data"
                    : fmt::format(": '{}' has none of the group similarity", data.string()));
    text += fmt::format("\n{} {} a sentence with an evaluation set, {} of them left out",
                        base::counted(counts.overlapping, "pair"),
                        counts.overlapping == 1 ? "shares" : "share", counts.excluded);
    if (const auto left = counts.overlapping - counts.excluded; left > 0)
        text += fmt::format("\nwarning: {} {} sentences of evaluation sets: scores on them are "
                            "worth nothing (--exclude-overlap leaves such pairs out)",
                            base::counted(left, "pair"), left == 1 ? "holds" : "hold");
    return text;
}

struct Models {
    paragram::Architecture architecture;
    const Vocabulary& vocabulary;
    const StartVectors& vectors;

    [[nodiscard]] SentenceEncoder encoder(const ModelState& model) const
    {
        return {architecture, model, vocabulary, vectors};
    }
};

/// A model in training, as tasks see encoders.
class ModelEncoder final : public encoder::Encoder {
public:
    ModelEncoder(const Models& models, const ModelState& model) : encoder_(models.encoder(model))
    {
        identity_.label = "model in training";
    }
    [[nodiscard]] const encoder::Identity& identity() const override { return identity_; }
    [[nodiscard]] encoder::Capabilities capabilities() const override
    {
        return {false, true, true};
    }
    [[nodiscard]] bool has_prepare() const override { return false; }
    void
    prepare(std::string_view, std::span<const text::Sentence>, const encoder::CallContext&) override
    {
    }
    [[nodiscard]] std::size_t dimension() override { return encoder_.dimension(); }
    void
    encode(std::span<const text::Sentence> batch, float* out, const encoder::CallContext&) override
    {
        const std::size_t width = encoder_.dimension();
        for (std::size_t i = 0; i < batch.size(); ++i)
            encoder_.encode(batch[i].text, {out + i * width, width});
    }

private:
    SentenceEncoder encoder_;
    encoder::Identity identity_;
};

/// A task that has been read once, for every epoch.
struct DevelopmentTask {
    task::Tasks catalog; ///< that has it
    const task::Task* task = nullptr;
    std::unique_ptr<task::LoadedTask> loaded;
    std::string metric;
    task::Settings settings;
};

/// Two sentences and a score on each line of a file.
std::shared_ptr<DevelopmentTask> load_file(const std::filesystem::path& file)
{
    tasks::CustomTask description;
    description.name = "development";
    description.protocol = tasks::CustomProtocol::similarity;
    description.test = std::filesystem::absolute(file);
    description.tokenise = tasks::Tokeniser::none;
    auto development = std::make_shared<DevelopmentTask>();
    development->catalog.push_back(tasks::make_custom_task(description));
    development->task = development->catalog.front().get();
    development->metric = "pearson";
    return development;
}

/// The task of the name; it must have a development part.
std::shared_ptr<DevelopmentTask> find_task(const std::string& name,
                                           const std::filesystem::path& data)
{
    auto development = std::make_shared<DevelopmentTask>();
    development->catalog = tasks::all_tasks({});
    const auto found = task::select(development->catalog, name);
    if (found.size() != 1) {
        std::vector<std::string> names;
        for (const task::Task* task : found)
            names.push_back(task->info().name);
        throw base::UsageError("--dev: '{}' is {} tasks, of which one is needed: {}", name,
                               found.size(), fmt::join(names, ", "));
    }
    development->task = found.front();
    const task::Info& info = found.front()->info();
    if (info.headline != "acc" && info.headline != "pearson")
        throw base::UsageError("--dev: {} has no development part, and test items must not choose "
                               "the epoch; take STSBenchmarkUnsupervised, for example",
                               info.name);
    if (data.empty())
        throw base::UsageError("--dev: the task {} needs --data", info.name);
    development->metric = "dev" + info.headline;
    return development;
}

} // namespace

EvaluatedSentences evaluated_sentences(const std::vector<std::string>& excluded,
                                       const std::filesystem::path& data)
{
    EvaluatedSentences sentences;
    if (data.empty())
        return sentences;
    const task::Tasks catalog = tasks::all_tasks({});
    std::vector<const task::Task*> chosen;
    if (!excluded.empty())
        chosen = task::select(catalog, excluded);
    if (const std::string missing = host::missing_data(chosen, data); !missing.empty())
        throw base::UsageError("--exclude-overlap: {}", missing);
    for (const task::Task* task : chosen)
        add_sentences(*task, data, true, sentences);
    for (const task::Task* task : task::select(catalog, "similarity"))
        if (std::ranges::find(chosen, task) == chosen.end() && has_data(*task, data))
            add_sentences(*task, data, false, sentences);
    return sentences;
}

TrainingPairs read_training_pairs(const std::vector<PairSource>& sources,
                                  const StartVectors& vectors,
                                  const EvaluatedSentences& evaluated,
                                  const std::filesystem::path& data,
                                  const std::function<void(const std::string&)>& say)
{
    CorpusBuilder builder(vectors, evaluated);
    TrainingPairs pairs;
    for (const PairSource& source : sources) {
        const auto counts =
            read_pairs(source, [&](std::string_view first, std::string_view second, double score) {
                builder.add(first, second, score);
            });
        say(told(source, counts));
        base::Json file = {{"name", source.file.filename().string()}};
        if (std::filesystem::is_regular_file(source.file)) // what came through a pipe is gone
            file["fingerprint"] = base::fingerprint_file(source.file);
        file["pairs"] = counts.pairs;
        file["bad_lines"] = counts.bad;
        pairs.files.push_back(std::move(file));
    }
    pairs.counts = builder.counts();
    say(told(pairs.counts, evaluated, data));
    pairs.corpus = builder.take();
    return pairs;
}

std::function<double(const ModelState& model)>
development_score(const std::string& name,
                  const std::filesystem::path& data,
                  const paragram::Architecture& architecture,
                  const Vocabulary& vocabulary,
                  const StartVectors& vectors,
                  unsigned threads,
                  const std::stop_token& stop)
{
    const Models models{architecture, vocabulary, vectors};
    const std::filesystem::path file = base::expand_home(name);
    const bool is_there = std::filesystem::exists(file) && !std::filesystem::is_directory(file);
    if (!is_there && name.find_first_of("/.") != name.npos)
        throw base::UsageError("--dev: there is no file '{}'", name);
    const auto development = is_there ? load_file(file) : find_task(name, data);
    task::DataFolder folder(data);
    development->loaded = development->task->load(folder);
    return [development, models, threads, stop](const ModelState& model) {
        ModelEncoder encoder(models, model);
        encoder::SessionOptions options;
        options.threads = threads;
        options.stop = stop;
        encoder::Session session(encoder, std::move(options));
        session.prepare(development->task->info().name, development->loaded->samples());
        task::PhaseClock clock;
        task::Context context{session, development->settings, threads, stop, clock, {}};
        const task::Result result = development->loaded->run(context);
        const auto score = result.metrics.find(development->metric);
        if (score == result.metrics.end())
            throw base::UsageError("--dev: {} has no development part",
                                   development->task->info().name);
        return score->is_number() ? score->get<double>() : std::numeric_limits<double>::quiet_NaN();
    };
}

} // namespace senteval::annex
