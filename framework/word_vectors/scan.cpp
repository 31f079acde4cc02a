#include "word_vectors/scan.hpp"

#include "base/lines.hpp"
#include "base/refuse.hpp"
#include "word_vectors/fields.hpp"
#include "word_vectors/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <utility>

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
    std::string_view begin = bytes.substr(0, 64);
    const std::string_view line = base::take_line(begin);
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
        const std::string_view line = base::take_line(body);
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

Layout with_header(const Header& header, Format format)
{
    return {format, header.dimension, header.words, header.size};
}

Layout without_header(std::size_t values, const std::filesystem::path& file)
{
    if (values == 0)
        base::refuse(
            "{}:1: no word with values: this is no file of word vectors in a format that is "
            "known (GloVe text, word2vec text or binary, fastText .vec)",
            file.string());
    if (values > std::numeric_limits<std::uint32_t>::max())
        base::refuse("{}:1: {} values are too many", file.string(), values);
    return {Format::glove, static_cast<std::uint32_t>(values), 0, 0};
}

/// Layout of bytes without a mark.
Layout layout_of(std::string_view bytes, Format format, const std::filesystem::path& file)
{
    if (bytes.empty())
        base::refuse(file, "is empty; it should hold word vectors");
    base::refuse_disguise(file, bytes, base::Wanted::vectors);
    const std::optional<Header> header = header_of(bytes);
    if (format == Format::glove || (format == Format::detect && !header))
        return without_header(usual_values(bytes), file);
    if (!header)
        base::refuse(
            "{}:1: is not the header 'words dimension' that the format asked for begins with",
            file.string());

    const std::string_view body = bytes.substr(header->size);
    if (format == Format::binary)
        return with_header(*header, Format::binary);
    const std::size_t values = usual_values(body);
    if (values == header->dimension)
        return with_header(*header, Format::word2vec);
    if (format == Format::detect && looks_binary(body))
        return with_header(*header, Format::binary);
    if (format == Format::detect && values == 1) // numbers as words, one value each
        return without_header(values, file);
    base::refuse("{}:1: promises {} values per word, but most lines have {}", file.string(),
                 header->dimension, values);
}

} // namespace

Layout find_layout(std::string_view bytes, Format format, const std::filesystem::path& file)
{
    const std::string_view text = base::without_mark(bytes);
    Layout layout = layout_of(text, format, file);
    layout.body += bytes.size() - text.size();
    return layout;
}

namespace {

constexpr std::size_t chunk_bytes = std::size_t{4} << 20;

struct BadLine {
    std::uint64_t line; ///< from 0, within its chunk
    std::string reason;
};

struct Chunk {
    std::vector<WordEntry> words;
    std::uint64_t lines = 0;
    std::uint64_t malformed = 0;
    std::vector<BadLine> bad; ///< the first few
};

/// The word at the begin of a line with more fields than it should have: all before the last
/// `dimension` fields. Nothing where it looks like too many values instead.
std::optional<std::string_view> long_word(std::string_view line, std::size_t dimension)
{
    for (std::size_t i = 0; i < dimension; ++i)
        line = without_end(line.substr(0, line.size() - last_field(line).size()));
    if (is_number(last_field(line)))
        return std::nullopt;
    return line;
}

/// Appends the word of `line`, or returns why there is none.
std::optional<std::string>
scan_line(std::string_view line, const char* file_begin, std::size_t dimension, Chunk& chunk)
{
    const std::size_t fields = count_fields(line);
    std::string_view word;
    if (is_separator(line.front()))
        return "begins with a space instead of a word";
    if (fields == dimension + 1) {
        const auto* const end = std::find_if(line.begin(), line.end(), is_separator);
        word = line.substr(0, static_cast<std::size_t>(end - line.begin()));
    } else if (const auto found = fields > dimension ? long_word(line, dimension) : std::nullopt) {
        word = *found;
    } else {
        return fmt::format("{} values instead of {}", fields - 1, dimension);
    }
    chunk.words.push_back({static_cast<std::uint64_t>(word.data() - file_begin),
                           static_cast<std::uint32_t>(word.size()), hash_of(word)});
    return std::nullopt;
}

/// Scans the lines that begin in [begin, end) of `bytes`.
Chunk scan_lines(std::string_view bytes, std::size_t begin, std::size_t end, std::size_t dimension)
{
    Chunk chunk;
    std::string_view rest = bytes.substr(begin);
    while (begin < end) {
        const std::string_view line = base::take_line(rest);
        if (const std::string_view trimmed = without_end(line); !trimmed.empty())
            if (auto reason = scan_line(trimmed, bytes.data(), dimension, chunk)) {
                if (chunk.malformed++ < Scan::shown)
                    chunk.bad.push_back({chunk.lines, std::move(*reason)});
            }
        ++chunk.lines;
        begin += line.size() + 1;
    }
    return chunk;
}

/// The first line that begins at `position` or later; `body` begins a line.
std::size_t next_line(std::string_view bytes, std::size_t body, std::size_t position)
{
    if (position <= body)
        return body;
    const std::size_t feed = bytes.find('\n', position - 1);
    return feed == std::string_view::npos ? bytes.size() : feed + 1;
}

void append(Scan& scan, const Chunk& chunk, std::uint64_t first_line)
{
    scan.words.insert(scan.words.end(), chunk.words.begin(), chunk.words.end());
    for (const BadLine& bad : chunk.bad)
        if (scan.messages.size() < Scan::shown)
            scan.messages.push_back(fmt::format("{}: {}", first_line + bad.line, bad.reason));
    scan.malformed += chunk.malformed;
}

Scan scan_text(std::string_view bytes, const Layout& layout, const sdk::Call& call)
{
    const std::size_t body = layout.body;
    const std::size_t count = (bytes.size() - body + chunk_bytes - 1) / chunk_bytes;
    std::vector<Chunk> chunks(count);
    for_each_chunk(call, count, [&](std::size_t i) {
        const std::size_t begin = next_line(bytes, body, body + i * chunk_bytes);
        const std::size_t end =
            std::min(bytes.size(), next_line(bytes, body, body + (i + 1) * chunk_bytes));
        chunks[i] = scan_lines(bytes, begin, end, layout.dimension);
    });

    Scan result;
    std::uint64_t line = layout.format == Format::word2vec ? 2 : 1;
    for (Chunk& chunk : chunks) {
        append(result, chunk, line);
        line += chunk.lines;
        chunk = {};
    }
    return result;
}

[[noreturn]] void
truncated(const std::filesystem::path& path, std::uint64_t word, const Layout& layout)
{
    base::refuse(path,
                 "ends within word {} of {}: the file is truncated, or is no word2vec binary "
                 "of dimension {}",
                 word + 1, layout.declared_words, layout.dimension);
}

/// Behind the words of a binary there is nothing, or the parts of a model up to their last mark: a model that
/// was cut short is not taken for plain vectors, of which it is not known what they were trained on.
void check_end(std::string_view bytes,
               std::size_t end,
               const std::filesystem::path& path,
               const Layout& layout)
{
    const std::string_view rest = bytes.substr(end);
    constexpr std::size_t footer = 40; // of a trained model's last part, which is called "model"
    const bool is_whole_model = rest.ends_with(model_mark) && rest.size() >= footer &&
                                rest.substr(rest.size() - footer).starts_with("model");
    if (!(rest.empty() || rest == "\n" || rest == "\r\n" || is_whole_model))
        base::refuse(
            path,
            "its {} words of dimension {} end at byte {} of {}, and what follows is not whole: a "
            "model of 'senteval train' that was cut short, or no word2vec binary",
            layout.declared_words, layout.dimension, end, bytes.size());
}

Scan scan_binary(std::string_view bytes,
                 const Layout& layout,
                 const std::filesystem::path& path,
                 const sdk::Call& call)
{
    const std::size_t value_bytes = sizeof(float) * std::size_t{layout.dimension};
    Scan result;
    result.words.reserve(std::min<std::size_t>(layout.declared_words, bytes.size() / value_bytes));
    std::size_t at = layout.body;
    for (std::uint64_t word = 0; word < layout.declared_words; ++word) {
        if (word % 65536 == 0) {
            call.check_cancelled();
            call.progress(word, layout.declared_words);
        }
        while (at < bytes.size() && bytes[at] == '\n') // some writers end a word's values with it
            ++at;
        const std::size_t space = bytes.find(' ', at);
        if (space == std::string_view::npos || bytes.size() - space - 1 < value_bytes)
            truncated(path, word, layout);
        result.words.push_back(
            {at, static_cast<std::uint32_t>(space - at), hash_of(bytes.substr(at, space - at))});
        at = space + 1 + value_bytes;
    }
    check_end(bytes, at, path, layout);
    return result;
}

/// A text file's header may promise another number of words than there are lines.
void compare_with_header(Scan& scan, const Layout& layout)
{
    const std::uint64_t lines = scan.words.size() + scan.malformed;
    if (layout.declared_words != 0 && layout.declared_words != lines) {
        ++scan.malformed;
        scan.messages.insert(
            scan.messages.begin(),
            fmt::format("1: promises {} words, but the file has {}", layout.declared_words, lines));
    }
}

} // namespace

Scan scan(std::string_view bytes,
          const Layout& layout,
          const std::filesystem::path& path,
          const sdk::Call& call)
{
    Scan result = layout.format == Format::binary ? scan_binary(bytes, layout, path, call)
                                                  : scan_text(bytes, layout, call);
    compare_with_header(result, layout);
    if (result.words.empty())
        base::refuse(path, "has no usable word; the first malformed line is {}",
                     result.messages.front());
    return result;
}

} // namespace senteval::word_vectors
