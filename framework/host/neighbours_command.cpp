#include "core/error.hpp"
#include "core/home.hpp"
#include "core/json.hpp"
#include "core/names.hpp"
#include "host/commands.hpp"
#include "host/output.hpp"
#include "train/trained_words.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace senteval::host {
namespace {

struct NeighboursOptions {
    std::string model;
    std::vector<std::string> words;
    std::string init;
    std::size_t count = 7;
    std::size_t common = 10'000;
    bool norms = false;
    bool json = false;
};

using train::Neighbour;
using train::TrainedWords;

train::TrainedWords read_words(const NeighboursOptions& options)
{
    std::optional<std::filesystem::path> initial;
    if (!options.init.empty())
        initial = core::expand_home(options.init);
    return train::read_trained_words(core::expand_home(options.model), initial);
}

std::size_t place_of(const TrainedWords& words, const std::string& word)
{
    const auto at = words.find(word);
    if (!at)
        throw core::UsageError("the model has no word '{}'; its words are in lower case.{}", word,
                               core::did_you_mean(word, words.words));
    return *at;
}

/// [{"word": ..., NAME: ...}, ...]
core::Json to_json(const TrainedWords& words, const std::vector<Neighbour>& some, const char* name)
{
    core::Json json = core::Json::array();
    for (const Neighbour& one : some)
        json.push_back({{"word", words.words[one.word]}, {name, one.value}});
    return json;
}

/// "ladies 0.91, women 0.87"
std::string to_text(const core::Json& some, const char* name)
{
    std::vector<std::string> texts;
    for (const core::Json& one : some)
        texts.push_back(
            fmt::format("{} {:.2f}", one["word"].get<std::string>(), one[name].get<double>()));
    return fmt::format("{}", fmt::join(texts, ", "));
}

void show_neighbours(const NeighboursOptions& options, const TrainedWords& words)
{
    const auto candidates = words.common(options.common);
    core::Json all = core::Json::array();
    for (const std::string& word : options.words) {
        const std::size_t place = place_of(words, word);
        const auto nearest = [&](const std::vector<float>& matrix) {
            return to_json(words,
                           train::neighbours_of(words, matrix, place, candidates, options.count),
                           "cosine");
        };
        all.push_back({{"word", word}, {"after", nearest(words.after)}});
        if (!words.before.empty())
            all.back()["before"] = nearest(words.before);
    }
    if (options.json) {
        emit_json(all);
        return;
    }
    for (const core::Json& one : all) {
        emit("{}\n", one["word"].get<std::string>());
        for (const char* when : {"after", "before"})
            if (one.contains(when))
                emit("  {:<6}  {}\n", when, to_text(one[when], "cosine"));
    }
}

/// The lengths of the vectors of the common words.
core::Json norms_of(const NeighboursOptions& options,
                    const TrainedWords& words,
                    const std::vector<float>& matrix)
{
    std::vector<Neighbour> all;
    double sum[2] = {0, 0}; // of content words, of function words
    std::size_t count[2] = {0, 0};
    for (const std::size_t word : words.common(options.common)) {
        const double norm = train::norm_of(words.row(matrix, word));
        all.push_back({word, norm});
        const std::size_t kind = train::is_function_word(words.words[word]) ? 1 : 0;
        sum[kind] += norm;
        ++count[kind];
    }
    const auto first = [&](auto order) {
        std::ranges::stable_sort(all, order, &Neighbour::value);
        return to_json(words,
                       {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(
                                                       std::min(options.count, all.size()))},
                       "norm");
    };
    const auto mean = [&](std::size_t kind) {
        return count[kind] > 0 ? sum[kind] / static_cast<double>(count[kind]) : 0;
    };
    return {{"content_words", {{"words", count[0]}, {"mean_norm", mean(0)}}},
            {"function_words", {{"words", count[1]}, {"mean_norm", mean(1)}}},
            {"longest", first(std::ranges::greater())},
            {"shortest", first(std::ranges::less())}};
}

void show_norms(const NeighboursOptions& options, const TrainedWords& words)
{
    core::Json json = {{"after", norms_of(options, words, words.after)}};
    if (!words.before.empty())
        json["before"] = norms_of(options, words, words.before);
    if (options.json) {
        emit_json(json);
        return;
    }
    for (const auto& [when, norms] : json.items()) {
        emit("{}\n", when);
        for (const auto& [key, kind] :
             {std::pair("content_words", "content words"), {"function_words", "function words"}})
            emit("  {} {}: mean norm {:.3f}\n", norms[key]["words"].get<std::size_t>(), kind,
                 norms[key]["mean_norm"].get<double>());
        emit("  longest   {}\n  shortest  {}\n", to_text(norms["longest"], "norm"),
             to_text(norms["shortest"], "norm"));
    }
}

} // namespace

void add_neighbours_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<NeighboursOptions>();
    CLI::App* command = app.add_subcommand(
        "neighbours", "The words nearest to some in a model of 'train', before and after training");
    command->add_option("model", options->model, "A model, or a file of word vectors")
        ->required()
        ->type_name("MODEL");
    command->add_option("words", options->words, "Words to look at, in lower case")
        ->type_name("WORD");
    command
        ->add_option("--init", options->init, "Vectors before training, where the model lacks them")
        ->type_name("FILE");
    command->add_option("--count", options->count, "Neighbours of each word")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command
        ->add_option("--common", options->common,
                     "Look among the so many most frequent words of the training pairs")
        ->check(CLI::Range(1, 1'000'000'000))
        ->capture_default_str();
    command->add_flag(
        "--norms", options->norms,
        "The lengths of the vectors instead: of content and function words, longest, shortest");
    command->add_flag("--json", options->json, "Write JSON");
    command->callback([options, &exit_code] {
        if (options->words.empty() && !options->norms)
            throw core::UsageError("name words to look at, or --norms");
        const TrainedWords words = read_words(*options);
        if (options->norms)
            show_norms(*options, words);
        else
            show_neighbours(*options, words);
        exit_code = 0;
    });
}

} // namespace senteval::host
