// The format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#include "precomputed/rows.hpp"
#include "word_vectors/mapped_file.hpp"

#include <senteval/encoder.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace senteval::precomputed {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_npy(const fs::path& file, const std::string& why)
{
    throw sdk::Error(SENTEVAL_INVALID_ARGUMENT, file.string() + ": " + why);
}

/// What the header of a file says.
struct NpyHeader {
    std::string type; ///< as "<f4"
    bool by_columns = false;
    std::vector<std::uint64_t> shape;
};

/// The dictionary of the header, written as in Python: three keys in any order.
class NpyDictionary {
public:
    NpyDictionary(std::string_view text, const fs::path& file) : rest_(text), file_(file) {}

    NpyHeader read()
    {
        NpyHeader header;
        int keys = 0;
        for (expect('{'); !take('}'); take(',')) {
            const std::string key = quoted();
            expect(':');
            if (key == "descr")
                header.type = peek() == '[' ? "a record" : quoted();
            else if (key == "fortran_order")
                header.by_columns = boolean();
            else if (key == "shape")
                header.shape = numbers();
            else
                fail();
            ++keys;
            if (header.type == "a record")
                break; // refused by whoever reads the type
        }
        if (keys != 3 && header.type != "a record")
            fail();
        return header;
    }

private:
    [[noreturn]] void fail() const
    {
        refuse_npy(file_, "its header is damaged: numpy.save writes one that says descr, "
                          "fortran_order and shape");
    }

    char peek()
    {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n'))
            rest_.remove_prefix(1);
        return rest_.empty() ? '\0' : rest_.front();
    }
    bool take(char wanted)
    {
        if (peek() != wanted)
            return false;
        rest_.remove_prefix(1);
        return true;
    }
    void expect(char wanted)
    {
        if (!take(wanted))
            fail();
    }
    bool take_word(std::string_view word)
    {
        (void)peek();
        if (!rest_.starts_with(word))
            return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    std::string quoted()
    {
        const char quote = peek();
        if (quote != '\'' && quote != '"')
            fail();
        const std::size_t end = rest_.find(quote, 1);
        if (end == std::string_view::npos)
            fail();
        std::string text(rest_.substr(1, end - 1));
        rest_.remove_prefix(end + 1);
        return text;
    }
    bool boolean()
    {
        if (take_word("True"))
            return true;
        if (!take_word("False"))
            fail();
        return false;
    }
    std::vector<std::uint64_t> numbers()
    {
        std::vector<std::uint64_t> numbers;
        for (expect('('); !take(')'); take(',')) {
            std::uint64_t number = 0;
            (void)peek();
            const auto [end, error] =
                std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
            if (error != std::errc())
                fail();
            rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
            take('L'); // of Python 2
            numbers.push_back(number);
        }
        return numbers;
    }

    std::string_view rest_;
    const fs::path& file_;
};

/// Of a number of the file, as little-endian bytes.
float half_to_float(std::uint16_t half)
{
    const float sign = (half & 0x8000U) != 0 ? -1.0F : 1.0F;
    const int exponent = (half >> 10U) & 0x1fU;
    const auto fraction = static_cast<float>(half & 0x3ffU);
    if (exponent == 0x1f)
        return fraction == 0 ? sign * std::numeric_limits<float>::infinity()
                             : std::numeric_limits<float>::quiet_NaN();
    if (exponent == 0)
        return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024.0F + fraction, exponent - 25);
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

class NpyRows final : public Rows {
public:
    explicit NpyRows(const fs::path& file) : path_(file), file_(file)
    {
        static_assert(std::endian::native == std::endian::little);
        const NpyHeader header = read_header();
        read_type(header.type);
        if (header.shape.size() != 2)
            refuse_npy(path_, fmt::format("has {} dimensions, and 2 are wanted: a row for each "
                                          "sentence",
                                          header.shape.size()));
        rows_ = header.shape[0];
        columns_ = header.shape[1];
        by_columns_ = header.by_columns;
        check_size();
    }

    [[nodiscard]] std::size_t size() const noexcept override { return rows_; }
    [[nodiscard]] std::size_t dimension() const noexcept override { return columns_; }

    void read(std::size_t row, std::span<float> out) const override
    {
        for (std::size_t j = 0; j < out.size(); ++j)
            out[j] = value(by_columns_ ? j * rows_ + row : row * columns_ + j);
    }

    [[nodiscard]] std::string where(std::size_t row) const override
    {
        return fmt::format("{}: row {}", path_.string(), row);
    }
    [[nodiscard]] const std::vector<std::string_view>* sentences() const noexcept override
    {
        return nullptr;
    }

private:
    NpyHeader read_header()
    {
        const std::string_view bytes = file_.bytes();
        constexpr std::size_t magic = 8; // "\x93NUMPY", major and minor version
        if (bytes.size() < magic + 4)
            refuse_npy(path_, "ends within its header: it is truncated");
        const int version = static_cast<unsigned char>(bytes[6]);
        if (version < 1 || version > 3)
            refuse_npy(path_, fmt::format("is of version {} of the NPY format; 1 to 3 are known",
                                          version));
        const std::size_t begin = magic + (version == 1 ? 2 : 4);
        const std::size_t size = version == 1
                                     ? number_at<std::uint16_t>(bytes.data() + magic, false)
                                     : number_at<std::uint32_t>(bytes.data() + magic, false);
        if (size > bytes.size() - begin)
            refuse_npy(path_, "ends within its header: it is truncated");
        data_ = bytes.substr(begin + size);
        return NpyDictionary(bytes.substr(begin, size), path_).read();
    }

    void read_type(std::string_view type)
    {
        const bool is_float = type.size() == 3 && type[1] == 'f' &&
                              std::string_view("<>=").find(type[0]) != std::string_view::npos &&
                              std::string_view("248").find(type[2]) != std::string_view::npos;
        if (!is_float)
            refuse_npy(path_, fmt::format("holds values of type {}; float16, float32 or float64 "
                                          "are wanted: convert them with .astype('float32')",
                                          type));
        swapped_ = type[0] == '>';
        width_ = static_cast<std::size_t>(type[2] - '0');
    }

    void check_size() const
    {
        if (columns_ == 0)
            refuse_npy(path_, "has vectors of dimension 0");
        constexpr auto most = std::numeric_limits<std::uint64_t>::max();
        const bool overflows = rows_ != 0 && columns_ > most / width_ / rows_;
        if (overflows || rows_ * columns_ * width_ != data_.size())
            refuse_npy(path_,
                       fmt::format("promises {} rows of {} values of {} bytes, but has {} bytes "
                                   "of them: it is truncated, or damaged",
                                   rows_, columns_, width_, data_.size()));
    }

    [[nodiscard]] float value(std::size_t at) const
    {
        const char* const bytes = data_.data() + at * width_;
        if (width_ == 2)
            return half_to_float(number_at<std::uint16_t>(bytes, swapped_));
        if (width_ == 4)
            return number_at<float>(bytes, swapped_);
        return static_cast<float>(number_at<double>(bytes, swapped_));
    }

    fs::path path_;
    word_vectors::MappedFile file_;
    std::string_view data_;
    std::size_t rows_ = 0;
    std::size_t columns_ = 0;
    std::size_t width_ = 0; ///< bytes of a value
    bool by_columns_ = false;
    bool swapped_ = false;
};

} // namespace

std::unique_ptr<Rows> open_npy(const fs::path& file)
{
    return std::make_unique<NpyRows>(file);
}

} // namespace senteval::precomputed
