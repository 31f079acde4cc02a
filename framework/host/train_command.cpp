#include "core/choices.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/fingerprint.hpp"
#include "core/home.hpp"
#include "core/names.hpp"
#include "core/parallel.hpp"
#include "host/commands.hpp"
#include "host/interrupt.hpp"
#include "host/exit_codes.hpp"
#include "host/output.hpp"
#include "host/progress_bar.hpp"
#include "host/train_arguments.hpp"
#include "host/train_data.hpp"
#include "host/train_files.hpp"
#include "paragram_model/model_file.hpp"
#include "task/data_root.hpp"
#include "train/checkpoint.hpp"
#include "train/trainer.hpp"
#include "train/training_record.hpp"
#include "train/write_model.hpp"

#include <senteval/encoder.hpp>

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;

template <typename Table>
auto choice_of(const Table& table, const std::string& name, const char* option)
{
    for (const auto& [known, value] : table)
        if (known == name)
            return value;
    const auto names = core::names_of(table);
    throw core::UsageError("{}: unknown '{}' (there are {}).{}", option, name,
                           fmt::join(names, ", "), core::did_you_mean(name, names));
}

paragram::Architecture architecture_of(const TrainArguments& arguments, std::size_t dimension)
{
    paragram::Architecture architecture;
    architecture.kind = choice_of(paragram::kind_names, arguments.model, "--model");
    architecture.inputs = dimension;
    architecture.outputs = arguments.outputs == 0 ? dimension : arguments.outputs;
    const auto activation =
        choice_of(paragram::activation_names, arguments.activation, "--activation");
    if (architecture.kind == paragram::Kind::dan || architecture.kind == paragram::Kind::rnn)
        architecture.activation = activation;
    if (architecture.kind == paragram::Kind::dan)
        architecture.layers = arguments.layers;
    if (architecture.kind == paragram::Kind::word && architecture.outputs != dimension)
        throw core::UsageError(
            "--outputs: a mean of word vectors of {} values has {}; take --model projection for {}",
            dimension, dimension, arguments.outputs);
    return architecture;
}

std::string described(const paragram::Architecture& architecture)
{
    std::string text =
        fmt::format("{} of {} values to {}", core::name_in(paragram::kind_names, architecture.kind),
                    architecture.inputs, architecture.outputs);
    if (architecture.kind == paragram::Kind::dan)
        text += " in " + core::counted(architecture.layers, "layer");
    if (architecture.kind == paragram::Kind::dan || architecture.kind == paragram::Kind::rnn)
        text += fmt::format(" with {}",
                            core::name_in(paragram::activation_names, architecture.activation));
    return text;
}

/// Where states are squashed, all sentences come to one point soon if only the nearest ones push them apart.
train::Negatives negatives_of(const TrainArguments& arguments,
                              const paragram::Architecture& architecture)
{
    if (!arguments.negatives.empty())
        return choice_of(train::negatives_names, arguments.negatives, "--negatives");
    const bool is_squashed = architecture.kind == paragram::Kind::rnn || architecture.is_lstm();
    return is_squashed ? train::Negatives::mix : train::Negatives::max;
}

/// Everything is checked before anything is trained.
class TrainCommand {
public:
    TrainCommand(TrainArguments arguments, std::stop_token stop)
        : arguments_(std::move(arguments)), stop_(std::move(stop)), bar_(!arguments_.quiet)
    {
        is_judged_ = choice_of(objective_names, arguments_.objective, "--objective");
        for (const std::string& pairs : arguments_.pairs) {
            sources_.push_back(train::parse_pair_source(pairs, is_judged_));
            sources_.back().file = fs::absolute(core::expand_home(sources_.back().file.string()));
            if (!fs::exists(sources_.back().file))
                throw core::UsageError("--pairs: there is no file '{}'",
                                       sources_.back().file.string());
            if (fs::is_directory(sources_.back().file))
                throw core::UsageError("--pairs: '{}' is a folder, and a file is wanted",
                                       sources_.back().file.string());
        }
        if (!arguments_.data.empty())
            data_ = task::data_root(core::expand_home(arguments_.data));
        if (!arguments_.data.empty() && !fs::is_directory(data_))
            throw core::UsageError("--data: the folder '{}' does not exist", arguments_.data);
        if (data_.empty() && !arguments_.exclude_overlap.empty())
            throw core::UsageError(
                "--exclude-overlap needs --data, the folder with the tasks' data");
        if (!fs::exists(core::expand_home(arguments_.init)))
            throw core::UsageError("--init: there is no file '{}'", arguments_.init);
        if (fs::is_directory(core::expand_home(arguments_.init)))
            throw core::UsageError("--init: '{}' is a folder, and a file is wanted",
                                   arguments_.init);
        files_ = files_to_write(arguments_, sources_);
    }

    void run()
    {
        const unsigned threads =
            arguments_.threads == 0 ? core::available_threads() : arguments_.threads;
        const auto before = train::start_record_of(core::expand_home(arguments_.init));
        const train::EvaluatedSentences evaluated =
            evaluated_sentences(arguments_.exclude_overlap, data_);
        const train::StartVectors vectors(
            core::expand_home(arguments_.init), threads, stop_,
            [this](std::string_view text) { say(std::string(text)); });
        TrainingPairs pairs = read_training_pairs(sources_, vectors, evaluated, data_,
                                                  [this](const std::string& text) { say(text); });
        train::TrainSettings settings = arguments_.settings;
        if (arguments_.take > 0)
            keep_some(pairs.corpus);
        settings.architecture = architecture_of(arguments_, vectors.dimension());
        if (before)
            settings.universal = universal_parameters(settings.architecture, vectors.file());
        settings.negatives = negatives_of(arguments_, settings.architecture);
        if (is_judged_)
            settings.scores = scores_of(pairs.corpus);
        train::TrainOptions options = options_of(threads, settings);
        if (!arguments_.dev.empty())
            options.dev = development_score(arguments_.dev, data_, settings.architecture,
                                            pairs.corpus.vocabulary, vectors, threads, stop_);
        train::Trainer trainer(pairs.corpus, vectors, settings, std::move(options));
        if (arguments_.resume && trainer.resume())
            say(fmt::format("going on from '{}'", files_.checkpoint.string()));
        if (const auto warning = step_warning(settings, trainer.first_step()); !warning.empty())
            say("warning: " + warning);
        const train::ModelState model = train(trainer);
        write(trainer, settings, model, pairs, vectors, evaluated, before);
    }

private:
    /// Those of the model to begin with, where it is of the same architecture.
    std::vector<float> universal_parameters(const paragram::Architecture& architecture,
                                            const fs::path& file)
    {
        try {
            const paragram::ModelFile model(file);
            if (model.architecture() == architecture)
                return model.parameters();
            say(fmt::format("{}: is a {}, and a {} is trained: only its words are taken",
                            arguments_.init, described(model.architecture()),
                            described(architecture)));
            return {};
        } catch (const sdk::Error& error) {
            throw core::Error("{}", error.what());
        }
    }

    void say(const std::string& text)
    {
        if (!arguments_.quiet || text.find("warning") != text.npos)
            bar_.line(text);
    }

    static train::ScoreRange scores_of(const train::Corpus& corpus)
    {
        const train::ScoreRange range = train::range_of(corpus.scores);
        if (range.empty())
            throw core::UsageError(
                "--objective similarity: all pairs have the same score; the third column, or "
                "--pairs FILE,score=COLUMN, is to tell how similar they are");
        return range;
    }

    void keep_some(train::Corpus& corpus)
    {
        if (arguments_.take > corpus.pairs())
            throw core::UsageError(
                "--take: there {}, not {}",
                corpus.pairs() == 1 ? "is one pair" : fmt::format("are {} pairs", corpus.pairs()),
                arguments_.take);
        train::take(corpus, arguments_.take,
                    arguments_.take_random ? std::optional(arguments_.settings.seed)
                                           : std::nullopt);
        say(fmt::format("{} of them taken{}", arguments_.take,
                        arguments_.take_random ? " at random" : ""));
    }

    /// Empty where there is nothing to warn of.
    static std::string warning_of(const train::EpochReport& report, train::Negatives negatives)
    {
        if (report.is_collapsed)
            return fmt::format(
                "after epoch {} all sentences have one vector (loss at twice the margin, "
                "separation 0): {}a smaller lr in --optim or --clip 1 may keep them apart",
                report.epoch, negatives == train::Negatives::max ? "--negatives mix, " : "");
        if (report.is_worse)
            return fmt::format("in the last minibatches of epoch {} the loss is higher than before "
                               "the first step: the model is worse than what it began with; take "
                               "a smaller lr in --optim, or --clip 1",
                               report.epoch);
        return "";
    }

    /// Of steps after which little is left of what was there; empty where they are smaller.
    static std::string step_warning(const train::TrainSettings& settings, double first_step)
    {
        constexpr double most = 10;
        if (first_step <= most)
            return "";
        return fmt::format(
            "--optim {}: a step may move a value {} times as far as {} are from 0, and "
            "nothing is left of them: take a smaller lr",
            settings.optimiser,
            first_step < 1e6 ? fmt::format("{:.0f}", first_step)
                             : fmt::format("{:.0e}", first_step),
            settings.fixed_words ? "the parameters" : "the word vectors");
    }

    /// What was said of the model that is written.
    static core::Json warnings_of(const train::Trainer& trainer,
                                  const train::TrainSettings& settings)
    {
        core::Json warnings = core::Json::array();
        for (const std::string& warning :
             {step_warning(settings, trainer.first_step()),
              warning_of(trainer.reports().at(trainer.chosen_epoch() - 1), settings.negatives)})
            if (!warning.empty())
                warnings.push_back(warning);
        return warnings;
    }

    train::TrainOptions options_of(unsigned threads, const train::TrainSettings& settings)
    {
        train::TrainOptions options;
        options.threads = threads;
        options.stop = stop_;
        options.checkpoint = files_.checkpoint;
        options.checkpoint_every = arguments_.checkpoint_every;
        options.progress = [this](const train::TrainProgress& progress) {
            if (bar_.is_due())
                bar_.draw(static_cast<double>(progress.pairs) /
                              static_cast<double>(progress.of_pairs),
                          fmt::format("epoch {}, loss {:.4f}, {:.0f} pairs/s", progress.epoch,
                                      progress.loss, progress.pairs_per_second),
                          progress.seconds_left);
            rate_ = progress.pairs_per_second;
            left_ = progress.seconds_left;
        };
        options.finished_epoch = [this, &settings](const train::EpochReport& report) {
            std::string text = fmt::format("epoch {}: loss {:.4f}", report.epoch, report.loss);
            if (!is_judged_)
                text += fmt::format(", separation {:.4f}", report.separation);
            if (report.dev)
                text += fmt::format(", development {:.4f}{}", *report.dev,
                                    report.is_best ? " (best)" : "");
            else if (!arguments_.dev.empty())
                text += ", development undefined";
            say(text + fmt::format(", {:.0f} pairs/s, {:.0f} s left", rate_, left_));
            if (const auto warning = warning_of(report, settings.negatives); !warning.empty())
                say("warning: " + warning);
        };
        return options;
    }

    train::ModelState train(train::Trainer& trainer)
    {
        try {
            return trainer.train();
        } catch (const core::Cancelled&) {
            bar_.erase();
            say_stopped(fmt::format("; '{}' holds what is done: go on with --resume",
                                    files_.checkpoint.string()));
            throw;
        }
    }

    void write(const train::Trainer& trainer,
               const train::TrainSettings& settings,
               const train::ModelState& model,
               const TrainingPairs& pairs,
               const train::StartVectors& vectors,
               const train::EvaluatedSentences& evaluated,
               const std::optional<train::TrainingRecord>& before)
    {
        train::TrainingRecord record;
        record.keys = train::keys_of(pairs.corpus);
        record.about = {{"program", "senteval " SENTEVAL_PROGRAM_VERSION},
                        {"settings", to_json(settings)},
                        {"start",
                         {{"name", vectors.file().filename().string()},
                          {"fingerprint", core::fingerprint_file(vectors.file())}}},
                        {"files", pairs.files},
                        {"pairs", pairs.corpus.pairs()},
                        {"overlapping", pairs.counts.overlapping},
                        {"excluded", pairs.counts.excluded},
                        {"evaluation_sets", evaluated.names()},
                        {"epoch", trainer.chosen_epoch()},
                        {"epochs", core::Json::array()}};
        if (before) { // it was trained on these, too
            train::add_keys(record, before->keys);
            record.about["start"]["sentences"] = before->keys.size();
        }
        if (!arguments_.dev.empty())
            record.about["development"] = fs::path(arguments_.dev).filename().string();
        for (const train::EpochReport& report : trainer.reports()) {
            core::Json epoch = {{"loss", report.loss}, {"separation", report.separation}};
            if (report.dev)
                epoch["development"] = *report.dev;
            record.about["epochs"].push_back(std::move(epoch));
        }
        if (core::Json warnings = warnings_of(trainer, settings); !warnings.empty())
            record.about["warnings"] = std::move(warnings);
        train::write_model_file(files_.model, settings.architecture, model, pairs.corpus.vocabulary,
                                vectors, record);
        train::remove_checkpoint(files_.checkpoint);
        say(fmt::format("{}: the model of epoch {}; {:.0f} pairs/s", arguments_.output,
                        trainer.chosen_epoch(), trainer.pairs_per_second()));
    }

    TrainArguments arguments_;
    std::stop_token stop_;
    ProgressBar bar_;
    std::vector<train::PairSource> sources_;
    TrainFiles files_;
    fs::path data_;
    bool is_judged_ = false;
    double rate_ = 0;
    double left_ = 0;
};

} // namespace

void add_train_command(CLI::App& app, const std::stop_token& stop, int& exit_code)
{
    CLI::App* train = app.add_subcommand("train", "Train a sentence encoder");
    train->require_subcommand(1);
    const auto arguments = std::make_shared<TrainArguments>();
    CLI::App* command = train->add_subcommand(
        "paragram", "On pairs of phrases that mean the same (Wieting et al. 2016); "
                    "'senteval run --encoder paragram --set model=FILE' evaluates the model");
    add_train_options(*command, *arguments);
    command->callback([arguments, command, stop, &exit_code] {
        refuse_idle_options(*command, *arguments);
        TrainCommand(*arguments, stop).run();
        exit_code = 0;
    });
}

} // namespace senteval::host
