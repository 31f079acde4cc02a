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

core::Json to_json(const TrainedWords& words, const std::vector<Neighbour>& neighbours)
{
    core::Json json = core::Json::array();
    for (const Neighbour& one : neighbours)
        json.push_back({{"word", words.words[one.word]}, {"cosine", one.cosine}});
    return json;
}

std::string to_text(const TrainedWords& words, const std::vector<Neighbour>& neighbours)
{
    std::vector<std::string> texts;
    texts.reserve(neighbours.size());
    for (const Neighbour& one : neighbours)
        texts.push_back(fmt::format("{} {:.2f}", words.words[one.word], one.cosine));
    return fmt::format("{}", fmt::join(texts, ", "));
}

void show_neighbours(const NeighboursOptions& options, const TrainedWords& words)
{
    const auto candidates = words.common(options.common);
    core::Json all = core::Json::array();
    for (const std::string& word : options.words) {
        const std::size_t place = place_of(words, word);
        const auto after =
            train::neighbours_of(words, words.after, place, candidates, options.count);
        core::Json json = {{"word", word}, {"after", to_json(words, after)}};
        std::string text = fmt::format("{}\n  after   {}\n", word, to_text(words, after));
        if (!words.before.empty()) {
            const auto before =
                train::neighbours_of(words, words.before, place, candidates, options.count);
            json["before"] = to_json(words, before);
            text += fmt::format("  before  {}\n", to_text(words, before));
        }
        all.push_back(std::move(json));
        if (!options.json)
            emit("{}", text);
    }
    if (options.json)
        emit_json(all);
}

/// The lengths of the vectors of the common words.
class Norms {
public:
    Norms(const TrainedWords& words,
          const std::vector<float>& matrix,
          const NeighboursOptions& options)
        : words_(words)
    {
        for (const std::size_t word : words.common(options.common)) {
            const double norm = train::norm_of(words.row(matrix, word));
            sorted_.push_back({word, norm});
            const bool is_function = train::is_function_word(words.words[word]);
            sum_[is_function ? 1 : 0] += norm;
            ++count_[is_function ? 1 : 0];
        }
        std::ranges::stable_sort(
            sorted_, [](const Neighbour& a, const Neighbour& b) { return a.cosine > b.cosine; });
        shown_ = std::min(options.count, sorted_.size());
    }

    [[nodiscard]] double mean(bool of_function_words) const
    {
        const std::size_t kind = of_function_words ? 1 : 0;
        return count_[kind] > 0 ? sum_[kind] / static_cast<double>(count_[kind]) : 0;
    }
    [[nodiscard]] std::size_t count(bool of_function_words) const
    {
        return count_[of_function_words ? 1 : 0];
    }

    /// Word and norm, the longest or the shortest first.
    [[nodiscard]] std::vector<Neighbour> longest() const
    {
        return {sorted_.begin(), sorted_.begin() + static_cast<std::ptrdiff_t>(shown_)};
    }
    [[nodiscard]] std::vector<Neighbour> shortest() const
    {
        return {sorted_.rbegin(), sorted_.rbegin() + static_cast<std::ptrdiff_t>(shown_)};
    }

    [[nodiscard]] core::Json json() const
    {
        const auto list = [this](const std::vector<Neighbour>& some) {
            core::Json all = core::Json::array();
            for (const Neighbour& one : some)
                all.push_back({{"word", words_.words[one.word]}, {"norm", one.cosine}});
            return all;
        };
        return {{"content_words", {{"words", count(false)}, {"mean_norm", mean(false)}}},
                {"function_words", {{"words", count(true)}, {"mean_norm", mean(true)}}},
                {"longest", list(longest())},
                {"shortest", list(shortest())}};
    }

    [[nodiscard]] std::string text() const
    {
        return fmt::format("  {} content words: mean norm {:.3f}; {} function words: {:.3f}\n"
                           "  longest   {}\n  shortest  {}\n",
                           count(false), mean(false), count(true), mean(true),
                           to_text(words_, longest()), to_text(words_, shortest()));
    }

private:
    const TrainedWords& words_;
    std::vector<Neighbour> sorted_; ///< word and norm
    std::size_t shown_ = 0;
    double sum_[2] = {0, 0};
    std::size_t count_[2] = {0, 0};
};

void show_norms(const NeighboursOptions& options, const TrainedWords& words)
{
    const Norms after(words, words.after, options);
    if (options.json) {
        core::Json json = {{"after", after.json()}};
        if (!words.before.empty())
            json["before"] = Norms(words, words.before, options).json();
        emit_json(json);
        return;
    }
    emit("after\n{}", after.text());
    if (!words.before.empty())
        emit("before\n{}", Norms(words, words.before, options).text());
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
