// The words nearest to some in a model of 'train'.
#include "annex/commands.hpp"
#include "annex/trained_words.hpp"
#include "base/error.hpp"
#include "base/home.hpp"
#include "base/json.hpp"
#include "base/names.hpp"
#include "host/annex.hpp"
#include "host/help.hpp"
#include "host/output.hpp"

#include <CLI/App.hpp>
#include <CLI/Validators.hpp>
#include <fmt/format.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace senteval::annex {
namespace {

using base::Json;

struct NeighboursOptions {
    std::string model;
    std::vector<std::string> words;
    std::size_t count = 7;
    std::size_t common = 10'000;
    bool json = false;
};

/// [{"word": ..., "cosine": ...}, ...]
Json to_json(const TrainedWords& words, const std::vector<Neighbour>& some)
{
    Json json = Json::array();
    for (const Neighbour& one : some)
        json.push_back({{"word", words.words[one.word]}, {"cosine", one.cosine}});
    return json;
}

/// "ladies 0.91, women 0.87"
std::string to_text(const Json& some)
{
    std::vector<std::string> texts;
    for (const Json& one : some)
        texts.push_back(
            fmt::format("{} {:.2f}", one["word"].get<std::string>(), one["cosine"].get<double>()));
    return fmt::format("{}", fmt::join(texts, ", "));
}

void show_neighbours(const NeighboursOptions& options, const TrainedWords& words)
{
    const auto candidates = words.common(options.common);
    Json all = Json::array();
    for (const std::string& word : options.words) {
        const auto place = words.find(word);
        if (!place)
            throw base::UsageError("the model has no word '{}'; its words are in lower case.{}",
                                   word, base::did_you_mean(word, words.words));
        const auto nearest = [&](const std::vector<float>& matrix) {
            return to_json(words, neighbours_of(words, matrix, *place, candidates, options.count));
        };
        all.push_back({{"word", word}, {"after", nearest(words.after)}});
        if (!words.before.empty())
            all.back()["before"] = nearest(words.before);
    }
    if (options.json)
        return host::emit_json(all);
    for (const Json& one : all) {
        host::emit("{}\n", one["word"].get<std::string>());
        for (const char* when : {"after", "before"})
            if (one.contains(when))
                host::emit("  {:<6}  {}\n", when, to_text(one[when]));
    }
}

} // namespace

void add_neighbours_command(CLI::App& app, int& exit_code)
{
    const auto options = std::make_shared<NeighboursOptions>();
    CLI::App* command =
        app.add_subcommand(host::neighbours_command.name, host::neighbours_command.help);
    host::add_option(*command, "model", options->model, "A model, or a file of word vectors",
                     "MODEL")
        ->required();
    host::add_option(*command, "words", options->words, "Words to look at, in lower case", "WORD")
        ->required();
    command->add_option("--count", options->count, "Neighbours of each word")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    command
        ->add_option("--common", options->common,
                     "Search only this many of the most frequent words of the training pairs")
        ->check(CLI::Range(1, 1'000'000'000))
        ->capture_default_str();
    command->add_flag("--json", options->json, "Write JSON");
    command->callback([options, &exit_code] {
        show_neighbours(*options, read_trained_words(base::expand_home(options->model)));
        exit_code = 0;
    });
}

} // namespace senteval::annex
