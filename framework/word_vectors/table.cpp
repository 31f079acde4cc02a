#include "word_vectors/table.hpp"

#include "base/unicode.hpp"
#include "word_vectors/parallel.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace senteval::word_vectors {

namespace {

constexpr std::size_t rows_per_chunk = 256;
constexpr std::size_t sentences_per_poll = 16384;

} // namespace

Resolve resolve_by(const WordVectors& vectors, CasePolicy policy)
{
    return [&vectors, policy](std::string_view token) {
        return first_spelling(token, policy,
                              [&](std::string_view word) { return vectors.find(word); });
    };
}

Table::Table(const WordVectors& vectors, Resolve resolve, sdk::Host host)
    : vectors_(&vectors), resolve_(std::move(resolve)), host_(host), dimension_(vectors.dimension())
{
}

void Table::fill(const sdk::Call& call, sdk::Batch sentences)
{
    rows_.clear();
    tokens_.clear();
    std::vector<Row> file_rows;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        if (i % sentences_per_poll == 0)
            call.check_cancelled();
        base::for_each_word(sentences[i], [&](std::string_view token) {
            if (rows_.find(token) != rows_.end())
                return;
            const auto entry = rows_.emplace(token, none).first;
            if (const auto found = resolve_(token)) {
                entry->second = static_cast<std::uint32_t>(tokens_.size());
                tokens_.push_back(entry->first);
                file_rows.push_back(*found);
            }
        });
    }
    parse(call, file_rows);
}

void Table::parse(const sdk::Call& call, const std::vector<Row>& file_rows)
{
    values_.resize(rows() * dimension_);
    std::vector<std::uint8_t> good(rows());
    const auto values_of = [&](std::size_t row) {
        return std::span(values_).subspan(row * dimension_, dimension_);
    };
    // The order of the file: one that is not in memory is read forwards.
    std::vector<std::uint32_t> order(rows());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::pair(file_rows[a], a) < std::pair(file_rows[b], b);
    });
    for_each_chunk(call, (rows() + rows_per_chunk - 1) / rows_per_chunk, [&](std::size_t chunk) {
        const std::size_t end = std::min(rows(), (chunk + 1) * rows_per_chunk);
        for (std::size_t i = chunk * rows_per_chunk; i < end; ++i)
            good[order[i]] = vectors_->read(file_rows[order[i]], values_of(order[i]));
    });
    for (std::size_t row = 0; row < rows(); ++row)
        if (good[row] == 0) {
            vectors_->read_or_report(file_rows[row], values_of(row), host_);
            rows_.find(tokens_[row])->second = none;
        }
}

std::optional<std::uint32_t> Table::find(std::string_view token) const
{
    const auto at = rows_.find(token);
    return at == rows_.end() ? std::nullopt : std::optional(at->second);
}

bool Table::read_unseen(std::string_view token, std::span<double> out) const
{
    const auto row = resolve_(token);
    return row && vectors_->read_or_report(*row, out, host_);
}

void Table::count_known(sdk::Batch sentences,
                        std::span<std::uint32_t> tokens,
                        std::span<std::uint32_t> known) const
{
    SentenceReader reader(*this);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        const std::span<const Token> read = reader.read(sentences[i]);
        tokens[i] = static_cast<std::uint32_t>(read.size());
        known[i] = static_cast<std::uint32_t>(std::count_if(
            read.begin(), read.end(), [](const Token& token) { return token.vector != nullptr; }));
    }
}

std::span<const Token> SentenceReader::read(std::string_view sentence)
{
    tokens_.clear();
    unseen_.clear();
    base::for_each_word(sentence, [&](std::string_view text) {
        if (const auto row = table_->find(text); !row)
            tokens_.push_back(unseen(text));
        else
            tokens_.push_back({text, *row == Table::none ? nullptr : table_->row(*row), *row});
    });
    return tokens_;
}

Token SentenceReader::unseen(std::string_view text)
{
    std::vector<double> values(table_->dimension());
    if (!table_->read_unseen(text, values))
        return {text, nullptr, Table::none};
    unseen_.push_back(std::move(values));
    return {text, unseen_.back().data(), Table::none};
}

} // namespace senteval::word_vectors
