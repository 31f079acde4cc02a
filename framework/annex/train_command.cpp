#include "annex/train_command.hpp"
#include "annex/commands.hpp"
#include "annex/trainer.hpp"
#include "base/choices.hpp"
#include "base/error.hpp"
#include "base/fingerprint.hpp"
#include "base/home.hpp"
#include "base/names.hpp"
#include "base/parallel.hpp"
#include "host/annex.hpp"
#include "host/interrupt.hpp"
#include "host/output.hpp"
#include "host/progress.hpp"
#include "paragram_model/model_file.hpp"
#include "paragram_model/training_record.hpp"
#include "task/data_folder.hpp"

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

namespace senteval::annex {
namespace {

namespace fs = std::filesystem;

template <typename Table>
auto choice_of(const Table& table, const std::string& name, const char* option)
{
    for (const auto& [known, value] : table)
        if (known == name)
            return value;
    const auto names = base::names_of(table);
    throw base::UsageError("{}: unknown '{}' (there are {}).{}", option, name,
                           fmt::join(names, ", "), base::did_you_mean(name, names));
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
        throw base::UsageError(
            "--outputs: a mean of word vectors of {} values has {}; take --model projection for {}",
            dimension, dimension, arguments.outputs);
    return architecture;
}

/// Models that squash their states need `mix`: if only the nearest sentences push them apart, all come to one point.
Negatives negatives_of(const TrainArguments& arguments, const paragram::Architecture& architecture)
{
    if (!arguments.negatives.empty())
        return choice_of(negatives_names, arguments.negatives, "--negatives");
    const bool is_squashed = architecture.kind == paragram::Kind::rnn || architecture.is_lstm();
    return is_squashed ? Negatives::mix : Negatives::max;
}

constexpr const char* collapsed = "all sentences have one vector: --negatives mix, a smaller lr in "
                                  "--optim or --clip 1 may keep them apart";

/// Everything is checked before anything is trained.
class TrainCommand {
public:
    TrainCommand(TrainArguments arguments, std::stop_token stop)
        : arguments_(std::move(arguments)), stop_(std::move(stop)), bar_(!arguments_.quiet)
    {
        is_judged_ = choice_of(objective_names, arguments_.objective, "--objective");
        for (const std::string& pairs : arguments_.pairs) {
            sources_.push_back(parse_pair_source(pairs, is_judged_));
            sources_.back().file = existing("--pairs", sources_.back().file.string());
        }
        init_ = existing("--init", arguments_.init);
        if (!arguments_.data.empty())
            data_ = task::data_root(base::expand_home(arguments_.data));
        if (!arguments_.data.empty() && !fs::is_directory(data_))
            throw base::UsageError("--data: the folder '{}' does not exist", arguments_.data);
        if (data_.empty() && !arguments_.exclude_overlap.empty())
            throw base::UsageError(
                "--exclude-overlap needs --data, the folder with the tasks' data");
        output_ = fs::absolute(base::expand_home(arguments_.output));
        checkpoint_ = fs::absolute(base::expand_home(arguments_.checkpoint.empty()
                                                         ? arguments_.output + ".checkpoint"
                                                         : arguments_.checkpoint));
        require_targets();
    }

    void run()
    {
        const unsigned threads =
            arguments_.threads == 0 ? base::available_threads() : arguments_.threads;
        const auto before = paragram::training_record_of(init_);
        const EvaluatedSentences evaluated = evaluated_sentences(arguments_.exclude_overlap, data_);
        const StartVectors vectors(init_, threads, stop_,
                                   [this](std::string_view text) { say(std::string(text)); });
        TrainingPairs pairs = read_training_pairs(sources_, vectors, evaluated, data_,
                                                  [this](const std::string& text) { say(text); });
        TrainSettings settings = arguments_.settings;
        settings.architecture = architecture_of(arguments_, vectors.dimension());
        if (before)
            settings.universal = universal_parameters(settings.architecture, vectors.file());
        settings.negatives = negatives_of(arguments_, settings.architecture);
        if (is_judged_)
            settings.scores = scores_of(pairs.corpus);
        TrainOptions options = options_of(threads);
        if (!arguments_.dev.empty())
            options.dev = development_score(arguments_.dev, data_, settings.architecture,
                                            pairs.corpus.vocabulary, vectors, threads, stop_);
        Trainer trainer(pairs.corpus, vectors, settings, std::move(options));
        if (arguments_.resume && trainer.resume())
            say(fmt::format("going on from '{}'", checkpoint_.string()));
        try {
            const ModelState model = trainer.train();
            write(trainer, settings, model, pairs, vectors, evaluated, before);
        } catch (const base::Cancelled&) {
            bar_.erase();
            host::say_stopped(fmt::format("; '{}' holds the state: continue with --resume",
                                          checkpoint_.string()));
            throw;
        }
        std::error_code ignored; // it does no harm
        fs::remove(checkpoint_, ignored);
    }

private:
    static fs::path existing(const char* option, const std::string& name)
    {
        const fs::path file = fs::absolute(base::expand_home(name));
        if (!fs::exists(file))
            throw base::UsageError("{}: there is no file '{}'", option, file.string());
        if (fs::is_directory(file))
            throw base::UsageError("{}: '{}' is a folder, not a file", option, file.string());
        return file;
    }

    /// Neither takes the place of a file that is read, or of the other.
    void require_targets() const
    {
        if (arguments_.output.empty() || arguments_.output == "-")
            throw base::UsageError("--output: it must name a file");
        std::vector<fs::path> read{init_, base::expand_home(arguments_.dev)};
        for (const PairSource& source : sources_)
            read.push_back(source.file);
        for (const auto& [option, file] :
             {std::pair("--output", output_), {"--checkpoint", checkpoint_}}) {
            host::check_replaceable(option, file);
            for (const fs::path& other : read) {
                std::error_code error;
                if (file == other || fs::equivalent(file, other, error))
                    throw base::UsageError(
                        "{}: '{}' is needed for something else, and would be overwritten", option,
                        other.string());
            }
            read.push_back(output_);
        }
        if (!may_be_checkpoint(checkpoint_))
            throw base::UsageError(
                "--checkpoint: '{}' exists and is no checkpoint of a training; name another file",
                checkpoint_.string());
    }

    /// The parameters of the model to begin with; none where its architecture is another.
    std::vector<float> universal_parameters(const paragram::Architecture& architecture,
                                            const fs::path& file)
    {
        try {
            const paragram::ModelFile model(file);
            if (model.architecture() == architecture)
                return model.parameters();
            say(fmt::format("{}: its architecture differs: only its words are used",
                            arguments_.init));
            return {};
        } catch (const sdk::Error& error) {
            throw base::Error("{}", error.what());
        }
    }

    void say(const std::string& text)
    {
        if (!arguments_.quiet || text.find("warning") != text.npos)
            bar_.line(text);
    }

    static ScoreRange scores_of(const Corpus& corpus)
    {
        const ScoreRange range = range_of(corpus.scores);
        if (range.empty())
            throw base::UsageError(
                "--objective similarity: all pairs have the same score; the third column, or "
                "--pairs FILE,score=COLUMN, must say how similar they are");
        return range;
    }

    TrainOptions options_of(unsigned threads)
    {
        TrainOptions options;
        options.threads = threads;
        options.stop = stop_;
        options.checkpoint = checkpoint_;
        options.checkpoint_every = arguments_.checkpoint_every;
        options.progress = [this](const TrainProgress& progress) {
            if (bar_.is_due())
                bar_.draw(static_cast<double>(progress.pairs) /
                              static_cast<double>(progress.of_pairs),
                          fmt::format("epoch {}, loss {:.4f}, {:.0f} pairs/s", progress.epoch,
                                      progress.loss, progress.pairs_per_second),
                          progress.seconds_left);
            rate_ = progress.pairs_per_second;
            left_ = progress.seconds_left;
        };
        options.finished_epoch = [this](const EpochReport& report) {
            std::string text = fmt::format("epoch {}: loss {:.4f}", report.epoch, report.loss);
            if (!is_judged_)
                text += fmt::format(", separation {:.4f}", report.separation);
            if (report.dev)
                text += fmt::format(", development {:.4f}{}", *report.dev,
                                    report.is_best ? " (best)" : "");
            else if (!arguments_.dev.empty())
                text += ", development undefined";
            say(text + fmt::format(", {:.0f} pairs/s, {:.0f} s left", rate_, left_));
            if (report.is_collapsed)
                say(fmt::format("warning: after epoch {} {}", report.epoch, collapsed));
        };
        return options;
    }

    void write(const Trainer& trainer,
               const TrainSettings& settings,
               const ModelState& model,
               const TrainingPairs& pairs,
               const StartVectors& vectors,
               const EvaluatedSentences& evaluated,
               const std::optional<paragram::TrainingRecord>& before)
    {
        paragram::TrainingRecord record;
        record.keys = keys_of(pairs.corpus);
        record.about = {{"program", "senteval " SENTEVAL_PROGRAM_VERSION},
                        {"settings", to_json(settings)},
                        {"start",
                         {{"name", vectors.file().filename().string()},
                          {"fingerprint", base::fingerprint_file(vectors.file())}}},
                        {"files", pairs.files},
                        {"pairs", pairs.corpus.pairs()},
                        {"overlapping", pairs.counts.overlapping},
                        {"excluded", pairs.counts.excluded},
                        {"evaluation_sets", evaluated.names()},
                        {"epoch", trainer.chosen_epoch()},
                        {"epochs", base::Json::array()}};
        if (before) { // it was trained on these, too
            paragram::add_keys(record, before->keys);
            record.about["start"]["sentences"] = before->keys.size();
        }
        if (!arguments_.dev.empty())
            record.about["development"] = fs::path(arguments_.dev).filename().string();
        for (const EpochReport& report : trainer.reports()) {
            base::Json epoch = {{"loss", report.loss}, {"separation", report.separation}};
            if (report.dev)
                epoch["development"] = *report.dev;
            record.about["epochs"].push_back(std::move(epoch));
        }
        if (trainer.reports().at(trainer.chosen_epoch() - 1).is_collapsed)
            record.about["warnings"] = {collapsed};
        write_model_file(output_, settings.architecture, model, pairs.corpus.vocabulary, vectors,
                         record);
        say(fmt::format("{}: the model of epoch {}; {:.0f} pairs/s", arguments_.output,
                        trainer.chosen_epoch(), trainer.pairs_per_second()));
    }

    TrainArguments arguments_;
    std::stop_token stop_;
    host::ProgressBar bar_;
    std::vector<PairSource> sources_;
    fs::path init_;
    fs::path output_;
    fs::path checkpoint_;
    fs::path data_;
    bool is_judged_ = false;
    double rate_ = 0;
    double left_ = 0;
};

} // namespace

void add_train_command(CLI::App& app, const std::stop_token& stop, int& exit_code)
{
    CLI::App* train = app.add_subcommand(host::train_command.name, host::train_command.help);
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

} // namespace senteval::annex
