#include "tasks/chunks.hpp"

#include "base/unicode.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace senteval::tasks {

std::vector<std::string> windows_of(std::string_view text, task::Chunks chunks)
{
    std::vector<std::string_view> words;
    for (auto word = base::take_word(text); !word.empty(); word = base::take_word(text))
        words.push_back(word);
    std::vector<std::string> windows;
    for (std::size_t first = 0;; first += chunks.size - chunks.overlap) {
        const std::size_t end = std::min(first + chunks.size, words.size());
        windows.push_back(
            fmt::format("{}", fmt::join(std::span(words).subspan(first, end - first), " ")));
        if (end == words.size())
            return windows;
    }
}

void cut_documents(Dataset& dataset, task::Chunks chunks)
{
    const Part* const corpus = dataset.find("corpus");
    const auto queries = std::ranges::find(dataset.parts, "queries", &Part::name);
    if (corpus == nullptr || queries == dataset.parts.end() || !queries->judgements)
        return;
    Part cut("chunks", false);
    cut.verbatim = corpus->verbatim;
    auto judgements = std::make_shared<Judgements>(*queries->judgements);
    for (std::uint32_t document = 0; document < corpus->size(); ++document)
        for (const std::string& window : windows_of(corpus->first[document].text, chunks)) {
            text::Sentence sentence = corpus->first[document].verbatim
                                          ? text::verbatim_sentence(window, dataset.arena)
                                          : text::make_sentence(window, dataset.arena);
            sentence.role = corpus->first[document].role;
            cut.first.push_back(sentence);
            judgements->document_of.push_back(document);
        }
    queries->judgements = std::move(judgements);
    keep_order(cut);
    dataset.samples.clear();
    add_samples(dataset, *queries);
    add_samples(dataset, cut);
    dataset.parts.push_back(std::move(cut));
}

} // namespace senteval::tasks
