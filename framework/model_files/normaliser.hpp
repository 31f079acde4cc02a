// normaliser.hpp -- what a tokenizer makes of a text before it looks for words.
#pragma once

#include "model_files/files.hpp"

#include <functional>
#include <string>

namespace senteval::model_files {

using Normaliser = std::function<std::string(std::string)>;

/// Of the `normalizer` of a tokenizer.json: BertNormalizer, Strip, Replace (of a string, or of the expression \s+), a Sequence of these, or null. Throws Json::exception,
/// and std::invalid_argument naming what is not supported.
Normaliser normaliser_of(const Json& spec);

} // namespace senteval::model_files
