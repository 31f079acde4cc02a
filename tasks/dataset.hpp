// dataset.hpp -- the one shape in which every text dataset is handed to the protocols.
#pragma once

#include "task/task.hpp"
#include "tasks/readers/npy.hpp"
#include "text/sentence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::tasks {

/// A document and what it is worth for a query; it is relevant from grade 1.
struct Judged {
    std::uint32_t document = 0; ///< item of the part "corpus"
    int grade = 0;
};

/// The judgements of a search, and its candidates, beside the texts of the parts "queries" and "corpus".
struct Judgements {
    std::vector<std::string> query_ids;
    std::vector<std::string> document_ids;
    std::vector<std::vector<Judged>> of_query; ///< all judged documents of each query, at least one
    /// Documents to be ranked for each query; no list at all: the whole corpus.
    std::vector<std::vector<std::uint32_t>> candidates;
    std::vector<std::uint32_t>
        document_of; ///< of each item of the part "chunks", where there is one
};

/// One split, or one subset of a similarity task: single sentences, or pairs, each with a class or
/// a score. Everything is in file order except `order`.
struct Part {
    Part() = default;
    Part(std::string called, bool is_tested) : name(std::move(called)), tested(is_tested) {}

    std::string name; ///< "train", "dev", "test", or the subset's name
    std::vector<text::Sentence> first;
    std::vector<text::Sentence> second; ///< empty, or as long as `first`: pairs
    std::vector<std::uint32_t> labels;  ///< indices into Dataset::classes; empty where scored
    std::vector<double> scores;         ///< empty where classified
    std::shared_ptr<const NpyMatrix>
        images; ///< that the sentences describe, five each; mostly null
    std::shared_ptr<const Judgements> judgements; ///< of the part "queries" of a search; else null
    /// Classes of each item: of several labels, or of levels, the coarsest first. Else empty.
    std::vector<std::vector<std::uint32_t>> label_sets;
    std::vector<std::uint32_t> order; ///< items in the order in which they are evaluated
    bool tested = false;              ///< its items are the task's test items
    std::size_t drawn_from = 0; ///< rows of the file, where the items are a random draw of them
    bool verbatim = false;      ///< texts are kept as they were written, not as tokens

    [[nodiscard]] std::size_t size() const noexcept { return first.size(); }
    [[nodiscard]] bool pairs() const noexcept { return !second.empty(); }
};

/// A reason why numbers may not mean what they seem to.
struct DataWarning {
    std::string_view name; ///< by which it is accepted: one of warning_names
    std::string text;
};

struct Dataset {
    std::string name; ///< the task's, for messages
    text::Arena arena;
    std::vector<std::string> classes; ///< names of the labels
    std::vector<Part> parts;
    std::vector<text::Sentence> samples;    ///< what the encoder's prepare() is shown
    std::vector<DataWarning> data_warnings; ///< that the log and the results repeat

    template <typename... Args>
    void warn(std::string_view warning, fmt::format_string<Args...> format, Args&&... args)
    {
        data_warnings.push_back({warning, fmt::format(format, std::forward<Args>(args)...)});
    }

    /// The part of that name, or nothing.
    [[nodiscard]] const Part* find(std::string_view part_name) const;

    /// The part of that name. Throws base::Error naming the dataset where there is none.
    [[nodiscard]] const Part& part(std::string_view part_name) const;

    /// The test items are those of all tested parts, one part after the other, in file order.
    [[nodiscard]] task::ItemText test_item(std::uint32_t item) const;
};

/// Sets `order` to that of the original: by number of tokens (of the first sentence, then of the second),
/// then by label or score; equal items stay in file order.
void sort_by_length(Part& part);

/// Sets `order` to that of the file.
void keep_order(Part& part);

/// Sets `order` to that of a key, which is made of the number of an item; equal items stay in file order.
template <typename Key>
void order_by(Part& part, Key key)
{
    keep_order(part);
    std::ranges::stable_sort(part.order, {}, key);
}

enum class SampleOrder { file, sorted };

/// Appends the part's sentences to the dataset's samples: all first ones, then all second ones.
void add_samples(Dataset& dataset, const Part& part, SampleOrder order = SampleOrder::file);

/// Keeps at most `most` items of each part, evenly spread over it, and the samples that are theirs. The
/// reader of images has seen to those itself.
void limit(Dataset& dataset, std::size_t most);

/// `values` in the order of `order`.
template <typename T>
std::vector<T> reordered(std::span<const T> values, std::span<const std::uint32_t> order)
{
    std::vector<T> result;
    result.reserve(order.size());
    for (const std::uint32_t item : order)
        result.push_back(values[item]);
    return result;
}

} // namespace senteval::tasks
