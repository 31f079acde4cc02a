#include "glove/sif.hpp"

#include "base/lines.hpp"
#include "base/refuse.hpp"
#include "word_vectors/fields.hpp"
#include "word_vectors/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace senteval::glove {

namespace wv = word_vectors;

namespace {

constexpr std::size_t block_vectors = 8; ///< they stay in the nearest cache
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

/// A symmetric matrix, row by row; its upper half is kept.
class Symmetric {
public:
    explicit Symmetric(std::size_t size) : size_(size), values_(size * size) {}

    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    double* row(std::size_t i) { return values_.data() + i * size_; }
    [[nodiscard]] double at(std::size_t i, std::size_t j) const
    {
        return values_[std::min(i, j) * size_ + std::max(i, j)];
    }

    [[nodiscard]] double trace() const
    {
        double sum = 0.0;
        for (std::size_t i = 0; i < size_; ++i)
            sum += at(i, i);
        return sum;
    }

    void operator+=(const Symmetric& other)
    {
        for (std::size_t i = 0; i < values_.size(); ++i)
            values_[i] += other.values_[i];
    }

    void operator*=(double factor)
    {
        for (double& value : values_)
            value *= factor;
    }

    /// Adds the outer products of vectors that lie one behind the other, in their order.
    void add_outer_products(std::span<const double> vectors)
    {
        for (std::size_t i = 0; i < size_; ++i)
            for (std::size_t begin = 0; begin < vectors.size(); begin += size_)
                for (std::size_t j = i; j < size_; ++j)
                    row(i)[j] += vectors[begin + i] * vectors[begin + j];
    }

    /// The square: the sum of the outer products of its rows.
    [[nodiscard]] Symmetric square() const
    {
        std::vector<double> whole(size_ * size_);
        for (std::size_t i = 0; i < size_; ++i)
            for (std::size_t j = 0; j < size_; ++j)
                whole[i * size_ + j] = at(i, j);
        Symmetric result(size_);
        result.add_outer_products(whole);
        return result;
    }

private:
    std::size_t size_;
    std::vector<double> values_;
};

/// The eigenvector of the largest eigenvalue of a matrix that has no negative ones; zeros for zeros.
/// Squared again and again, the matrix comes to be that vector's outer product: the shares of the other
/// eigenvalues are squared with it. Not LAPACK's, whose bits depend on the processor.
std::vector<double> first_eigenvector(Symmetric matrix)
{
    constexpr int most_squarings = 40; // parts eigenvalues that differ by 1e-11
    constexpr double negligible = 1e-15;
    std::vector<double> vector(matrix.size());
    for (int squarings = 0; matrix.trace() > 0.0 && squarings < most_squarings; ++squarings) {
        matrix *= 1.0 / matrix.trace();
        matrix = matrix.square();
        if (1.0 - matrix.trace() < negligible) // 1 where there is one eigenvalue only
            break;
    }
    std::size_t largest = 0;
    for (std::size_t i = 1; i < matrix.size(); ++i)
        if (matrix.at(i, i) > matrix.at(largest, largest))
            largest = i;
    double squares = 0.0;
    for (std::size_t i = 0; i < matrix.size(); ++i) {
        vector[i] = matrix.at(i, largest);
        squares += vector[i] * vector[i];
    }
    if (squares > 0.0)
        for (double& value : vector)
            value /= std::sqrt(squares);
    return vector;
}

} // namespace

WordCounts::WordCounts(const std::filesystem::path& file)
{
    const base::MappedFile mapped = base::open_file(file);
    std::string_view bytes = base::without_mark(mapped.bytes());
    for (std::size_t number = 1; !bytes.empty(); ++number) {
        const std::string_view line = base::take_line(bytes);
        const std::string_view trimmed = wv::without_end(line);
        if (trimmed.empty())
            continue;
        const auto entry = word_and_count(trimmed);
        if (!entry)
            base::refuse("{}:{}: is not a word and its count", file.string(), number);
        counts_.insert_or_assign(std::string(entry->first), entry->second);
        total_ += entry->second;
    }
    if (total_ <= 0.0)
        base::refuse(file, "has no word counts");
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
        base::refuse("parameter 'sif_a' is {}; it must be above 0", a);
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
    // The right singular vectors are the eigenvectors of the sum of the outer products.
    const std::size_t blocks = (count + block_vectors - 1) / block_vectors;
    std::vector<Symmetric> sums(partial_sums, Symmetric(dimension));
    wv::for_each_chunk(call, partial_sums, [&](std::size_t part) {
        std::vector<double> block;
        for (std::size_t b = part; b < blocks; b += partial_sums) {
            const std::size_t begin = b * block_vectors;
            block.resize(dimension * std::min(block_vectors, count - begin));
            vectors(begin, block);
            sums[part].add_outer_products(block);
        }
    });
    for (std::size_t part = 1; part < partial_sums; ++part)
        sums[0] += sums[part];
    component_ = first_eigenvector(std::move(sums[0]));
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
