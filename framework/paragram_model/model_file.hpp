// model_file.hpp -- the file of a trained model, version 1.
//
// It begins as a word2vec binary, "words dimension", then word, space, little-endian floats and a line feed
// for each, and any program that reads such files reads the word vectors. Behind them stand blocks: a content
// and a footer of 40 bytes, which is a tag (16 bytes, padded with zeros), the number of bytes of the content and
// their XXH3 (64 bits each, little-endian), and word_vectors::model_mark. A block is found from the end, so a file
// that was cut short has none:
//
//   initial     the vectors that training began with, where they differ from the trained ones: the number of
//               words (32 bits), their places in the file (32 bits each), their values (floats)
//   counts      how often each word of the file stood in the training pairs (32 bits each)
//   parameters  the compositional parameters (floats, in the order of parameters_of())
//   training    what it was trained on; training_record.hpp tells of it
//   model       lines of a key, a space and a value, the last block: version, kind, activation, inputs,
//               outputs, layers, words, and size and XXH3 of the word vectors
#pragma once

#include "base/refuse.hpp"
#include "paragram_model/architecture.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::paragram {

inline constexpr std::uint64_t model_version = 1;
inline constexpr std::size_t tag_bytes = 16;

/// The blocks of a file's bytes, which must outlive it.
class Blocks {
public:
    explicit Blocks(std::string_view file);

    [[nodiscard]] bool empty() const noexcept { return blocks_.empty(); }

    /// The part before the first block.
    [[nodiscard]] std::string_view body() const noexcept { return body_; }

    /// The content of a block, nothing where there is none. Throws sdk::Error naming `path` where its bytes
    /// are not those that were written.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view tag,
                                                       const std::filesystem::path& path) const;

private:
    struct Block {
        std::string_view tag;
        std::string_view content;
        unsigned long long hash = 0;
    };
    std::string_view body_;
    std::vector<Block> blocks_;
};

/// Vectors of some words before training.
struct InitialVectors {
    std::vector<std::uint32_t> rows; ///< places in the file, ascending
    std::vector<float> values;       ///< rows.size() x inputs
};

/// A model's file, opened and checked.
class ModelFile {
public:
    /// Throws sdk::Error naming the file: where it is missing, no model, cut short, damaged, of a later
    /// version, or contradicts itself.
    explicit ModelFile(const std::filesystem::path& path);

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    [[nodiscard]] const Architecture& architecture() const noexcept { return architecture_; }
    [[nodiscard]] std::size_t words() const noexcept { return words_; }
    [[nodiscard]] const std::vector<float>& parameters() const noexcept { return parameters_; }
    [[nodiscard]] std::vector<std::uint32_t> counts() const;
    [[nodiscard]] InitialVectors initial() const;

private:
    [[nodiscard]] std::string_view block(std::string_view tag) const;
    void read_description();
    void check_vectors(std::uint64_t bytes, std::uint64_t hash) const;

    std::filesystem::path path_;
    base::MappedFile file_;
    Blocks blocks_;
    Architecture architecture_;
    std::size_t words_ = 0;
    std::vector<float> parameters_;
};

/// Whether the file ends as a model does.
bool is_model(const std::filesystem::path& path);

/// The block "training" of a model's file, also without reading the model; nothing for other files. Throws
/// sdk::Error where the block is damaged or missing.
std::optional<std::string> training_block_of(const std::filesystem::path& path);

} // namespace senteval::paragram
