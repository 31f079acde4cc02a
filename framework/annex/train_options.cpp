#include "annex/train_command.hpp"
#include "base/choices.hpp"
#include "base/error.hpp"
#include "host/help.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>
#include <tuple>

namespace senteval::annex {
namespace {

/// A finite number in [least, most].
CLI::Validator number_between(double least, double most)
{
    const std::string range = std::isfinite(most)
                                  ? fmt::format("a number from {} to {}", least, most)
                                  : fmt::format("a finite number, at least {}", least);
    const auto check = [=](const std::string& text) {
        double value = 0;
        const bool is_number = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
        return is_number && value >= least && value <= most
                   ? std::string()
                   : fmt::format("'{}' is not {}", text, range);
    };
    return {check, ""};
}

CLI::Validator number_from(double least)
{
    return number_between(least, std::numeric_limits<double>::infinity());
}

/// An option of a group of the help.
template <typename T>
CLI::Option* add(CLI::App& command,
                 const char* group,
                 const char* name,
                 T& value,
                 const char* help,
                 const char* type = "")
{
    CLI::Option* const option = command.add_option(name, value, help)->group(group);
    return *type == '\0' ? option : option->type_name(type);
}

void add_data_options(CLI::App& command, TrainArguments& arguments)
{
    add(command, "Data", "--pairs", arguments.pairs,
        "Pairs that mean the same, perhaps gzipped: two columns separated by TABs, PPDB's ' ||| ', "
        "captions with a key, or a lexicon; FILE,format=F,score=COLUMN,threshold=X sets these; may "
        "be repeated",
        "FILE")
        ->required()
        ->allow_extra_args(false);
    add(command, "Data", "--init", arguments.init,
        "Word vectors to begin with, or a model to go on from", "FILE")
        ->required();
    add(command, "Data", "--data", arguments.data,
        "Folder of the evaluation sets, to count overlap with them", "DIR");
    add(command, "Data", "--exclude-overlap", arguments.exclude_overlap,
        "Leave out pairs that share a sentence with these tasks or groups", "TASKS")
        ->delimiter(',')
        ->allow_extra_args(false);
    add(command, "Data", "--dev", arguments.dev,
        "Development set, on which the best epoch is kept: a file of two sentences and a score per "
        "line, or a task with a development part, such as STSBenchmarkUnsupervised",
        "FILE|TASK");
}

void add_model_options(CLI::App& command, TrainArguments& arguments)
{
    TrainSettings& settings = arguments.settings;
    add(command, "Model", "--model", arguments.model,
        "word, projection, dan, rnn, identity-rnn, lstm or lstm-no-output-gate", "NAME")
        ->check(host::known_choices(base::names_of(paragram::kind_names)))
        ->capture_default_str();
    add(command, "Model", "--outputs", arguments.outputs,
        "Dimension of the sentence vectors; default that of the words")
        ->check(CLI::Range(1, 100'000));
    add(command, "Model", "--layers", arguments.layers, "Of dan")
        ->check(CLI::Range(1, 100))
        ->capture_default_str();
    add(command, "Model", "--activation", arguments.activation,
        "Activation of dan and rnn: tanh, relu or identity", "NAME")
        ->check(host::known_choices(base::names_of(paragram::activation_names)))
        ->capture_default_str();
    command.add_flag("--fixed-words", settings.fixed_words, "Leave the word vectors as they are")
        ->group("Model");
}

void add_training_options(CLI::App& command, TrainArguments& arguments)
{
    TrainSettings& settings = arguments.settings;
    const auto option = [&command](const char* name, auto& value, const char* help) {
        return command.add_option(name, value, help)->capture_default_str()->group("Training");
    };
    option("--epochs", settings.epochs, "Passes over the pairs")->check(CLI::Range(1, 1'000'000));
    option("--batch", settings.batch, "Pairs of a minibatch")->check(CLI::Range(2, 1'000'000));
    option("--margin", settings.margin, "Margin by which a pair must be nearer than its negatives")
        ->check(number_between(0, 2));
    option("--objective", arguments.objective,
           "margin: pairs that mean the same; similarity: pairs with a score, under a classifier "
           "that is left out of the model")
        ->type_name("NAME")
        ->check(host::known_choices(base::names_of(objective_names)));
    option("--hidden", settings.hidden, "Units of that classifier's hidden layer")
        ->check(CLI::Range(1, 100'000));
    add(command, "Training", "--negatives", arguments.negatives,
        "max: the nearest of the minibatch; mix: that or any, half and half; default "
        "mix for rnn and the LSTMs, which max alone would collapse, and max for the others",
        "NAME")
        ->check(host::known_choices(base::names_of(negatives_names)));
    option("--optim", settings.optimiser, "adam or adagrad, perhaps with lr=RATE");
    option("--clip", settings.clip, "Largest norm of the gradient of a parameter matrix; 0: any")
        ->check(number_from(0));
    option("--l2", settings.l2,
           "Penalty on the compositional parameters (identity-rnn: on leaving the identity)")
        ->check(number_from(0));
    option("--l2-words", settings.l2_words, "Penalty on leaving the initial word vectors")
        ->check(number_from(0));
    option("--seed", settings.seed,
           "Seed of initial parameters, order of the pairs and random negatives");
    add(command, "Training", "--threads", arguments.threads,
        "Most threads to use; the model does not depend on it")
        ->check(CLI::Range(1, 1024));
}

void add_output_options(CLI::App& command, TrainArguments& arguments)
{
    add(command, "Output", "-o,--output", arguments.output, "The model", "FILE")->required();
    add(command, "Output", "--checkpoint", arguments.checkpoint,
        "File that keeps the state after every epoch and on Ctrl-C; default OUTPUT.checkpoint",
        "FILE");
    add(command, "Output", "--checkpoint-every", arguments.checkpoint_every,
        "Keep the state also after this many minibatches");
    command
        .add_flag("--resume", arguments.resume,
                  "Continue from the checkpoint, if there is one; the model is the same as without "
                  "the stop")
        ->group("Output");
    command.add_flag("-q,--quiet", arguments.quiet, "Warnings only")->group("Output");
}

} // namespace

void refuse_idle_options(const CLI::App& command, const TrainArguments& arguments)
{
    const std::string& model = arguments.model;
    const bool is_judged = arguments.objective == "similarity";
    const std::tuple<const char*, bool, const char*> needs[] = {
        {"--layers", model == "dan", "--model dan"},
        {"--activation", model == "dan" || model == "rnn", "--model dan or rnn"},
        {"--hidden", is_judged, "--objective similarity"},
        {"--negatives", !is_judged, "--objective margin"},
        {"--margin", !is_judged, "--objective margin"},
        {"--l2", model != "word" || is_judged, "a model with parameters above its words"},
        {"--l2-words", !arguments.settings.fixed_words, "words that are trained"},
    };
    for (const auto& [option, has_effect, what] : needs)
        if (command.count(option) > 0 && !has_effect)
            throw base::UsageError("{}: has no effect here; it needs {}", option, what);
}

void add_train_options(CLI::App& command, TrainArguments& arguments)
{
    add_data_options(command, arguments);
    add_model_options(command, arguments);
    add_training_options(command, arguments);
    add_output_options(command, arguments);
}

} // namespace senteval::annex
