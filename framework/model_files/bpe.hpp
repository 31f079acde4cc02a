// bpe.hpp -- byte pair encoding: characters are joined two by two, in the order in which the pairs were learned.
#pragma once

#include "model_files/piece_model.hpp"

#include <memory>

namespace senteval::model_files {

/// Of the `model` of a tokenizer.json. The time of a word is that of sorting its characters. Throws Json::exception and
/// std::invalid_argument.
std::unique_ptr<PieceModel> bpe_of(const Json& spec);

} // namespace senteval::model_files
