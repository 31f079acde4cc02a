#include "word_vectors/scan.hpp"

#include "word_vectors/blocks.hpp"
#include "word_vectors/fields.hpp"
#include "word_vectors/hash_slots.hpp"
#include "word_vectors/parallel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace senteval::word_vectors {

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

/// Appends the word of `line`, or tells why there is none.
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
    while (begin < end) {
        const std::string_view line = line_at(bytes.substr(begin));
        if (const std::string_view trimmed = without_end(line); !trimmed.empty())
            if (auto reason = scan_line(trimmed, bytes.data(), dimension, chunk)) {
                if (chunk.malformed++ < Findings::shown)
                    chunk.bad.push_back({chunk.lines, std::move(*reason)});
            }
        ++chunk.lines;
        begin += line.size() + 1;
    }
    return chunk;
}

/// Where the first line that begins at `position` or later begins; `body` begins a line.
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
    std::uint64_t shown = scan.findings.malformed;
    for (const BadLine& bad : chunk.bad)
        if (shown++ < Findings::shown)
            scan.findings.messages += fmt::format("{}: {}\n", first_line + bad.line, bad.reason);
    scan.findings.malformed += chunk.malformed;
}

Scan scan_text(const MappedFile& file, const Layout& layout, const sdk::Call& call)
{
    const std::string_view bytes = file.bytes();
    const std::size_t body = layout.body;
    const std::size_t count = (bytes.size() - body + chunk_bytes - 1) / chunk_bytes;
    std::vector<Chunk> chunks(count);
    for_each_chunk(call, count, [&](std::size_t i) {
        const std::size_t begin = next_line(bytes, body, body + i * chunk_bytes);
        const std::size_t end =
            std::min(bytes.size(), next_line(bytes, body, body + (i + 1) * chunk_bytes));
        chunks[i] = scan_lines(bytes, begin, end, layout.dimension);
        if (begin < end)
            file.forget(bytes.substr(begin, end - begin));
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
    throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                     fmt::format("{}: ends within word {} of {}: the file is truncated, or is no "
                                 "word2vec binary of dimension {}",
                                 path.string(), word + 1, layout.declared_words, layout.dimension));
}

/// Behind the words of a binary there is nothing, or the blocks of a model, up to its last byte: a model that
/// was cut short or damaged is not taken for plain vectors, of which it is not known what they were trained on.
void check_end(std::string_view bytes,
               std::size_t end,
               const std::filesystem::path& path,
               const Layout& layout)
{
    const Blocks blocks(bytes);
    const bool is_whole = blocks.empty() || blocks.find("model", path).has_value();
    const std::string_view body = blocks.body();
    const std::string_view rest = body.substr(std::min(end, body.size()));
    if (!is_whole || body.size() < end || !(rest.empty() || rest == "\n" || rest == "\r\n"))
        throw sdk::Error(
            SENTEVAL_INVALID_ARGUMENT,
            fmt::format(
                "{}: its {} words of dimension {} end at byte {} of {}, and what follows is "
                "not whole: a model of 'senteval train' that is damaged or was cut short, "
                "or no word2vec binary",
                path.string(), layout.declared_words, layout.dimension, end, bytes.size()));
}

Scan scan_binary(const MappedFile& file,
                 const Layout& layout,
                 const std::filesystem::path& path,
                 const sdk::Call& call)
{
    const std::string_view bytes = file.bytes();
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
        const std::string_view text = bytes.substr(at, space - at);
        result.words.push_back({at, static_cast<std::uint32_t>(text.size()), hash_of(text)});
        at = space + 1 + value_bytes;
    }
    check_end(bytes, at, path, layout);
    return result;
}

/// A text file's header may promise another number of words than there are lines.
void compare_with_header(Scan& scan, const Layout& layout)
{
    const std::uint64_t lines = scan.words.size() + scan.findings.malformed;
    if (layout.declared_words != 0 && layout.declared_words != lines) {
        ++scan.findings.malformed;
        scan.findings.messages.insert(0, fmt::format("1: promises {} words, but the file has {}\n",
                                                     layout.declared_words, lines));
    }
}

} // namespace

Scan scan(const MappedFile& file,
          const Layout& layout,
          const std::filesystem::path& path,
          const sdk::Call& call)
{
    Scan result = layout.format == Format::binary ? scan_binary(file, layout, path, call)
                                                  : scan_text(file, layout, call);
    compare_with_header(result, layout);
    if (result.words.empty()) {
        const std::string_view first = line_at(result.findings.messages);
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                         fmt::format("{}: has no usable word; the first malformed line is {}",
                                     path.string(), first));
    }
    return result;
}

} // namespace senteval::word_vectors
