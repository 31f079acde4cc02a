// start_vectors.hpp -- the word vectors that training begins with.
#pragma once

#include "word_vectors/word_vectors.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace senteval::annex {

/// A file of word vectors in any layout that the bundled encoders read, or a trained model. Immutable.
class StartVectors {
public:
    /// Calls `warn` for lines that are skipped. Throws base::Error, and base::Cancelled.
    StartVectors(const std::filesystem::path& file,
                 unsigned threads,
                 const std::stop_token& stop,
                 const std::function<void(std::string_view)>& warn);

    [[nodiscard]] const std::filesystem::path& file() const noexcept { return vectors_.file(); }
    [[nodiscard]] std::size_t dimension() const noexcept { return vectors_.dimension(); }
    [[nodiscard]] std::size_t size() const noexcept { return vectors_.size(); }
    [[nodiscard]] std::string_view word(std::size_t row) const noexcept
    {
        return vectors_.word(static_cast<word_vectors::Row>(row));
    }
    [[nodiscard]] std::optional<std::size_t> find(std::string_view word) const noexcept;

    /// The values of a row, rounded to float; zeros where its line is malformed.
    void read(std::size_t row, std::span<float> out) const;

    /// The vector of words that have none: the file's own (UUUNKKK), else the mean of all.
    [[nodiscard]] std::span<const float> unknown() const noexcept { return unknown_; }

private:
    word_vectors::WordVectors vectors_;
    std::vector<float> unknown_;
};

} // namespace senteval::annex
