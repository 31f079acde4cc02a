#include "tasks/readers/npy.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <utility>

namespace senteval::tasks {
namespace {

/// The number that `bytes` begins with in little-endian order.
std::size_t little_endian(std::string_view bytes)
{
    std::size_t value = 0;
    for (std::size_t i = bytes.size(); i-- > 0;)
        value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

/// Reads "number" and "separator" off the front of `text`; false where they are not there.
bool take(std::string_view& text, std::size_t& value, std::string_view separator)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc())
        return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.starts_with(separator))
        return false;
    text.remove_prefix(separator.size());
    return true;
}

bool parse_shape(std::string_view header, std::size_t& rows, std::size_t& columns)
{
    constexpr std::string_view key = "'shape': (";
    const std::size_t at = header.find(key);
    if (at == std::string_view::npos)
        return false;
    std::string_view shape = header.substr(at + key.size());
    return take(shape, rows, ", ") && take(shape, columns, ")");
}

} // namespace

NpyMatrix::NpyMatrix(std::string name, core::MappedFile file)
    : name_(std::move(name)), file_(std::move(file))
{
    read_header();
    require_finite();
}

void NpyMatrix::read_header()
{
    const std::string_view bytes = file_.bytes();
    if (bytes.size() < 12 || !bytes.starts_with("\x93NUMPY"))
        fail("not a NumPy array file (.npy)");
    const bool first_version = bytes[6] == 1;
    const std::size_t length = little_endian(bytes.substr(8, first_version ? 2 : 4));
    const std::size_t start = first_version ? 10 : 12;
    if (length > bytes.size() - start)
        fail("the file is cut off");
    const std::string_view header = bytes.substr(start, length);
    offset_ = start + length;
    if (header.find("'descr': '<f4'") == std::string_view::npos ||
        header.find("'fortran_order': False") == std::string_view::npos ||
        !parse_shape(header, rows_, columns_) || offset_ % alignof(float) != 0)
        fail("expected a two-dimensional array of 32-bit floats in C order, as "
             "numpy.save(file, array.astype('float32')) writes it");
    const std::size_t values = (bytes.size() - offset_) / sizeof(float);
    if (rows_ == 0 || columns_ == 0)
        fail("the array is empty");
    if (values / columns_ < rows_)
        fail("the file is cut off");
}

void NpyMatrix::require_finite() const
{
    const arma::fmat values = matrix();
    for (std::size_t row = 0; row < rows_; ++row) {
        const float* begin = values.colptr(row);
        if (!std::all_of(begin, begin + columns_, [](float v) { return std::isfinite(v); }))
            fail(fmt::format("row {} (from 0) holds a value that is not finite", row));
    }
}

arma::fmat NpyMatrix::matrix() const
{
    // Armadillo has no view of constant memory: strict, without a copy, and never written to.
    auto* data = const_cast<char*>(file_.bytes().data() + offset_);
    return {static_cast<float*>(static_cast<void*>(data)), columns_, rows_, false, true};
}

void NpyMatrix::fail(const std::string& what) const
{
    throw core::Error("{}: {}", name_, what);
}

} // namespace senteval::tasks
