#include "tasks/readers/npy.hpp"

#include "core/error.hpp"
#include "word_vectors/npy.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace senteval::tasks {
namespace {

word_vectors::NpyArray open_array(const std::string& name, const core::MappedFile& file)
try {
    return word_vectors::NpyArray(file.bytes());
} catch (const std::invalid_argument& error) {
    throw core::Error("{}: {}", name, error.what());
}

} // namespace

NpyMatrix::NpyMatrix(const std::string& name, core::MappedFile file) : file_(std::move(file))
{
    const word_vectors::NpyArray array = open_array(name, file_);
    values_ = array.floats();
    rows_ = array.rows();
    columns_ = array.columns();
    if (values_ == nullptr || rows_ == 0)
        throw core::Error("{}: expected a two-dimensional array of 32-bit floats in C order, not "
                          "empty, as numpy.save(file, array.astype('float32')) writes it",
                          name);
    const float* const end = values_ + rows_ * columns_;
    const float* const bad = std::find_if(values_, end, [](float v) { return !std::isfinite(v); });
    if (bad != end)
        throw core::Error("{}: row {} (from 0) holds a value that is not finite", name,
                          static_cast<std::size_t>(bad - values_) / columns_);
}

arma::fmat NpyMatrix::matrix() const
{
    // Armadillo has no view of constant memory: strict, without a copy, and never written to.
    return {const_cast<float*>(values_), columns_, rows_, false, true};
}

} // namespace senteval::tasks
