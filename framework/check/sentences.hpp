// sentences.hpp -- text and matrices as a host may pass them.
#pragma once

#include "encoder/claims.hpp"

#include <senteval/encoder.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::check {

/// Sentences of a batch. The views point into strings of this object, or wherever the caller says.
class Sentences {
public:
    explicit Sentences(std::vector<std::string> texts,
                       std::uint32_t flags = SENTEVAL_BATCH_TOKENISED);

    /// Views of text that somebody else keeps.
    explicit Sentences(std::vector<senteval_string> views) : views_(std::move(views)) {}

    Sentences(const Sentences&) = delete;
    Sentences& operator=(const Sentences&) = delete;
    Sentences(Sentences&&) = default;
    Sentences& operator=(Sentences&&) = default;
    ~Sentences() = default;

    [[nodiscard]] std::size_t size() const noexcept { return views_.size(); }
    [[nodiscard]] std::string_view operator[](std::size_t i) const noexcept
    {
        return {views_[i].data == nullptr ? "" : views_[i].data, views_[i].size};
    }
    [[nodiscard]] senteval_batch batch() const noexcept
    {
        return {sizeof(senteval_batch), flags_, views_.size(), views_.data()};
    }

    /// ["a", "b c"], for a person.
    [[nodiscard]] std::string shown() const;

private:
    std::vector<std::string> texts_;
    std::vector<senteval_string> views_;
    std::uint32_t flags_ = SENTEVAL_BATCH_TOKENISED;
};

/// The text that an encoder is tried with: any, or sentences of which it has vectors.
class Texts {
public:
    /// Any text.
    Texts();

    /// Lines of a file, as 'senteval sentences' writes them: the first that differ and are not empty, and no
    /// others. Throws base::UsageError where it cannot be read or has none.
    explicit Texts(const std::filesystem::path& known);

    /// Sentences as any task has them; none is empty. As many whatever the encoder knows: of few sentences
    /// some come again.
    [[nodiscard]] const std::vector<std::string>& ordinary() const noexcept { return ordinary_; }

    /// `count` sentences, of about 6 words where they may be any.
    [[nodiscard]] std::vector<std::string> many(std::size_t count) const;

    /// Whether they may be any.
    [[nodiscard]] bool are_free() const noexcept { return known_.empty(); }

private:
    std::vector<std::string> known_;
    std::vector<std::string> ordinary_;
};

/// Memory that ends where a page begins that nobody may touch.
class GuardedMemory {
public:
    explicit GuardedMemory(std::string_view text);
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;
    GuardedMemory(GuardedMemory&& other) noexcept;
    ~GuardedMemory();

    [[nodiscard]] senteval_string view() const noexcept { return view_; }

    /// Makes it read-only.
    void protect() noexcept;

    /// Makes it unreadable; the addresses are given to nobody else.
    void take_away() noexcept;

private:
    void* region_;
    std::size_t size_; ///< of the region, without the last page
    senteval_string view_;
};

/// Each text in memory of its own.
std::vector<GuardedMemory> guarded(const std::vector<std::string>& texts);
Sentences sentences_in(const std::vector<GuardedMemory>& memory);

/// Vectors, one after the other.
struct Vectors {
    std::size_t dimension = 0;
    std::vector<float> values;

    [[nodiscard]] std::span<const float> row(std::size_t i) const
    {
        return std::span(values).subspan(i * dimension, dimension);
    }
};

/// A hash of all bits.
std::size_t hash_of(const Vectors& vectors);

/// The place in `values` where two batches differ most, and by how much of the largest element of the row: infinite where
/// they have different shapes.
encoder::Difference difference(const Vectors& a, const Vectors& b);

} // namespace senteval::check
