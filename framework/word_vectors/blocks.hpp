// blocks.hpp -- named blocks of bytes at the end of a file, behind what other programs read of it.
//
// A block is its content and a footer of 40 bytes: a tag (16 bytes, padded with zeros), the number of bytes
// of the content and their XXH3 (64 bits each, little-endian), and "SEVBLOCK". The last block ends the file;
// one is found from the end, so a file that was cut short has none. The models of `senteval train` are
// such files, and their last block is "model" (paragram_model/model_file.hpp).
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::word_vectors {

/// The blocks of a file's bytes, which must outlive it.
class Blocks {
public:
    explicit Blocks(std::string_view file);

    [[nodiscard]] bool empty() const noexcept { return blocks_.empty(); }

    /// What stands before the first block.
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

/// Whether a block ends anywhere in the bytes: also in those of a file that was cut short.
bool has_block(std::string_view bytes);

/// What follows the content of a block. The tag has 1 to 16 bytes.
std::string block_footer(std::string_view tag, std::string_view content);

} // namespace senteval::word_vectors
