#include "learn/design_matrix.hpp"

#include "base/error.hpp"
#include "core/memory.hpp"
#include "learn/principal_axes.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::learn {

namespace {

void check_finite(const float* row, std::size_t inputs, std::size_t item)
{
    // The sum of x - x is 0 for finite x only, and needs no branch.
    float sum = 0;
    for (std::size_t f = 0; f < inputs; ++f)
        sum += row[f] - row[f];
    if (sum == 0)
        return;
    const float* const bad =
        std::find_if(row, row + inputs, [](float x) { return !std::isfinite(x); });
    throw base::Error(
        "feature {} of item {} is {}: the vectors that it is made of must be finite, and "
        "not so long that their products are not",
        bad - row, item, *bad);
}

} // namespace

RowStorage RowStorage::shared()
{
    RowStorage storage;
    storage.memory_limit = std::max<std::uint64_t>(storage.memory_limit, core::memory_limit() / 16);
    return storage;
}

DesignMatrix::DesignMatrix(const Features& features, const RowStorage& storage)
    : features_(features), stride_(core::row_stride(features.dimension()))
{
    if (!store_sparse(storage.sparse_share) && !features_.are_rows())
        store_dense(storage.memory_limit);
}

const PrincipalAxes& DesignMatrix::principal_axes() const
{
    std::call_once(axes_once_, [&] { axes_ = std::make_shared<const PrincipalAxes>(*this); });
    return *axes_;
}

/// False, and nothing stored, where more than that share of the values is not 0.
bool DesignMatrix::store_sparse(double most_share)
{
    const auto most = static_cast<std::size_t>(most_share * static_cast<double>(size()) *
                                               static_cast<double>(inputs()));
    constexpr std::size_t first = 64; // where half of these values are not 0, look no further
    AlignedVector<float> row(stride_);
    for (std::size_t item = 0; item < size() && values_.size() <= most; ++item) {
        if (item == first && values_.size() > first * inputs() / 2)
            break;
        form(item, row.data());
        check_finite(row.data(), inputs(), item);
        begins_.push_back(values_.size());
        for (std::size_t f = 0; f <= inputs(); ++f)
            if (row[f] != 0) {
                places_.push_back(static_cast<std::uint32_t>(f));
                values_.push_back(row[f]);
            }
    }
    if (begins_.size() == size() && values_.size() <= most) {
        begins_.push_back(values_.size());
        return true;
    }
    begins_ = {};
    places_ = {};
    values_ = {};
    return false;
}

void DesignMatrix::store_dense(std::size_t memory_limit)
{
    const bool stores = size() * stride_ <= memory_limit / sizeof(float);
    if (stores)
        rows_ = core::make_float_block(size() * stride_);
    AlignedVector<float> scratch(stores ? 0 : stride_);
    for (std::size_t item = 0; item < size(); ++item) {
        float* const row = stores ? rows_.get() + item * stride_ : scratch.data();
        form(item, row);
        check_finite(row, inputs(), item);
    }
}

void DesignMatrix::form(std::size_t item, float* row) const
{
    features_.copy(item, row);
    row[inputs()] = 1;
    std::fill(row + inputs() + 1, row + stride_, 0.0F);
}

SparseRow DesignMatrix::sparse_row(std::size_t item) const
{
    const std::size_t begin = begins_[item];
    return {places_.data() + begin, values_.data() + begin, begins_[item + 1] - begin};
}

DesignMatrix::Batch::Batch(const DesignMatrix& matrix, std::size_t capacity, Form form)
    : matrix_(&matrix),
      sparse_(matrix.sparse() && form == Form::sparse),
      formed_(matrix.stored() || sparse_ ? 0 : capacity * matrix.stride())
{
}

void DesignMatrix::Batch::point(std::span<const std::uint32_t> rows,
                                std::vector<const float*>& pointers) const
{
    pointers.resize(padded(rows.size()));
    for (std::size_t i = 0; i < rows.size(); ++i)
        pointers[i] = matrix_->row(rows[i]);
    for (std::size_t i = rows.size(); i < pointers.size(); ++i)
        pointers[i] = pointers[0];
}

void DesignMatrix::Batch::load(std::span<const std::uint32_t> rows,
                               std::span<const std::uint32_t> next)
{
    size_ = rows.size();
    next_.clear();
    if (sparse_) {
        sparse_rows_.clear();
        for (const std::uint32_t row : rows)
            sparse_rows_.push_back(matrix_->sparse_row(row));
        return;
    }
    if (matrix_->stored()) {
        point(rows, pointers_);
        if (next.size() == rows.size())
            point(next, next_);
        return;
    }
    pointers_.resize(padded(size_));
    for (std::size_t i = 0; i < pointers_.size(); ++i) {
        float* const row = formed_.data() + (i < size_ ? i : 0) * matrix_->stride_;
        pointers_[i] = row;
        if (i < size_)
            matrix_->form(rows[i], row);
    }
}

RowPointers DesignMatrix::Batch::rows() const noexcept
{
    if (sparse_)
        return {nullptr, size_, matrix_->stride_, nullptr, sparse_rows_.data()};
    return {pointers_.data(), size_, matrix_->stride_, next_.empty() ? nullptr : next_.data()};
}

} // namespace senteval::learn
