// The format is that of fastText's sources (args.cc, dictionary.cc, densematrix.cc, quantmatrix.cc,
// productquantizer.cc, fasttext.cc; version 12 of the format).
#include "fasttext/check_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>

namespace senteval::fasttext {
namespace {

template <typename... Parts>
[[noreturn]] void damaged(fmt::format_string<Parts...> why, Parts&&... parts)
{
    throw std::invalid_argument(fmt::format(why, std::forward<Parts>(parts)...) +
                                ": it is damaged");
}

/// Reads numbers from the front of the bytes, never past their end.
class ModelReader {
public:
    explicit ModelReader(std::string_view bytes) : bytes_(bytes) {}

    template <typename Number>
    Number take()
    {
        Number number;
        std::memcpy(&number, take_bytes(sizeof number).data(), sizeof number);
        return number;
    }

    std::string_view take_bytes(std::uint64_t count)
    {
        if (count > left())
            throw std::invalid_argument("it is truncated");
        const std::string_view taken = bytes_.substr(at_, static_cast<std::size_t>(count));
        at_ += taken.size();
        return taken;
    }

    /// `count` things of `size` bytes each.
    void skip(std::string_view what, std::int64_t count, std::uint64_t size)
    {
        if (count < 0)
            damaged("the number of {} is {}", what, count);
        if (static_cast<std::uint64_t>(count) > left() / size)
            throw std::invalid_argument(
                fmt::format("it is truncated or damaged: {} {} do not fit into it", count, what));
        at_ += static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
    }

    /// Up to a NUL, which is taken too.
    std::string_view take_word()
    {
        const std::size_t end = bytes_.find('\0', at_);
        if (end == std::string_view::npos)
            throw std::invalid_argument("it is truncated");
        const std::string_view word = bytes_.substr(at_, end - at_);
        at_ = end + 1;
        return word;
    }

    bool take_flag(std::string_view what)
    {
        const auto flag = take<unsigned char>();
        if (flag > 1)
            damaged("{} is {}, and neither 0 nor 1", what, flag);
        return flag == 1;
    }

    [[nodiscard]] std::uint64_t left() const noexcept { return bytes_.size() - at_; }
    [[nodiscard]] std::size_t position() const noexcept { return at_; }

private:
    std::string_view bytes_;
    std::size_t at_ = 0;
};

/// The arguments a model was trained with, as far as they matter.
struct TrainingArguments {
    std::int32_t dimension = 0;
    std::int32_t word_ngrams = 0;
    std::int32_t buckets = 0;
    std::int32_t shortest = 0; ///< character n-grams
    std::int32_t longest = 0;
    std::size_t loss_at = 0; ///< position of the loss in the file

    [[nodiscard]] bool hashes() const noexcept { return longest > 0 || word_ngrams > 1; }
};

void check_range(std::string_view what, std::int64_t value, std::int64_t least, std::int64_t most)
{
    if (value < least || value > most)
        damaged("{} is {}", what, value);
}

TrainingArguments check_arguments(ModelReader& reader)
{
    constexpr std::int32_t first_version = 11;
    constexpr std::int32_t last_version = 12;
    constexpr std::int32_t supervised = 3;
    constexpr std::int32_t most_dimensions = 1 << 22; // centroids are counted in 32 bits
    constexpr std::int32_t most_ngrams = 1000;
    (void)reader.take<std::int32_t>(); // the magic number, which is why the file came here
    const auto version = reader.take<std::int32_t>();
    if (version < first_version || version > last_version)
        throw std::invalid_argument(
            fmt::format("it is of an unknown version of the format, {}", version));
    TrainingArguments arguments;
    arguments.dimension = reader.take<std::int32_t>();
    (void)reader.take_bytes(4 * sizeof(std::int32_t)); // ws, epoch, minCount, neg
    arguments.word_ngrams = reader.take<std::int32_t>();
    arguments.loss_at = reader.position();
    const auto loss = reader.take<std::int32_t>();
    const auto model = reader.take<std::int32_t>();
    arguments.buckets = reader.take<std::int32_t>();
    arguments.shortest = reader.take<std::int32_t>();
    arguments.longest = reader.take<std::int32_t>();
    (void)reader.take_bytes(sizeof(std::int32_t) + sizeof(double)); // lrUpdateRate, t
    check_range("the dimension", arguments.dimension, 1, most_dimensions);
    check_range("the loss", loss, 1, 4);
    check_range("the kind of model", model, 1, supervised);
    if (version == first_version && model == supervised)
        arguments.longest = 0; // as the library does
    check_range("the length of word n-grams", arguments.word_ngrams, 0, most_ngrams);
    check_range("the length of character n-grams", arguments.longest, 0,
                std::numeric_limits<std::int32_t>::max()); // below 0, the library knows no end
    if (arguments.hashes())
        check_range("the number of buckets", arguments.buckets, 1,
                    std::numeric_limits<std::int32_t>::max());
    return arguments;
}

/// What taking all character n-grams of the dictionary's words costs, in bytes that are hashed.
class NgramCost {
public:
    explicit NgramCost(const TrainingArguments& arguments)
        : longest_(static_cast<std::uint64_t>(std::max(arguments.longest, 0)))
    {
    }

    void add(std::string_view word)
    {
        const std::uint64_t length = word.size() + 2; // "<" and ">"
        // A letter is at most four bytes.
        const std::uint64_t reach = std::min(4 * longest_, length);
        total_ += length * reach * reach / 2;
        bytes_ += length;
        if (total_ > 1000 * bytes_ + 100'000'000)
            damaged("character n-grams of up to {} letters in words as long as {} bytes are never "
                    "done",
                    longest_, word.size());
    }

private:
    std::uint64_t longest_;
    std::uint64_t total_ = 0;
    std::uint64_t bytes_ = 0;
};

struct DictionaryFacts {
    std::int32_t words = 0;
    std::int64_t pruned = -1;       ///< size of the index of kept n-grams; -1: none was pruned
    std::int64_t largest_kept = -1; ///< row of a kept n-gram, behind the words
};

void check_entries(ModelReader& reader,
                   std::int32_t size,
                   std::int32_t words,
                   const TrainingArguments& arguments)
{
    NgramCost cost(arguments);
    for (std::int32_t i = 0; i < size; ++i) {
        cost.add(reader.take_word());
        const auto count = reader.take<std::int64_t>();
        const auto type = reader.take<std::int8_t>();
        if (count < 0)
            damaged("entry {} of the dictionary occurs {} times", i, count);
        if (type != (i < words ? 0 : 1))
            damaged("entry {} of the dictionary is of type {}", i, type);
    }
}

DictionaryFacts check_dictionary(ModelReader& reader, const TrainingArguments& arguments)
{
    constexpr std::uint64_t least_entry = 1 + sizeof(std::int64_t) + 1;
    DictionaryFacts facts;
    const auto size = reader.take<std::int32_t>();
    facts.words = reader.take<std::int32_t>();
    const auto labels = reader.take<std::int32_t>();
    (void)reader.take<std::int64_t>(); // tokens
    facts.pruned = reader.take<std::int64_t>();
    if (facts.words < 1 || labels < 0 || std::int64_t{facts.words} + labels != size)
        damaged("its dictionary has {} entries, {} words and {} labels", size, facts.words, labels);
    if (static_cast<std::uint64_t>(size) > reader.left() / least_entry)
        throw std::invalid_argument(
            fmt::format("it is truncated or damaged: {} words do not fit into it", size));
    check_entries(reader, size, facts.words, arguments);
    if (facts.pruned < -1)
        damaged("the number of kept n-grams is {}", facts.pruned);
    constexpr std::uint64_t kept_entry = 2 * sizeof(std::int32_t);
    if (facts.pruned > 0 && static_cast<std::uint64_t>(facts.pruned) > reader.left() / kept_entry)
        throw std::invalid_argument(fmt::format(
            "it is truncated or damaged: {} kept n-grams do not fit into it", facts.pruned));
    for (std::int64_t i = 0; i < facts.pruned; ++i) {
        (void)reader.take<std::int32_t>(); // bucket
        const auto row = reader.take<std::int32_t>();
        if (row < 0)
            damaged("the row of a kept n-gram is {}", row);
        facts.largest_kept = std::max<std::int64_t>(facts.largest_kept, row);
    }
    return facts;
}

struct MatrixShape {
    std::int64_t rows = 0;
    std::int64_t columns = 0;
};

MatrixShape take_shape(ModelReader& reader, std::string_view what)
{
    MatrixShape shape;
    shape.rows = reader.take<std::int64_t>();
    shape.columns = reader.take<std::int64_t>();
    // Row numbers have 32 bits.
    if (shape.rows < 0 || shape.columns < 0 ||
        shape.rows > std::numeric_limits<std::int32_t>::max() ||
        shape.columns > std::numeric_limits<std::int32_t>::max())
        damaged("the {} matrix has {} rows of {} values", what, shape.rows, shape.columns);
    return shape;
}

/// The centroids of a product quantiser for vectors of length `dimension`; returns the codes per vector.
std::int32_t check_quantiser(ModelReader& reader, std::int64_t dimension)
{
    constexpr std::int64_t centroids = 256;
    const auto length = reader.take<std::int32_t>();
    const auto parts = reader.take<std::int32_t>();
    const auto part = reader.take<std::int32_t>();
    const auto last_part = reader.take<std::int32_t>();
    const bool fits = length == dimension && length > 0 && parts > 0 && part > 0 && last_part > 0 &&
                      last_part <= part && (std::int64_t{parts} - 1) * part + last_part == length;
    if (!fits)
        damaged("a quantiser of {} values has {} parts of {} and a last one of {}", length, parts,
                part, last_part);
    reader.skip("centroids", length * centroids, sizeof(float));
    return parts;
}

MatrixShape check_quantised(ModelReader& reader, std::string_view what)
{
    const bool has_norms = reader.take_flag("the mark of quantised norms");
    const MatrixShape shape = take_shape(reader, what);
    const auto codes = reader.take<std::int32_t>();
    reader.skip("codes", codes, 1);
    const std::int32_t parts = check_quantiser(reader, shape.columns);
    if (shape.rows * parts != codes)
        damaged("{} rows of {} codes have {} codes", shape.rows, parts, codes);
    if (has_norms) {
        reader.skip("codes of norms", shape.rows, 1);
        check_quantiser(reader, 1);
    }
    return shape;
}

MatrixShape check_matrix(ModelReader& reader, std::string_view what, bool quantised)
{
    if (quantised)
        return check_quantised(reader, what);
    const MatrixShape shape = take_shape(reader, what);
    const std::int64_t most = std::numeric_limits<std::int64_t>::max() / (shape.columns + 1);
    if (shape.rows > most)
        damaged("the {} matrix has {} rows of {} values", what, shape.rows, shape.columns);
    reader.skip("values", shape.rows * shape.columns, sizeof(float));
    return shape;
}

/// Every row that the library can ask for must be there.
void check_rows(const MatrixShape& input,
                const DictionaryFacts& dictionary,
                const TrainingArguments& arguments)
{
    if (input.columns != arguments.dimension)
        damaged("it was trained for dimension {}, and its vectors have {}", arguments.dimension,
                input.columns);
    std::int64_t needed = dictionary.words;
    if (dictionary.pruned >= 0)
        needed += dictionary.largest_kept + 1;
    else if (arguments.hashes())
        needed += arguments.buckets;
    if (needed > input.rows)
        damaged("it has {} input vectors, and needs {}", input.rows, needed);
}

} // namespace

CheckedModel check_model(std::string_view file)
{
    constexpr std::int32_t softmax = 3;
    ModelReader reader(file);
    const TrainingArguments arguments = check_arguments(reader);
    CheckedModel model;
    model.head = file.substr(0, reader.position());
    std::memcpy(model.head.data() + arguments.loss_at, &softmax, sizeof softmax);
    const DictionaryFacts dictionary = check_dictionary(reader, arguments);
    const bool quantised = reader.take_flag("the mark of quantisation");
    if (dictionary.pruned >= 0 && !quantised)
        damaged("n-grams were pruned of a model that is not quantised");
    const MatrixShape input = check_matrix(reader, "input", quantised);
    check_rows(input, dictionary, arguments);
    model.middle = file.substr(model.head.size(), reader.position() - model.head.size());
    const bool quantised_output = reader.take_flag("the mark of a quantised output");
    (void)check_matrix(reader, "output", quantised && quantised_output);
    return model;
}

} // namespace senteval::fasttext
