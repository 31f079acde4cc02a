#include "base/lines.hpp"
#include "paragram/paragram_encoder.hpp"

#include "base/refuse.hpp"
#include "word_vectors/fields.hpp"

#include <senteval/encoder.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace senteval::paragram {

namespace wv = word_vectors;

namespace {

/// The numbers of a line; nothing where a field is none.
std::optional<std::vector<double>> numbers_of(std::string_view line)
{
    std::vector<double> numbers;
    while (!line.empty()) {
        const std::string_view field = wv::last_field(line);
        std::string_view rest = field;
        double number = 0.0;
        if (!wv::take_number(rest, number) || !rest.empty())
            return std::nullopt;
        numbers.push_back(number);
        line = wv::without_end(line.substr(0, line.size() - field.size()));
    }
    std::ranges::reverse(numbers);
    return numbers;
}

} // namespace

Projection::Projection(const std::filesystem::path& file, std::size_t inputs)
{
    const base::MappedFile mapped = base::open_file(file);
    std::string_view bytes = base::without_mark(mapped.bytes());
    std::vector<double> rows;
    for (std::size_t number = 1; !bytes.empty(); ++number) {
        const std::string_view line = base::take_line(bytes);
        const auto numbers = numbers_of(wv::without_end(line));
        if (!numbers || numbers->size() != inputs + 1)
            base::refuse("{}:{}: {}; the projection of vectors of {} values needs {} numbers on "
                         "every line: a row of W and its value of b",
                         file.string(), number,
                         numbers ? fmt::format("{} numbers", numbers->size())
                                 : "has a field that is no finite number",
                         inputs, inputs + 1);
        rows.insert(rows.end(), numbers->begin(), numbers->end() - 1);
        bias_.push_back(numbers->back());
    }
    if (bias_.empty())
        base::refuse(file, "is empty");
    columns_.resize(rows.size());
    for (std::size_t row = 0; row < outputs(); ++row)
        for (std::size_t column = 0; column < inputs; ++column)
            columns_[column * outputs() + row] = rows[row * inputs + column];
}

void Projection::apply(std::span<const double> input, std::span<double> out) const
{
    std::ranges::copy(bias_, out.begin());
    for (std::size_t column = 0; column < input.size(); ++column) {
        const double* const weights = columns_.data() + column * outputs();
        for (std::size_t row = 0; row < out.size(); ++row)
            out[row] += weights[row] * input[column];
    }
}

} // namespace senteval::paragram
