// piece_model.hpp -- how a tokenizer cuts a word into pieces of its vocabulary.
#pragma once

#include "model_files/added_tokens.hpp"
#include "model_files/files.hpp"
#include "model_files/trie.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::model_files {

/// Immutable.
class PieceModel {
public:
    PieceModel() = default;
    PieceModel(const PieceModel&) = delete;
    PieceModel& operator=(const PieceModel&) = delete;
    PieceModel(PieceModel&&) = delete;
    PieceModel& operator=(PieceModel&&) = delete;
    virtual ~PieceModel() = default;

    /// Appends the ids of the pieces of `word`, which is not empty.
    virtual void append(std::string_view word, std::vector<Id>& ids) const = 0;

    [[nodiscard]] const std::vector<std::string>& pieces() const noexcept { return pieces_; }
    [[nodiscard]] Id largest_id() const noexcept { return largest_id_; }
    /// The piece of an unknown word, where the vocabulary has one.
    [[nodiscard]] std::optional<Id> unknown() const noexcept { return unknown_; }
    /// The piece of `unknown()` has a name of its own (`unk_token`): a WordPiece model's.
    [[nodiscard]] virtual bool names_unknown() const noexcept { return false; }

protected:
    std::vector<std::string> pieces_; ///< each once, in the order of the file
    Id largest_id_ = 0;
    std::optional<Id> unknown_;
};

/// Pieces such as <0xE2> for the bytes of what has no piece.
class ByteFallback {
public:
    /// None.
    ByteFallback() { values_.fill(Trie::no_value); }
    /// The bytes that `pieces` has.
    explicit ByteFallback(const Trie& pieces)
    {
        for (std::size_t byte = 0; byte < values_.size(); ++byte)
            values_[byte] = pieces.value_of(fmt::format("<0x{:02X}>", byte));
    }

    /// Appends the piece of each byte; nothing, and returns false, where one has none.
    bool append(std::string_view text, std::vector<Id>& values) const
    {
        const std::size_t before = values.size();
        for (const char byte : text) {
            values.push_back(values_[static_cast<unsigned char>(byte)]);
            if (values.back() == Trie::no_value) {
                values.resize(before);
                return false;
            }
        }
        return true;
    }

private:
    std::array<Id, 256> values_{};
};

/// Model of the `model` of a tokenizer.json: WordPiece, Unigram or BPE. Throws Json::exception, and
/// std::invalid_argument naming what is not supported or wrong.
std::unique_ptr<PieceModel> piece_model_of(const Json& spec);
std::unique_ptr<PieceModel> unigram_of(const Json& spec);
std::unique_ptr<PieceModel> bpe_of(const Json& spec);

} // namespace senteval::model_files
