// charsmap.hpp -- SentencePiece's precompiled map of characters, as the tokenizers library applies it.
#pragma once

#include "model_files/normaliser.hpp"

namespace senteval::model_files {

/// Normaliser of a `precompiled_charsmap`, base64 or bytes. Throws Json::exception, std::length_error and
/// std::invalid_argument.
Normaliser character_map_of(const Json& map);

} // namespace senteval::model_files
