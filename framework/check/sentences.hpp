// sentences.hpp -- text and matrices as a host may pass them.
#pragma once

#include <senteval/encoder.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::check {

/// Sentences of a batch. The views point into strings of this object, or wherever the caller says.
class Sentences {
public:
    explicit Sentences(std::vector<std::string> texts);

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
        return {sizeof(senteval_batch), SENTEVAL_BATCH_TOKENISED, views_.size(), views_.data()};
    }

    /// ["a", "b c"], for a person.
    [[nodiscard]] std::string shown() const;

private:
    std::vector<std::string> texts_;
    std::vector<senteval_string> views_;
};

/// What an encoder is tried with: any text, or sentences of which it has vectors.
class Texts {
public:
    /// Any text.
    Texts();

    /// Lines of a file, as 'senteval sentences' writes them: the first that differ and are not empty, and no
    /// others. Throws core::UsageError where it cannot be read or has none.
    explicit Texts(const std::filesystem::path& known);

    /// Sentences as any task has them; none is empty. As many whatever the encoder knows: of few sentences
    /// some come again.
    [[nodiscard]] const std::vector<std::string>& ordinary() const noexcept { return ordinary_; }

    /// `count` sentences, of about 20 words where they may be any.
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
    GuardedMemory& operator=(GuardedMemory&&) = delete;
    ~GuardedMemory();

    [[nodiscard]] senteval_string view() const noexcept { return view_; }

    /// From here on: PROT_READ, or PROT_NONE for not even that.
    void protect(int protection) noexcept;

private:
    void* region_;
    std::size_t size_; ///< of the region, without the last page
    senteval_string view_;
};

/// One vector after the other.
struct Vectors {
    std::size_t dimension = 0;
    std::vector<float> values;

    [[nodiscard]] std::size_t rows() const noexcept
    {
        return dimension == 0 ? 0 : values.size() / dimension;
    }
    [[nodiscard]] std::span<const float> row(std::size_t i) const
    {
        return std::span(values).subspan(i * dimension, dimension);
    }
};

/// How far apart the rows of two batches are, where they are farthest: by the largest element of the two.
/// Infinite where they have different shapes.
double distance(const Vectors& a, const Vectors& b);

/// Where two vectors differ beyond rounding, most of all; -1 where they do not. With `bits`, where the
/// first bit differs.
std::ptrdiff_t difference(std::span<const float> a, std::span<const float> b, bool bits);

} // namespace senteval::check
