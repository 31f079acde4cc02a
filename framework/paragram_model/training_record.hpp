// training_record.hpp -- what a model was trained on: numbers, settings, and a fingerprint of every
// sentence, to be recognised in an evaluation set. The block "training" of a model file
// (paragram_model/model_file.hpp): a line of JSON, then sentence keys (64 bits each, little-endian,
// ascending).
#pragma once

#include "base/json.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::paragram {

/// Phrases of fewer words may stand in any text: they say nothing about where it is from.
inline constexpr std::size_t least_words = 4;

/// A 64-bit hash of the letters and digits of a sentence in lower case, without blanks and punctuation, so
/// that "Don't stop it now!" and "do n't stop it now ." have the same. Nothing for one of fewer than
/// `words` words.
std::optional<std::uint64_t> sentence_key(std::string_view sentence,
                                          std::size_t words = least_words);

struct TrainingRecord {
    base::Json about = base::Json::object(); ///< files, counts, settings, for people to read
    std::vector<std::uint64_t>
        keys; ///< sentence_key() of what was trained on, ascending, each once

    [[nodiscard]] bool has(std::string_view sentence) const;
};

/// Adds the sentences of another record: of the model that training began with, say.
void add_keys(TrainingRecord& record, const std::vector<std::uint64_t>& keys);

std::string to_block(const TrainingRecord& record);

/// Throws base::Error naming `file` for anything that to_block() does not write.
TrainingRecord record_of(std::string_view block, const std::filesystem::path& file);

/// Reads the record of a model file; nothing for files of other kinds. Throws base::Error where the model is damaged.
std::optional<TrainingRecord> training_record_of(const std::filesystem::path& file);

} // namespace senteval::paragram
