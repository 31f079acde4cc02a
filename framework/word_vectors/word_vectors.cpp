#include "word_vectors/word_vectors.hpp"

#include "base/refuse.hpp"
#include "word_vectors/fields.hpp"
#include "word_vectors/scan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

namespace senteval::word_vectors {

namespace {

constexpr Row no_row = std::numeric_limits<Row>::max();

/// Says what is wrong with the file, or fails over it.
void report(const Scan& scan, const Source& source, sdk::Host host)
{
    const std::string name = source.file.string();
    for (const std::string& message : scan.messages) {
        if (source.malformed == Malformed::fail)
            base::refuse("{}:{}", name, message);
        host.warn(name + ":" + message + (message.starts_with("1: promises") ? "" : "; skipped"));
    }
    if (scan.malformed > Scan::shown)
        host.warn(fmt::format("{}: {} malformed lines in all", name, scan.malformed));
}

bool read_floats(std::string_view bytes, std::span<double> out) noexcept
{
    static_assert(std::endian::native == std::endian::little);
    bool finite = true;
    for (double& value : out) {
        float number = 0.0F;
        std::memcpy(&number, bytes.data(), sizeof number);
        bytes.remove_prefix(sizeof number);
        value = number;
        finite = finite && std::isfinite(number);
    }
    return finite;
}

bool read_decimals(std::string_view text, std::span<double> out) noexcept
{
    for (double& value : out) {
        while (!text.empty() && is_separator(text.front()))
            text.remove_prefix(1);
        if (!take_number(text, value))
            return false;
        if (!text.empty() && !is_separator(text.front()) && text.front() != '\n' &&
            text.front() != '\r')
            return false;
    }
    return true;
}

} // namespace

struct WordVectors::State {
    explicit State(const Source& s) : source(s), file(base::open_file(s.file)) {}

    /// Keeps each word once, in the order of first occurrence, with its last vector.
    void take(std::vector<WordEntry> scanned, sdk::Host host)
    {
        words = std::move(scanned);
        slots.assign(std::bit_ceil(words.size() + words.size() / 2 + 1), no_row);
        Row count = 0;
        for (const WordEntry word : words) {
            Row& row = slots[slot_of(text(word), word.hash)];
            const bool is_new = row == no_row;
            row = is_new ? count++ : row;
            words[row] = word;
        }
        if (count < words.size())
            host.warn(fmt::format("{}: {} words are repeated; the last vector of each counts",
                                  source.file.string(), words.size() - count));
        words.resize(count);
    }

    /// The slot that holds the word's row, or the empty one where it belongs.
    [[nodiscard]] std::size_t slot_of(std::string_view word, std::uint32_t hash) const noexcept
    {
        const std::size_t mask = slots.size() - 1;
        std::size_t at = hash & mask;
        while (slots[at] != no_row &&
               !(words[slots[at]].hash == hash && text(words[slots[at]]) == word))
            at = (at + 1) & mask;
        return at;
    }

    [[nodiscard]] std::string_view text(const WordEntry& word) const
    {
        return file.bytes().substr(word.offset, word.length);
    }

    Source source;
    base::MappedFile file;
    Layout layout;
    std::vector<WordEntry> words;
    std::vector<Row> slots; ///< open addressing by the hash of the word
};

WordVectors::WordVectors(const Source& source, sdk::Host host, const sdk::Call& call)
    : state_(std::make_unique<State>(source))
{
    const std::string_view bytes = state_->file.bytes();
    state_->layout = find_layout(bytes, source.format, source.file);
    Scan found = scan(bytes, state_->layout, source.file, call);
    report(found, source, host);
    state_->take(std::move(found.words), host);
}

WordVectors::~WordVectors() = default;

const std::filesystem::path& WordVectors::file() const noexcept
{
    return state_->source.file;
}

std::size_t WordVectors::dimension() const noexcept
{
    return state_->layout.dimension;
}

std::size_t WordVectors::size() const noexcept
{
    return state_->words.size();
}

std::string_view WordVectors::word(Row row) const noexcept
{
    return state_->text(state_->words[row]);
}

std::optional<Row> WordVectors::find(std::string_view wanted) const noexcept
{
    const Row row = state_->slots[state_->slot_of(wanted, hash_of(wanted))];
    return row == no_row ? std::nullopt : std::optional(row);
}

bool WordVectors::read(Row row, std::span<double> out) const noexcept
{
    const WordEntry& entry = state_->words[row];
    const std::string_view values = state_->file.bytes().substr(entry.offset + entry.length + 1);
    return state_->layout.format == Format::binary ? read_floats(values, out)
                                                   : read_decimals(values, out);
}

bool WordVectors::read_or_report(Row row, std::span<double> out, sdk::Host host) const
{
    if (read(row, out))
        return true;
    std::fill(out.begin(), out.end(), 0.0);
    const std::string_view before = state_->file.bytes().substr(0, state_->words[row].offset);
    const std::string place = state_->layout.format == Format::binary
                                  ? fmt::format("{}: word {}", file().string(), row + 1)
                                  : fmt::format("{}:{}", file().string(),
                                                std::count(before.begin(), before.end(), '\n') + 1);
    const std::string message = fmt::format(
        "{}: the vector of '{}' has a value that is no finite number", place, word(row));
    if (state_->source.malformed == Malformed::fail)
        base::refuse("{}", message);
    host.warn(message + "; skipped");
    return false;
}

} // namespace senteval::word_vectors
