#include "host/train_data.hpp"

#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/fingerprint.hpp"
#include "host/data_needed.hpp"
#include "task/data_folder.hpp"
#include "task/selection.hpp"
#include "tasks/custom/custom.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace senteval::host {
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
                   train::EvaluatedSentences& sentences)
{
    task::DataFolder folder(data);
    const auto loaded = task.load(folder);
    sentences.begin(task.info().name, is_excluded);
    for (const text::Sentence& sentence : loaded->samples())
        sentences.add(sentence.text);
}

std::string told(const train::PairSource& source, const train::PairFileCounts& counts)
{
    std::string text =
        fmt::format("{}: {}", source.file.string(), core::counted(counts.pairs, "pair"));
    if (source.threshold)
        text += fmt::format(", {} below {}", counts.below, *source.threshold);
    if (counts.bad > 0)
        text += fmt::format("; warning: {} of {} lines cannot be used:", counts.bad, counts.lines);
    for (const std::string& line : counts.bad_lines)
        text += "\n    " + line;
    return text;
}

std::string told(const train::CorpusCounts& counts,
                 const train::EvaluatedSentences& evaluated,
                 const std::filesystem::path& data)
{
    std::string text =
        fmt::format("{} to train on, of {}; left out: {} with a phrase without a known word, {} of "
                    "two equal phrases",
                    core::counted(counts.kept, "pair"), counts.read, counts.unknown, counts.equal);
    if (evaluated.names().empty())
        return text + "; whether they share sentences with evaluation sets is not known" +
               (data.empty()
                    ? " without --data"
                    : fmt::format(": '{}' has none of the group similarity", data.string()));
    text += fmt::format("\n{} {} a sentence with an evaluation set, {} of them left out",
                        core::counted(counts.overlapping, "pair"),
                        counts.overlapping == 1 ? "shares" : "share", counts.excluded);
    if (const auto left = counts.overlapping - counts.excluded; left > 0)
        text += fmt::format("\nwarning: {} {} sentences of evaluation sets: scores on them are "
                            "worth nothing (--exclude-overlap leaves such pairs out)",
                            core::counted(left, "pair"), left == 1 ? "holds" : "hold");
    return text;
}

} // namespace

train::EvaluatedSentences evaluated_sentences(const std::vector<std::string>& excluded,
                                              const std::filesystem::path& data)
{
    train::EvaluatedSentences sentences;
    if (data.empty())
        return sentences;
    const task::Tasks catalog = tasks::all_tasks({});
    std::vector<const task::Task*> chosen;
    if (!excluded.empty())
        chosen = task::select(catalog, excluded);
    if (const std::string missing = missing_data(chosen, data); !missing.empty())
        throw core::UsageError("--exclude-overlap: {}", missing);
    for (const task::Task* task : chosen)
        add_sentences(*task, data, true, sentences);
    for (const task::Task* task : task::select(catalog, "similarity"))
        if (std::ranges::find(chosen, task) == chosen.end() && has_data(*task, data))
            add_sentences(*task, data, false, sentences);
    return sentences;
}

TrainingPairs read_training_pairs(const std::vector<train::PairSource>& sources,
                                  const train::StartVectors& vectors,
                                  const train::EvaluatedSentences& evaluated,
                                  const std::filesystem::path& data,
                                  const std::function<void(const std::string&)>& say)
{
    train::CorpusBuilder builder(vectors, evaluated);
    TrainingPairs pairs;
    for (const train::PairSource& source : sources) {
        const auto counts =
            train::read_pairs(source, [&](std::string_view first, std::string_view second,
                                          double score) { builder.add(first, second, score); });
        say(told(source, counts));
        core::Json file = {{"name", source.file.filename().string()}};
        if (std::filesystem::is_regular_file(source.file)) // what came through a pipe is gone
            file["fingerprint"] = core::fingerprint_file(source.file);
        file["pairs"] = counts.pairs;
        file["bad_lines"] = counts.bad;
        pairs.files.push_back(std::move(file));
    }
    pairs.counts = builder.counts();
    say(told(pairs.counts, evaluated, data));
    pairs.corpus = builder.take();
    return pairs;
}

} // namespace senteval::host
