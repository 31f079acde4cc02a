// table.hpp -- the vectors of one task's words, and sentences read against them.
#pragma once

#include "base/string_map.hpp"
#include "word_vectors/text_case.hpp"
#include "word_vectors/word_vectors.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::word_vectors {

/// The word of the file that stands for a token; nothing where the token is unknown. Must be pure and callable from
/// any thread.
using Resolve = std::function<std::optional<Row>(std::string_view token)>;

/// Spellings to look for where a token is not in the file as it is written.
enum class CasePolicy {
    exact,   ///< nothing else: SentEval's bow example
    fallback ///< then Capitalised, then lower-case (Wieting and Kiela 2019), then further_spellings()
};

/// The first result of find(spelling), an optional, over the spellings of a token that the policy
/// allows; nothing where there is none.
template <typename Find>
auto first_spelling(std::string_view token, CasePolicy policy, Find&& find)
{
    auto found = find(token);
    if (!found && policy == CasePolicy::fallback)
        found = find(capitalised(token));
    if (!found && policy == CasePolicy::fallback)
        found = find(lower_case(token));
    if (!found && policy == CasePolicy::fallback)
        for (const std::string& spelling : further_spellings(token))
            if (found = find(spelling); found)
                break;
    return found;
}

/// Looks a token up in `vectors` (which must outlive the result) by a case policy.
Resolve resolve_by(const WordVectors& vectors, CasePolicy policy);

/// The vectors of a set of tokens, parsed, one beside the other. Several threads may read it.
class Table {
public:
    /// Stands for a row where the token is unknown, or was not among the sentences of fill().
    static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

    /// An empty table. `vectors` must outlive it.
    Table(const WordVectors& vectors, Resolve resolve, sdk::Host host);
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;
    ~Table() = default;

    /// Replaces the content by the tokens of `sentences`, parsed on at most call.thread_budget()
    /// threads. Each known token has a row of its own, in the order of first occurrence. (Of a token
    /// whose line turns out malformed, and is skipped, a row of zeros stays that no token has.)
    void fill(const sdk::Call& call, sdk::Batch sentences);

    [[nodiscard]] std::size_t dimension() const noexcept { return dimension_; }
    [[nodiscard]] std::size_t rows() const noexcept { return tokens_.size(); }

    [[nodiscard]] const double* row(std::uint32_t index) const noexcept
    {
        return values_.data() + std::size_t{index} * dimension_;
    }
    /// The token of a row, as the task spells it.
    [[nodiscard]] std::string_view token(std::uint32_t row) const noexcept { return tokens_[row]; }

    /// The row of a token, `none` for an unknown one; nothing where fill() did not see it.
    [[nodiscard]] std::optional<std::uint32_t> find(std::string_view token) const;

    /// The vector of a token that fill() did not see, from the file into `out`; slow. False where
    /// it is unknown.
    [[nodiscard]] bool read_unseen(std::string_view token, std::span<double> out) const;

    /// An encoder's count_known(): tokens of each sentence, and those that have a vector.
    void count_known(sdk::Batch sentences,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) const;

private:
    void parse(const sdk::Call& call, const std::vector<Row>& file_rows);

    const WordVectors* vectors_;
    Resolve resolve_;
    sdk::Host host_;
    std::size_t dimension_;
    base::StringMap<std::uint32_t> rows_;
    std::vector<std::string_view> tokens_; ///< of each row, its key in rows_
    std::vector<double> values_;           ///< rows() x dimension_, row-major
};

/// A token of a sentence.
struct Token {
    std::string_view text;
    const double* vector = nullptr;  ///< dimension() values, or nullptr where it is unknown
    std::uint32_t row = Table::none; ///< of the table; none where `vector` is not in the table
};

/// Reads one sentence after the other against a table. Reuses its memory; one per thread.
class SentenceReader {
public:
    explicit SentenceReader(const Table& table) : table_(&table) {}

    /// The tokens of a sentence in order, known and unknown ones; valid until the next call. A
    /// token that fill() did not see is looked up in the file, so that the result never depends on
    /// which sentences the table was filled with.
    std::span<const Token> read(std::string_view sentence);

private:
    Token unseen(std::string_view text);

    const Table* table_;
    std::vector<Token> tokens_;
    std::deque<std::vector<double>> unseen_; ///< vectors of tokens that are not in the table
};

} // namespace senteval::word_vectors
