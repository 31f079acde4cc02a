#include "glove/sif.hpp"

#include "word_vectors/fields.hpp"
#include "word_vectors/mapped_file.hpp"
#include "word_vectors/parallel.hpp"

#include <armadillo>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace senteval::glove {

namespace wv = word_vectors;

namespace {

constexpr std::size_t block_vectors = 512;
constexpr std::size_t partial_sums = 16; ///< fixed, so that their sum is the same on any machine

/// `line` as a word and a count above 0.
std::optional<std::pair<std::string_view, double>> word_and_count(std::string_view line)
{
    const std::string_view field = wv::last_field(line);
    const std::string_view word = wv::without_end(line.substr(0, line.size() - field.size()));
    std::string_view rest = field;
    double count = 0.0;
    if (word.empty() || !wv::take_number(rest, count) || !rest.empty() || count < 0.0)
        return std::nullopt;
    return std::pair(word, count);
}

} // namespace

WordCounts::WordCounts(const std::filesystem::path& file)
{
    const wv::MappedFile mapped(file);
    std::string_view bytes = mapped.bytes();
    for (std::size_t number = 1; !bytes.empty(); ++number) {
        const std::string_view line = wv::line_at(bytes);
        bytes.remove_prefix(std::min(line.size() + 1, bytes.size()));
        const std::string_view trimmed = wv::without_end(line);
        if (trimmed.empty())
            continue;
        const auto entry = word_and_count(trimmed);
        if (!entry)
            throw sdk::Error(
                SENTEVAL_INVALID_ARGUMENT,
                fmt::format("{}:{}: is not a word and its count", file.string(), number));
        counts_.insert_or_assign(std::string(entry->first), entry->second);
        total_ += entry->second;
    }
    if (total_ <= 0.0)
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT, file.string() + ": has no word counts");
}

std::optional<double> WordCounts::probability(std::string_view word) const
{
    const auto found = counts_.find(word);
    return found == counts_.end() ? std::nullopt : std::optional(found->second / total_);
}

SifWeights::SifWeights(WordCounts counts, double a, wv::CasePolicy policy)
    : counts_(std::move(counts)), a_(a), policy_(policy)
{
    if (!(a > 0.0))
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                         fmt::format("parameter 'sif_a' is {}; it must be above 0", a));
}

void SifWeights::fill(const wv::Table& table)
{
    weights_.clear();
    for (std::uint32_t row = 0; row < table.rows(); ++row)
        weights_.push_back(weight_of(table.token(row)));
}

double SifWeights::weight_of(std::string_view token) const
{
    const auto probability = wv::first_spelling(
        token, policy_, [&](std::string_view word) { return counts_.probability(word); });
    return probability ? a_ / (a_ + *probability) : 1.0;
}

void SifWeights::average(Unknown unknown,
                         std::span<const wv::Token> tokens,
                         std::span<double> out) const
{
    std::ranges::fill(out, 0.0);
    const std::size_t counted = count_tokens(unknown, tokens);
    for (const wv::Token& token : tokens) {
        if (token.vector == nullptr)
            continue;
        const double weight =
            token.row == wv::Table::none ? weight_of(token.text) : weights_[token.row];
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] += weight * token.vector[i];
    }
    if (counted > 0)
        for (double& value : out)
            value /= static_cast<double>(counted);
}

void CommonComponent::fit(const sdk::Call& call,
                          std::size_t count,
                          std::size_t dimension,
                          const Vectors& vectors)
{
    // Its right singular vectors are the eigenvectors of the sum of the outer products.
    const std::size_t blocks = (count + block_vectors - 1) / block_vectors;
    std::vector<arma::mat> sums(partial_sums, arma::mat(dimension, dimension, arma::fill::zeros));
    wv::for_each_chunk(call, partial_sums, [&](std::size_t part) {
        arma::mat block;
        for (std::size_t b = part; b < blocks; b += partial_sums) {
            const std::size_t begin = b * block_vectors;
            block.set_size(dimension, std::min(block_vectors, count - begin));
            vectors(begin, {block.memptr(), block.n_elem});
            sums[part] += block * block.t();
        }
    });
    for (std::size_t part = 1; part < partial_sums; ++part)
        sums[0] += sums[part];

    arma::vec values;
    arma::mat components;
    component_.assign(dimension, 0.0);
    if (!sums[0].is_zero() && arma::eig_sym(values, components, sums[0]))
        std::copy_n(components.colptr(dimension - 1), dimension, component_.begin());
}

void CommonComponent::remove_from(std::span<double> vector) const
{
    double along = 0.0;
    for (std::size_t i = 0; i < component_.size(); ++i)
        along += component_[i] * vector[i];
    for (std::size_t i = 0; i < component_.size(); ++i)
        vector[i] -= along * component_[i];
}

} // namespace senteval::glove
