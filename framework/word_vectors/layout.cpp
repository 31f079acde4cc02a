#include "word_vectors/layout.hpp"

#include "word_vectors/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>

namespace senteval::word_vectors {

namespace {

constexpr std::size_t sampled_lines = 100;
constexpr std::size_t sampled_bytes = 4096;

struct Header {
    std::uint64_t words = 0;
    std::uint32_t dimension = 0;
    std::uint64_t size = 0; ///< bytes, with the line feed
};

template <typename Integer>
bool take_integer(std::string_view& text, Integer& value)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return error == std::errc() && value > 0;
}

/// The line "words dimension" at the begin of `bytes`, if that is what is there.
std::optional<Header> header_of(std::string_view bytes)
{
    const std::string_view line = line_at(bytes.substr(0, 64));
    std::string_view text = without_end(line);
    Header header;
    if (line.size() >= bytes.size() || bytes[line.size()] != '\n' ||
        !take_integer(text, header.words) || text.empty() || !is_separator(text.front()))
        return std::nullopt;
    text.remove_prefix(1);
    if (!take_integer(text, header.dimension) || !text.empty())
        return std::nullopt;
    header.size = line.size() + 1;
    return header;
}

/// How many values the line has after its word: the numbers at its end, but the first field is
/// the word whatever it looks like.
std::size_t values_of(std::string_view line)
{
    line = without_end(line);
    std::size_t values = 0;
    for (std::string_view field = last_field(line); field.size() < line.size();
         field = last_field(line)) {
        if (!is_number(field))
            break;
        ++values;
        line = without_end(line.substr(0, line.size() - field.size()));
    }
    return values;
}

/// The number of values that most of the first lines have; the earliest of equals. 0: no values.
std::size_t usual_values(std::string_view body)
{
    std::map<std::size_t, std::size_t> votes;
    std::size_t winner = 0;
    for (std::size_t i = 0; i < sampled_lines && !body.empty(); ++i) {
        const std::string_view line = line_at(body);
        body.remove_prefix(std::min(line.size() + 1, body.size()));
        if (without_end(line).empty())
            continue;
        const std::size_t values = values_of(line);
        if (++votes[values] > votes[winner] && values > 0)
            winner = values;
    }
    return winner;
}

/// Floats are sure to contain bytes that no text has.
bool looks_binary(std::string_view body)
{
    body = body.substr(0, sampled_bytes);
    return std::any_of(body.begin(), body.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 && c != '\t' && c != '\n' && c != '\r';
    });
}

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why)
{
    throw sdk::Error(SENTEVAL_INVALID_ARGUMENT, file.string() + why);
}

Layout with_header(const Header& header, Format format)
{
    return {format, header.dimension, header.words, header.size};
}

Layout without_header(std::string_view bytes, std::size_t values, const std::filesystem::path& file)
{
    if (bytes.starts_with("\x1f\x8b"))
        refuse(file, ": is compressed; unpack it with gzip -d first");
    if (values == 0)
        refuse(file, ":1: no word with values: this is no file of word vectors in a format that is "
                     "known (GloVe text, word2vec text or binary, fastText .vec)");
    if (values > std::numeric_limits<std::uint32_t>::max())
        refuse(file, fmt::format(":1: {} values are too many", values));
    return {Format::glove, static_cast<std::uint32_t>(values), 0, 0};
}

/// Of bytes without a mark.
Layout layout_of(std::string_view bytes, Format format, const std::filesystem::path& file)
{
    if (bytes.empty())
        refuse(file, ": is empty; it should hold word vectors");
    const std::optional<Header> header = header_of(bytes);
    if (format == Format::glove || (format == Format::detect && !header))
        return without_header(bytes, usual_values(bytes), file);
    if (!header)
        refuse(file,
               ":1: is not the header 'words dimension' that the format asked for begins with");

    const std::string_view body = bytes.substr(header->size);
    if (format == Format::binary)
        return with_header(*header, Format::binary);
    const std::size_t values = usual_values(body);
    if (values == header->dimension)
        return with_header(*header, Format::word2vec);
    if (format == Format::detect && looks_binary(body))
        return with_header(*header, Format::binary);
    if (format == Format::detect && values == 1) // numbers as words, one value each
        return without_header(bytes, values, file);
    refuse(file, fmt::format(":1: promises {} values per word, but most lines have {}",
                             header->dimension, values));
}

} // namespace

Layout find_layout(std::string_view bytes, Format format, const std::filesystem::path& file)
{
    const std::string_view text = without_mark(bytes);
    Layout layout = layout_of(text, format, file);
    layout.body += bytes.size() - text.size();
    return layout;
}

} // namespace senteval::word_vectors
