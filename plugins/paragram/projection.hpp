// projection.hpp -- the linear projection of the proj. model: W x + b (Wieting et al. 2016,
// equation 2).
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <vector>

namespace senteval::paragram {

/// Read from a text file with a line per output dimension: the values of that row of W, then its
/// value of b, separated by spaces (numpy.savetxt(file, numpy.column_stack([W, b])) writes one).
class Projection {
public:
    /// For inputs of `inputs` values. Throws sdk::Error naming file and line, also where the file
    /// is made for inputs of another length.
    Projection(const std::filesystem::path& file, std::size_t inputs);

    [[nodiscard]] std::size_t outputs() const noexcept { return bias_.size(); }

    /// out = W input + b.
    void apply(std::span<const double> input, std::span<double> out) const;

private:
    std::vector<double> columns_; ///< W, column by column
    std::vector<double> bias_;
};

} // namespace senteval::paragram
