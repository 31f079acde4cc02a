#include "encoder/row_order.hpp"

#include "encoder/sentences.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace senteval::encoder {
namespace {

double squared_distance(std::span<const float> a, const float* b)
{
    double sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        const double apart = static_cast<double>(a[k]) - b[k];
        sum += apart * apart;
    }
    return sum;
}

std::optional<std::size_t> place_of(std::span<const float> alone,
                                    const arma::fmat& rows,
                                    std::size_t own,
                                    const std::vector<bool>& is_taken)
{
    constexpr double hundredth = 1e-4; // of squares
    constexpr double tenth = 1e-2;
    const double from_zero = squared_distance(alone, std::vector<float>(alone.size()).data());
    const double from_own = squared_distance(alone, rows.colptr(own));
    if (!is_taken[own] && from_own <= hundredth * from_zero)
        return own;
    double least = std::numeric_limits<double>::infinity();
    std::size_t nearest = own;
    for (std::size_t i = 0; i < rows.n_cols; ++i)
        if (const double distance = squared_distance(alone, rows.colptr(i));
            !is_taken[i] && distance < least) {
            least = distance;
            nearest = i;
        }
    if (least > tenth * from_own)
        return std::nullopt;
    return nearest;
}

} // namespace

std::optional<std::size_t>
place_of(std::span<const float> alone, const arma::fmat& rows, std::size_t own)
{
    return place_of(alone, rows, own, std::vector<bool>(rows.n_cols));
}

bool are_equal(const arma::fmat& rows)
{
    for (std::size_t i = 1; i < rows.n_cols; ++i)
        if (!std::equal(rows.colptr(0), rows.colptr(0) + rows.n_rows, rows.colptr(i)))
            return false;
    return rows.n_cols > 1;
}

namespace {

/// Where all rows are equal: the first sentence whose vector is another, if they are that of some sentence.
std::optional<std::size_t> covered_row(const arma::fmat& alone, const arma::fmat& rows)
{
    std::optional<std::size_t> other;
    bool is_of_one = false;
    for (std::size_t i = 0; i < rows.n_cols; ++i)
        if (encoder::place_of({alone.colptr(i), alone.n_rows}, rows, i) == i)
            is_of_one = true;
        else if (!other)
            other = i;
    return is_of_one ? other : std::nullopt;
}

} // namespace

std::optional<std::size_t> misplaced_row(const arma::fmat& alone, const arma::fmat& rows)
{
    if (are_equal(rows))
        return covered_row(alone, rows);
    std::optional<std::size_t> first;
    std::vector<bool> is_taken(rows.n_cols);
    for (std::size_t i = 0; i < rows.n_cols; ++i) {
        const auto place = place_of({alone.colptr(i), alone.n_rows}, rows, i, is_taken);
        if (!place)
            return std::nullopt;
        is_taken[*place] = true;
        if (*place != i && !first)
            first = i;
    }
    return first;
}

std::string wrong_order(const arma::fmat& alone,
                        const arma::fmat& rows,
                        const std::function<std::string_view(std::size_t)>& text)
{
    const auto misplaced = misplaced_row(alone, rows);
    if (!misplaced)
        return {};
    const auto owner = place_of({rows.colptr(*misplaced), rows.n_rows}, alone, *misplaced);
    return fmt::format(
        "the rows are not in the order of the sentences: {} was given the vector "
        "that {} has, encoded alone. Row i must be that of sentence i (was the batch "
        "sorted and not put back?)",
        shown(text(*misplaced)), shown(text(owner.value_or(*misplaced))));
}

} // namespace senteval::encoder
