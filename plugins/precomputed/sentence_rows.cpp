#include "precomputed/sentence_rows.hpp"

#include "word_vectors/fields.hpp"

#include <senteval/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace senteval::precomputed {
namespace {

constexpr std::size_t lines_per_poll = 65536;

} // namespace

std::string shown(std::string_view sentence)
{
    constexpr std::size_t most = 60;
    return sdk::printable_line(sentence, most, true);
}

SentenceRows::SentenceRows(const std::filesystem::path& vectors,
                           const std::optional<std::filesystem::path>& sentences,
                           const sdk::Call& call)
    : file_(sentences ? std::optional<word_vectors::MappedFile>(std::in_place, *sentences)
                      : std::nullopt),
      rows_(open_rows(vectors, !sentences))
{
    if (sentences)
        read_lines(*sentences, call);
    else
        lines_ = *rows_->sentences();
    if (lines_.size() >= word_vectors::Slot::empty)
        throw sdk::Error(SENTEVAL_UNSUPPORTED,
                         vectors.string() + ": has more than 4294967294 rows");
    build_index(call);
}

void SentenceRows::read_lines(const std::filesystem::path& file, const sdk::Call& call)
{
    std::string_view rest = word_vectors::without_mark(file_->bytes());
    while (!rest.empty()) {
        if (lines_.size() % lines_per_poll == 0)
            call.check_cancelled();
        std::string_view line = word_vectors::line_at(rest);
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1); // no sentence ends so
        lines_.push_back(line);
    }
    if (lines_.size() != rows_->size())
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                         fmt::format("{} has {} lines, but there are {} vectors: line i must be "
                                     "the sentence of vector i",
                                     file.string(), lines_.size(), rows_->size()));
}

void SentenceRows::build_index(const sdk::Call& call)
{
    slots_ = word_vectors::make_slots(lines_.size());
    for (std::size_t row = 0; row < lines_.size(); ++row) {
        if (row % lines_per_poll == 0)
            call.check_cancelled();
        const std::uint32_t tag = word_vectors::hash_of(lines_[row]);
        auto& slot = slots_[word_vectors::find_slot(
            std::span<const word_vectors::Slot>(slots_), tag,
            [&](std::uint32_t entry) { return lines_[entry] == lines_[row]; })];
        if (slot.entry == word_vectors::Slot::empty)
            slot = {tag, static_cast<std::uint32_t>(row)};
        else
            require_equal(slot.entry, row);
    }
}

void SentenceRows::require_equal(std::size_t first, std::size_t second) const
{
    std::vector<float> a(rows_->dimension());
    std::vector<float> b(rows_->dimension());
    rows_->read(first, a);
    rows_->read(second, b);
    if (std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) != 0)
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                         fmt::format("{} and {} are different vectors of the same sentence, {}: "
                                     "which one counts?",
                                     rows_->where(first), rows_->where(second),
                                     shown(lines_[first])));
}

std::optional<std::size_t> SentenceRows::find(std::string_view sentence) const noexcept
{
    const auto& slot = slots_[word_vectors::find_slot(
        std::span<const word_vectors::Slot>(slots_), word_vectors::hash_of(sentence),
        [&](std::uint32_t entry) { return lines_[entry] == sentence; })];
    if (slot.entry == word_vectors::Slot::empty)
        return std::nullopt;
    return slot.entry;
}

} // namespace senteval::precomputed
