// The format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include "word_vectors/npy.hpp"

#include "base/half.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace senteval::word_vectors {

namespace {

static_assert(std::endian::native == std::endian::little);

template <typename... Args>
[[noreturn]] void refuse_npy(fmt::format_string<Args...> format, Args&&... args)
{
    throw std::invalid_argument(fmt::format(format, std::forward<Args>(args)...));
}

/// The text after a key in the header, which is a dictionary as Python writes it.
std::string_view after(std::string_view dictionary, std::string_view key)
{
    for (const char quote : {'\'', '"'}) {
        const std::string name = fmt::format("{0}{1}{0}:", quote, key);
        if (const std::size_t at = dictionary.find(name); at != dictionary.npos) {
            const std::string_view value = dictionary.substr(at + name.size());
            return value.substr(std::min(value.find_first_not_of(' '), value.size()));
        }
    }
    refuse_npy("its header is damaged: it has no {}", key);
}

std::string_view quoted(std::string_view text)
{
    const bool is_quoted = text.starts_with('\'') || text.starts_with('"');
    return is_quoted ? text.substr(1, text.find(text.front(), 1) - 1) : "a record";
}

/// The numbers of "(2, 3)".
std::vector<std::uint64_t> numbers_of(std::string_view shape)
{
    std::vector<std::uint64_t> numbers;
    shape = shape.substr(0, shape.find(')'));
    const auto next = [&shape] {
        const std::size_t at = shape.find_first_not_of("( ,L"); // L: of Python 2
        shape.remove_prefix(std::min(at, shape.size()));
        return !shape.empty();
    };
    while (next()) {
        std::uint64_t number = 0;
        const auto [end, error] =
            std::from_chars(shape.data(), shape.data() + shape.size(), number);
        if (error != std::errc())
            refuse_npy("its header is damaged: its shape is no list of numbers");
        shape.remove_prefix(static_cast<std::size_t>(end - shape.data()));
        numbers.push_back(number);
    }
    return numbers;
}

template <typename Number>
Number number_at(const char* bytes, bool swapped)
{
    std::array<char, sizeof(Number)> raw{};
    std::memcpy(raw.data(), bytes, raw.size());
    if (swapped)
        std::reverse(raw.begin(), raw.end());
    return std::bit_cast<Number>(raw);
}

} // namespace

NpyArray::NpyArray(std::string_view bytes)
{
    if (!bytes.starts_with("\x93NUMPY"))
        refuse_npy("is no file of numpy.save()");
    const int version = bytes.size() > 6 ? bytes[6] : 0;
    if (version < 0 || version > 3)
        refuse_npy("is of version {} of the format; 1 to 3 are known", version);
    const std::size_t begin = version < 2 ? 10 : 12;
    if (bytes.size() < begin)
        refuse_npy("is truncated");
    const std::size_t size = version < 2 ? number_at<std::uint16_t>(bytes.data() + 8, false)
                                         : number_at<std::uint32_t>(bytes.data() + 8, false);
    if (bytes.size() - begin < size)
        refuse_npy("is truncated");
    data_ = bytes.substr(begin + size);
    read_dictionary(bytes.substr(begin, size));
}

void NpyArray::read_dictionary(std::string_view text)
{
    const std::string_view type = quoted(after(text, "descr"));
    if (type.size() != 3 || type[1] != 'f' || type.find_first_of("<>=") != 0 ||
        type.find_last_of("248") != 2)
        refuse_npy("holds values of type {} instead of float16, float32 or float64: numbers are "
                   "converted with .astype('float32'), packed bits with numpy.unpackbits",
                   type);
    swapped_ = type[0] == '>';
    width_ = static_cast<std::size_t>(type[2] - '0');
    by_columns_ = after(text, "fortran_order").starts_with("True");
    const std::vector<std::uint64_t> shape = numbers_of(after(text, "shape"));
    if (shape.size() != 2)
        refuse_npy("has {} dimensions instead of 2: rows and columns", shape.size());
    rows_ = shape[0];
    columns_ = shape[1];
    if (columns_ == 0)
        refuse_npy("has rows of dimension 0");
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    const bool overflows = rows_ != 0 && columns_ > most / width_ / rows_;
    if (overflows || rows_ * columns_ * width_ != data_.size())
        refuse_npy("promises {} rows of {} values of {} bytes, but has {} bytes of them: it is "
                   "truncated, or damaged",
                   rows_, columns_, width_, data_.size());
}

float NpyArray::at(std::size_t row, std::size_t column) const
{
    const std::size_t place = by_columns_ ? column * rows_ + row : row * columns_ + column;
    const char* const bytes = data_.data() + place * width_;
    if (width_ == 2)
        return base::from_half(number_at<std::uint16_t>(bytes, swapped_));
    if (width_ == 4)
        return number_at<float>(bytes, swapped_);
    return static_cast<float>(number_at<double>(bytes, swapped_));
}

const float* NpyArray::floats() const noexcept
{
    const auto* const first = static_cast<const void*>(data_.data());
    const bool is_aligned = std::bit_cast<std::uintptr_t>(first) % alignof(float) == 0;
    return width_ == sizeof(float) && !swapped_ && !by_columns_ && is_aligned
               ? static_cast<const float*>(first)
               : nullptr;
}

} // namespace senteval::word_vectors
