#include "core/choices.hpp"
#include "core/error.hpp"
#include "core/fingerprint.hpp"
#include "core/home.hpp"
#include "core/names.hpp"
#include "core/parallel.hpp"
#include "host/commands.hpp"
#include "host/exit_codes.hpp"
#include "host/option_text.hpp"
#include "host/output.hpp"
#include "host/output_file.hpp"
#include "host/progress_bar.hpp"
#include "host/train_data.hpp"
#include "paragram/model/model_file.hpp"
#include "task/data_root.hpp"
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
#include <vector>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;

struct TrainArguments {
    std::vector<std::string> pairs;
    std::string init;
    std::string model = "word";
    std::string activation = "tanh";
    std::size_t outputs = 0;
    std::size_t layers = 1;
    std::string output;
    std::vector<std::string> exclude_overlap;
    std::string data;
    std::string dev;
    std::string negatives = "max";
    std::size_t take = 0;
    bool take_random = false;
    train::TrainSettings settings;
    unsigned threads = 0;
    std::string checkpoint;
    std::size_t checkpoint_every = 0;
    bool resume = false;
    bool quiet = false;
};

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

/// Those of the model to begin with, where it is one of the same architecture.
std::vector<float> universal_parameters(const fs::path& file,
                                        const paragram::Architecture& architecture)
{
    if (!train::training_record_of(file))
        return {};
    try {
        const paragram::ModelFile model(file);
        return model.architecture() == architecture ? model.parameters() : std::vector<float>();
    } catch (const sdk::Error& error) {
        throw core::Error("{}", error.what());
    }
}

/// Everything is checked before anything is trained.
class TrainCommand {
public:
    TrainCommand(TrainArguments arguments, std::stop_token stop)
        : arguments_(std::move(arguments)), stop_(std::move(stop)), bar_(!arguments_.quiet)
    {
        for (const std::string& pairs : arguments_.pairs) {
            sources_.push_back(train::parse_pair_source(pairs));
            sources_.back().file = fs::absolute(core::expand_home(sources_.back().file.string()));
            if (!fs::exists(sources_.back().file))
                throw core::UsageError("--pairs: there is no file '{}'",
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
        OutputFile("--output", arguments_.output).check_writable();
        if (arguments_.checkpoint.empty())
            arguments_.checkpoint = arguments_.output + ".checkpoint";
    }

    void run()
    {
        const unsigned threads =
            arguments_.threads == 0 ? core::available_threads() : arguments_.threads;
        const train::EvaluatedSentences evaluated =
            evaluated_sentences(arguments_.exclude_overlap, data_);
        const train::StartVectors vectors(
            core::expand_home(arguments_.init), threads, stop_,
            [this](std::string_view text) { say(std::string(text)); });
        TrainingPairs pairs = read_training_pairs(sources_, vectors, evaluated,
                                                  [this](const std::string& text) { say(text); });
        train::TrainSettings settings = arguments_.settings;
        if (arguments_.take > 0)
            keep_some(pairs.corpus);
        settings.architecture = architecture_of(arguments_, vectors.dimension());
        settings.universal =
            universal_parameters(core::expand_home(arguments_.init), settings.architecture);
        settings.negatives = choice_of(train::negatives_names, arguments_.negatives, "--negatives");
        train::TrainOptions options = options_of(threads);
        if (!arguments_.dev.empty())
            options.dev = development_score(arguments_.dev, data_, settings.architecture,
                                            pairs.corpus.vocabulary, vectors, threads, stop_);
        train::Trainer trainer(pairs.corpus, vectors, settings, std::move(options));
        if (arguments_.resume && trainer.resume())
            say(fmt::format("going on from '{}'", arguments_.checkpoint));
        const train::ModelState model = train(trainer);
        write(trainer, settings, model, pairs, vectors, evaluated);
    }

private:
    void say(const std::string& text)
    {
        if (!arguments_.quiet || text.find("warning") != text.npos)
            bar_.line(text);
    }

    void keep_some(train::Corpus& corpus)
    {
        if (arguments_.take > corpus.pairs())
            throw core::UsageError("--take: there are {} pairs, not {}", corpus.pairs(),
                                   arguments_.take);
        train::take(corpus, arguments_.take,
                    arguments_.take_random ? std::optional(arguments_.settings.seed)
                                           : std::nullopt);
        say(fmt::format("{} of them taken{}", arguments_.take,
                        arguments_.take_random ? " at random" : ""));
    }

    train::TrainOptions options_of(unsigned threads)
    {
        train::TrainOptions options;
        options.threads = threads;
        options.stop = stop_;
        options.checkpoint = arguments_.checkpoint;
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
        options.finished_epoch = [this](const train::EpochReport& report) {
            std::string text = fmt::format("epoch {}: loss {:.4f}, separation {:.4f}", report.epoch,
                                           report.loss, report.separation);
            if (report.dev)
                text += fmt::format(", development {:.4f}{}", *report.dev,
                                    report.is_best ? " (best)" : "");
            say(text + fmt::format(", {:.0f} pairs/s, {:.0f} s left", rate_, left_));
        };
        return options;
    }

    train::ModelState train(train::Trainer& trainer)
    {
        try {
            return trainer.train();
        } catch (const core::Cancelled&) {
            say(fmt::format("stopped; '{}' holds what is done: go on with --resume",
                            arguments_.checkpoint));
            throw;
        }
    }

    void write(const train::Trainer& trainer,
               const train::TrainSettings& settings,
               const train::ModelState& model,
               const TrainingPairs& pairs,
               const train::StartVectors& vectors,
               const train::EvaluatedSentences& evaluated)
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
        if (!arguments_.dev.empty())
            record.about["development"] = fs::path(arguments_.dev).filename().string();
        for (const train::EpochReport& report : trainer.reports()) {
            core::Json epoch = {{"loss", report.loss}, {"separation", report.separation}};
            if (report.dev)
                epoch["development"] = *report.dev;
            record.about["epochs"].push_back(std::move(epoch));
        }
        train::write_model_file(arguments_.output, settings.architecture, model,
                                pairs.corpus.vocabulary, vectors, record);
        std::error_code ignored; // it is of no more use, and no harm
        fs::remove(arguments_.checkpoint, ignored);
        say(fmt::format("{}: the model of epoch {}; {:.0f} pairs/s", arguments_.output,
                        trainer.chosen_epoch(), trainer.pairs_per_second()));
    }

    TrainArguments arguments_;
    std::stop_token stop_;
    ProgressBar bar_;
    std::vector<train::PairSource> sources_;
    fs::path data_;
    double rate_ = 0;
    double left_ = 0;
};

void add_data_options(CLI::App& command, TrainArguments& arguments)
{
    command
        .add_option("--pairs", arguments.pairs,
                    "Pairs that mean the same, perhaps gzipped: two columns separated by TABs, "
                    "PPDB's ' ||| ', "
                    "captions with a key, or a lexicon; FILE,format=F,score=COLUMN,threshold=X "
                    "where it is to be "
                    "said; repeat it for several")
        ->required()
        ->allow_extra_args(false)
        ->type_name("FILE")
        ->group("Data");
    command
        .add_option("--init", arguments.init,
                    "Word vectors to begin with, or a model to go on from")
        ->required()
        ->type_name("FILE")
        ->group("Data");
    command
        .add_option("--data", arguments.data, "Folder of the evaluation sets: overlap is counted")
        ->type_name("DIR")
        ->group("Data");
    command
        .add_option("--exclude-overlap", arguments.exclude_overlap,
                    "Leave out pairs that share a sentence with these tasks or groups")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->type_name("TASKS")
        ->group("Data");
    command.add_option("--take", arguments.take, "Train on the first so many pairs only")
        ->check(CLI::Range(2, 2'000'000'000))
        ->group("Data");
    command
        .add_flag("--take-random", arguments.take_random,
                  "Train on so many of all pairs, chosen by the seed")
        ->needs("--take")
        ->group("Data");
    command
        .add_option("--dev", arguments.dev,
                    "Keep the epoch that is best on it: a file of two sentences and a score per "
                    "line, or a task "
                    "with a development part, such as STSBenchmarkUnsupervised")
        ->type_name("FILE|TASK")
        ->group("Data");
}

void add_model_options(CLI::App& command, TrainArguments& arguments)
{
    train::TrainSettings& settings = arguments.settings;
    command
        .add_option("--model", arguments.model,
                    "word, projection, dan, rnn, identity-rnn, lstm or lstm-no-output-gate")
        ->type_name("NAME")
        ->check(known_choices(core::names_of(paragram::kind_names)))
        ->capture_default_str()
        ->group("Model");
    command
        .add_option("--outputs", arguments.outputs,
                    "Dimension of the sentence vectors; default that of the words")
        ->check(CLI::Range(1, 100'000))
        ->group("Model");
    command.add_option("--layers", arguments.layers, "Of dan")
        ->check(CLI::Range(1, 100))
        ->capture_default_str()
        ->group("Model");
    command
        .add_option("--activation", arguments.activation, "Of dan and rnn: tanh, relu or identity")
        ->type_name("NAME")
        ->check(known_choices(core::names_of(paragram::activation_names)))
        ->capture_default_str()
        ->group("Model");
    command.add_flag("--fixed-words", settings.fixed_words, "Leave the word vectors as they are")
        ->group("Model");
}

void add_training_options(CLI::App& command, TrainArguments& arguments)
{
    train::TrainSettings& settings = arguments.settings;
    const auto option = [&command](const char* name, auto& value, const char* help) {
        return command.add_option(name, value, help)->capture_default_str()->group("Training");
    };
    option("--epochs", settings.epochs, "Passes over the pairs")->check(CLI::Range(1, 1'000'000));
    option("--batch", settings.batch, "Pairs of a minibatch")->check(CLI::Range(2, 1'000'000));
    option("--margin", settings.margin, "By which a pair is to be nearer than its negatives")
        ->check(CLI::Range(0.0, 2.0));
    option("--negatives", arguments.negatives,
           "max: the nearest of the minibatch; mix: that or any, half and half")
        ->type_name("NAME")
        ->check(known_choices(core::names_of(train::negatives_names)));
    option("--optim", settings.optimiser, "adam or adagrad, perhaps with lr=RATE");
    option("--clip", settings.clip, "Largest norm of the gradient of a parameter matrix; 0: any")
        ->check(CLI::NonNegativeNumber);
    option("--l2", settings.l2,
           "Penalty on the compositional parameters (identity-rnn: on leaving the identity)")
        ->check(CLI::NonNegativeNumber);
    option("--l2-words", settings.l2_words, "Penalty on leaving the initial word vectors")
        ->check(CLI::NonNegativeNumber);
    option("--seed", settings.seed,
           "Of initial parameters, order of the pairs and random negatives");
    command
        .add_option("--threads", arguments.threads,
                    "At most so many; the model does not depend on it")
        ->check(CLI::Range(1, 1024))
        ->group("Training");
}

void add_output_options(CLI::App& command, TrainArguments& arguments)
{
    command.add_option("-o,--output", arguments.output, "The model")
        ->required()
        ->type_name("FILE")
        ->group("Output");
    command
        .add_option(
            "--checkpoint", arguments.checkpoint,
            "Where the state is kept after every epoch and on Ctrl-C; default OUTPUT.checkpoint")
        ->type_name("FILE")
        ->group("Output");
    command
        .add_option("--checkpoint-every", arguments.checkpoint_every,
                    "And after so many minibatches")
        ->group("Output");
    command
        .add_flag("--resume", arguments.resume,
                  "Go on from the checkpoint, if there is one: the same model "
                  "comes out as without the stop")
        ->group("Output");
    command.add_flag("-q,--quiet", arguments.quiet, "Warnings only")->group("Output");
}

} // namespace

void add_train_command(CLI::App& app, const std::stop_token& stop, int& exit_code)
{
    CLI::App* train = app.add_subcommand("train", "Train a sentence encoder");
    train->require_subcommand(1);
    const auto arguments = std::make_shared<TrainArguments>();
    CLI::App* command = train->add_subcommand(
        "paragram", "On pairs of phrases that mean the same (Wieting et al. 2016); "
                    "'senteval run --encoder paragram --set model=FILE' evaluates the model");
    add_data_options(*command, *arguments);
    add_model_options(*command, *arguments);
    add_training_options(*command, *arguments);
    add_output_options(*command, *arguments);
    command->callback([arguments, stop, &exit_code] {
        TrainCommand(*arguments, stop).run();
        exit_code = 0;
    });
}

} // namespace senteval::host
