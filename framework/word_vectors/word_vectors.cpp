#include "word_vectors/word_vectors.hpp"

#include "word_vectors/fields.hpp"
#include "word_vectors/index.hpp"
#include "word_vectors/index_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <exception>
#include <sstream>
#include <utility>

namespace senteval::word_vectors {

namespace {

Index make_index(const MappedFile& file, const Source& source, const sdk::Call& call)
{
    const Layout layout = find_layout(file.bytes(), source.format, source.file);
    return build_index(file.bytes(), layout, scan(file, layout, source.file, call));
}

Index load_or_make_index(const MappedFile& file,
                         const Source& source,
                         sdk::Host host,
                         const sdk::Call& call)
{
    if (source.cache_folder.empty())
        return make_index(file, source, call);
    const auto path = cache_path(source.cache_folder, source.file, source.format);
    if (auto cached = load_index(path, file))
        return *std::move(cached);
    Index index = make_index(file, source, call);
    if (!file.settled(source.settled)) {
        host.debug(fmt::format("the index of {} is not kept: the file has only just changed",
                               source.file.string()));
        return index;
    }
    try {
        save_index(path, file, index);
    } catch (const std::exception& error) {
        host.debug(
            fmt::format("the index of {} is not kept: {}", source.file.string(), error.what()));
    }
    return index;
}

/// Says what is wrong with the file, or fails over it.
void report(const Findings& findings, const Source& source, sdk::Host host)
{
    const std::string name = source.file.string();
    std::istringstream messages(findings.messages);
    for (std::string message; std::getline(messages, message);) {
        if (source.malformed == Malformed::fail)
            throw sdk::Error(SENTEVAL_INVALID_ARGUMENT, name + ":" + message);
        host.warn(name + ":" + message + (message.starts_with("1: promises") ? "" : "; skipped"));
    }
    if (findings.malformed > Findings::shown)
        host.warn(fmt::format("{}: {} malformed lines in all", name, findings.malformed));
    if (findings.repeated > 0)
        host.debug(fmt::format("{}: {} words are repeated; the last vector of each counts", name,
                               findings.repeated));
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
    Source source;
    MappedFile file;
    Index index;
};

WordVectors::WordVectors(const Source& source, sdk::Host host, const sdk::Call& call)
{
    MappedFile file(source.file);
    Index index = load_or_make_index(file, source, host, call);
    report(index.findings, source, host);
    state_ = std::make_unique<State>(State{source, std::move(file), std::move(index)});
}

WordVectors::~WordVectors() = default;
WordVectors::WordVectors(WordVectors&&) noexcept = default;
WordVectors& WordVectors::operator=(WordVectors&&) noexcept = default;

const std::filesystem::path& WordVectors::file() const noexcept
{
    return state_->source.file;
}

std::size_t WordVectors::dimension() const noexcept
{
    return state_->index.layout.dimension;
}

std::size_t WordVectors::size() const noexcept
{
    return state_->index.words.size();
}

std::string_view WordVectors::word(Row row) const noexcept
{
    return state_->index.word(state_->file.bytes(), row);
}

std::optional<Row> WordVectors::find(std::string_view wanted) const noexcept
{
    const auto slots = state_->index.slots;
    const Slot& slot =
        slots[find_slot(slots, hash_of(wanted), [&](Row row) { return word(row) == wanted; })];
    return slot.entry == Slot::empty ? std::nullopt : std::optional<Row>(slot.entry);
}

bool WordVectors::read(Row row, std::span<double> out) const noexcept
{
    const WordEntry& entry = state_->index.words[row];
    const std::string_view values = state_->file.bytes().substr(entry.offset + entry.length + 1);
    return state_->index.layout.format == Format::binary ? read_floats(values, out)
                                                         : read_decimals(values, out);
}

bool WordVectors::read_or_report(Row row, std::span<double> out, sdk::Host host) const
{
    if (read(row, out))
        return true;
    std::fill(out.begin(), out.end(), 0.0);
    const std::string_view before = state_->file.bytes().substr(0, state_->index.words[row].offset);
    const std::string place = state_->index.layout.format == Format::binary
                                  ? fmt::format("{}: word {}", file().string(), row + 1)
                                  : fmt::format("{}:{}", file().string(),
                                                std::count(before.begin(), before.end(), '\n') + 1);
    const std::string message = fmt::format(
        "{}: the vector of '{}' has a value that is no finite number", place, word(row));
    if (state_->source.malformed == Malformed::fail)
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT, message);
    host.warn(message + "; skipped");
    return false;
}

void WordVectors::forget(Row first, Row last) const noexcept
{
    const auto words = state_->index.words;
    if (words[first].offset < words[last].offset) // a repeated word is behind its place
        state_->file.forget(state_->file.bytes().substr(words[first].offset,
                                                        words[last].offset - words[first].offset));
}

} // namespace senteval::word_vectors
