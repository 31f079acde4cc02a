// normaliser.hpp -- what a tokenizer makes of a text before it looks for words.
#pragma once

#include "model_files/files.hpp"

#include <cstddef>
#include <functional>
#include <string>

namespace senteval::model_files {

using Normaliser = std::function<std::string(std::string)>;

/// Most bytes that one byte becomes, so that no file can fill the memory.
inline constexpr std::size_t most_growth = 256;
/// Throws sdk::Error where more was made of so many bytes.
void check_growth(std::size_t before, std::size_t now);

/// Normaliser of the `normalizer` of a tokenizer.json: BertNormalizer, Lowercase, NFC, NFD, NFKC, NFKD, Precompiled,
/// Prepend, Replace (of a string, or of white space by one of two expressions), Strip, StripAccents, a Sequence of
/// these, or null. Throws Json::exception, std::length_error, and std::invalid_argument naming what is not supported.
Normaliser normaliser_of(const Json& spec);

} // namespace senteval::model_files
