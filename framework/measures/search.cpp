#include "measures/search.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "numeric/denormals.hpp"
#include "numeric/kernels.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

namespace senteval::measures {
namespace {

using numeric::panel_rows;

constexpr std::size_t batch_queries = 21 * panel_rows;
constexpr std::size_t block_documents = 64;
static_assert(block_documents % numeric::tile_columns == 0);

/// Zeros that begin at a cache line.
class Floats {
public:
    explicit Floats(std::size_t size) : lines_((size + 15) / 16) {}
    float* data() { return lines_.front().values.data(); }

private:
    struct alignas(64) Line {
        std::array<float, 16> values{};
    };
    std::vector<Line> lines_;
};

void normalise(float* vector, std::size_t dimension)
{
    numeric::bring_into_range({vector, dimension});
    double squares = 0;
    for (std::size_t f = 0; f < dimension; ++f)
        squares += static_cast<double>(vector[f]) * vector[f];
    const auto length = static_cast<float>(std::max(std::sqrt(squares), 1e-12));
    for (std::size_t f = 0; f < dimension; ++f)
        vector[f] /= length;
}

/// A sum and what was lost of it to rounding (Knuth's two-sum).
struct ExactSum {
    double sum = 0;
    double lost = 0;

    void add(double term)
    {
        const double before = std::exchange(sum, sum + term);
        const double added = sum - before;
        lost += (before - (sum - added)) + (term - added);
    }
};

/// The cosine of vectors as they are, from the product without a loss: that of orthogonal ones is 0.
float exact_cosine(std::span<const float> u, std::span<const float> v)
{
    std::array<ExactSum, 4> lanes; // that need not wait for each other
    const auto term = [&](std::size_t f) { return double{u[f]} * double{v[f]}; }; // has no loss
    std::size_t f = 0;
    for (; f + lanes.size() <= u.size(); f += lanes.size())
        for (std::size_t lane = 0; lane < lanes.size(); ++lane)
            lanes[lane].add(term(f + lane));
    for (; f < u.size(); ++f)
        lanes[0].add(term(f));
    ExactSum product;
    for (const ExactSum& lane : lanes) {
        product.add(lane.sum);
        product.lost += lane.lost;
    }
    if (product.sum + product.lost == 0)
        return 0;
    const auto squares = [](double sum, float value) {
        return sum + double{value} * double{value};
    };
    const double lengths = std::sqrt(std::accumulate(u.begin(), u.end(), 0.0, squares) *
                                     std::accumulate(v.begin(), v.end(), 0.0, squares));
    return static_cast<float>((product.sum + product.lost) / lengths);
}

/// A cosine that is no larger may be nothing but rounding: the bound of a sum of `dimension` products of values that are
/// rounded themselves.
float noise_of(std::size_t dimension, Similarity similarity)
{
    return similarity == Similarity::cosine
               ? static_cast<float>(dimension + 8) * std::numeric_limits<float>::epsilon() / 2
               : 0;
}

/// A score and a document's place by id as one number: the better document has the larger key.
using Key = std::uint64_t;

Key key_of(float score, std::uint32_t place)
{
    constexpr std::uint32_t sign = 0x80000000;
    const auto bits = std::bit_cast<std::uint32_t>(score + 0.0F); // -0 is 0
    return Key{(bits & sign) != 0 ? ~bits : bits | sign} << 32 | place;
}

float score_of(Key key)
{
    constexpr std::uint32_t sign = 0x80000000;
    const auto bits = static_cast<std::uint32_t>(key >> 32);
    return std::bit_cast<float>((bits & sign) != 0 ? bits & ~sign : ~bits);
}

/// Moves the k largest keys to the front, in any order.
std::span<Key> largest(std::span<Key> keys, std::size_t k)
{
    if (keys.size() <= k)
        return keys;
    const auto last = keys.begin() + static_cast<std::ptrdiff_t>(k);
    std::nth_element(keys.begin(), last - 1, keys.end(), std::greater());
    return keys.first(k);
}

/// The best documents so far, for each query of a batch: up to 2 k of them, of which the worse ones are dropped when
/// there is no more room.
class Best {
public:
    /// `rows`: queries, and zeros up to a multiple of `step`. `noise`: scores but 0 up to that, and down to minus that, are
    /// computed anew.
    Best(std::size_t queries, std::size_t rows, std::size_t k, float noise)
        : k_(k),
          noise_(noise),
          thresholds_(rows, std::numeric_limits<float>::infinity()),
          chosen_(rows),
          sizes_(queries),
          keys_(std::make_unique_for_overwrite<Key[]>(queries * 2 * k))
    {
        std::fill_n(thresholds_.begin(), queries, -std::numeric_limits<float>::infinity());
    }

    /// The scores of all queries with one document. Mostly it is good enough for a few of them: these are collected
    /// first, without a branch for each. `anew` computes that of a query.
    template <typename Anew>
    void add(const float* scores, std::uint32_t place, Anew anew)
    {
        std::size_t count = 0;
        for (std::size_t first = 0; first < thresholds_.size(); first += step) {
            unsigned any = 0;
            for (std::size_t q = first; q < first + step; ++q)
                any |= static_cast<unsigned>(scores[q] >= thresholds_[q]);
            for (std::size_t q = first; any != 0 && q < first + step; ++q) {
                chosen_[count] = static_cast<std::uint32_t>(q);
                count += static_cast<std::size_t>(scores[q] >= thresholds_[q]);
            }
        }
        for (const std::uint32_t q : std::span(chosen_).first(count)) {
            if (sizes_[q] == 2 * k_)
                drop(q);
            float score = scores[q];
            if (std::abs(score) <= noise_ && score != 0) [[unlikely]]
                score = anew(q);
            keys_[q * 2 * k_ + sizes_[q]++] = key_of(score, place);
        }
    }

    [[nodiscard]] std::span<Key> keys(std::size_t query)
    {
        return {keys_.get() + query * 2 * k_, sizes_[query]};
    }

private:
    static constexpr std::size_t step = 16;
    static_assert(panel_rows % step == 0);

    void drop(std::size_t query)
    {
        const std::span<Key> kept = largest(keys(query), k_);
        sizes_[query] = kept.size();
        thresholds_[query] = score_of(std::ranges::min(kept)) - noise_;
    }

    std::size_t k_;
    float noise_;
    std::vector<float>
        thresholds_; ///< k documents have this score and noise or more; nothing passes infinity
    std::vector<std::uint32_t> chosen_; ///< scratch
    std::vector<std::size_t> sizes_;
    std::unique_ptr<Key[]> keys_; ///< 2 k of each query
};

/// Queries of a batch, packed for numeric::Product, with zeros up to a whole panel.
class Panels {
public:
    Panels(std::span<const float> queries, std::size_t dimension, Similarity similarity)
        : dimension_(dimension),
          as_they_are_(queries),
          queries_(queries.size() / dimension),
          count_((queries_ + panel_rows - 1) / panel_rows),
          values_(count_ * panel_rows * dimension)
    {
        std::vector<float> vector(dimension);
        for (std::size_t q = 0; q < queries_; ++q) {
            std::ranges::copy(queries.subspan(q * dimension, dimension), vector.begin());
            if (similarity == Similarity::cosine)
                normalise(vector.data(), dimension);
            float* const at =
                values_.data() + q / panel_rows * panel_rows * dimension + q % panel_rows;
            for (std::size_t f = 0; f < dimension; ++f)
                at[f * panel_rows] = vector[f];
        }
    }

    std::size_t queries() const { return queries_; }
    std::size_t rows() const { return count_ * panel_rows; }
    std::span<const float> as_it_is(std::size_t query) const
    {
        return as_they_are_.subspan(query * dimension_, dimension_);
    }

    void multiply(const float* documents, float* scores)
    {
        numeric::kernels().multiply({.panels = values_.data(),
                                     .panel_count = count_,
                                     .inputs = dimension_,
                                     .vectors = documents,
                                     .columns = block_documents,
                                     .outputs = scores});
    }

private:
    std::size_t dimension_;
    std::span<const float> as_they_are_;
    std::size_t queries_;
    std::size_t count_;
    Floats values_;
};

/// The best of documents first ... last - 1.
Best search_part(Panels& panels,
                 std::size_t dimension,
                 const Documents& documents,
                 std::span<const std::uint32_t> places,
                 std::size_t first,
                 std::size_t last,
                 std::size_t k,
                 Similarity similarity)
{
    Best best(panels.queries(), panels.rows(), k, noise_of(dimension, similarity));
    std::vector<float> document(dimension);
    Floats block(block_documents * dimension);
    Floats scores(block_documents * panels.rows());
    for (; first < last; first += block_documents) {
        const std::size_t number = std::min(block_documents, last - first);
        documents.copy(first, number, block.data());
        for (std::size_t i = 0; i < number && similarity == Similarity::cosine; ++i)
            normalise(block.data() + i * dimension, dimension);
        panels.multiply(block.data(), scores.data());
        for (std::size_t i = 0; i < number; ++i)
            best.add(scores.data() + i * panels.rows(),
                     places.empty() ? static_cast<std::uint32_t>(first + i) : places[first + i],
                     [&](std::size_t query) {
                         documents.copy(first + i, 1, document.data());
                         return exact_cosine(panels.as_it_is(query), document);
                     });
    }
    return best;
}

std::vector<Hit> hits_of(std::span<Key> keys, std::size_t k, std::span<const std::uint32_t> by_id)
{
    const std::span<Key> best = largest(keys, k);
    std::ranges::sort(best, std::greater());
    std::vector<Hit> hits;
    hits.reserve(best.size());
    for (const Key key : best) {
        const auto place = static_cast<std::uint32_t>(key);
        hits.push_back({by_id.empty() ? place : by_id[place], score_of(key)});
    }
    return hits;
}

} // namespace

std::vector<std::vector<Hit>> search(std::span<const float> queries,
                                     std::size_t dimension,
                                     const Documents& documents,
                                     std::size_t k,
                                     Similarity similarity,
                                     unsigned threads)
{
    const auto outside = [&](std::uint32_t document) { return document >= documents.count; };
    if (dimension == 0 || queries.size() % dimension != 0 ||
        documents.count > std::numeric_limits<std::uint32_t>::max() ||
        (!documents.by_id.empty() && documents.by_id.size() != documents.count) ||
        std::ranges::any_of(documents.by_id, outside))
        throw base::Error("a search of {} documents, {} in order, by {} query values of {} each",
                          documents.count, documents.by_id.size(), queries.size(), dimension);
    std::vector<std::vector<Hit>> result(queries.size() / dimension);
    k = std::min(k, documents.count);
    if (k == 0)
        return result;
    std::vector<std::uint32_t> places(documents.by_id.size());
    for (std::size_t i = 0; i < places.size(); ++i)
        places[documents.by_id[i]] = static_cast<std::uint32_t>(i);

    const std::size_t blocks = (documents.count + block_documents - 1) / block_documents;
    const std::size_t parts = std::clamp<std::size_t>(threads, 1, blocks);
    const auto begin = [&](std::size_t part) {
        return std::min(blocks * part / parts * block_documents, documents.count);
    };
    for (std::size_t first = 0; first < result.size(); first += batch_queries) {
        const std::size_t number = std::min(batch_queries, result.size() - first);
        Panels panels(queries.subspan(first * dimension, number * dimension), dimension,
                      similarity);
        std::vector<std::optional<Best>> best(parts);
        base::parallel_for(parts, threads, [&](std::size_t part) {
            best[part] = search_part(panels, dimension, documents, places, begin(part),
                                     begin(part + 1), k, similarity);
        });
        base::parallel_for(number, threads, [&](std::size_t q) {
            std::vector<Key> keys;
            for (auto& part : best)
                keys.insert(keys.end(), part->keys(q).begin(), part->keys(q).end());
            result[first + q] = hits_of(keys, k, documents.by_id);
        });
    }
    return result;
}

} // namespace senteval::measures
