// documents.hpp -- a model's tokenizer as the document of a tokenizer.json, from any of its files.
#pragma once

#include "model_files/files.hpp"

#include <filesystem>

namespace senteval::model_files {

/// The file of a folder that says what its tokenizer is: tokenizer.json, else BERT's vocab.txt, SentencePiece's
/// .model, or the vocab.json beside merges.txt of RoBERTa. Throws sdk::Error where there is none.
std::filesystem::path tokenizer_file(const std::filesystem::path& folder);

/// The tokenizer of the file as the document of a tokenizer.json, with what stands beside it, as transformers 5.24
/// reads both: where tokenizer_config.json says other things than tokenizer.json, the former rules, and `host` is told;
/// added_tokens.json and special_tokens_map.json count. Throws sdk::Error, and what reading() turns into one.
Json tokenizer_document(const std::filesystem::path& file, const sdk::Host* host = nullptr);

/// Document of a SentencePiece model with Unigram: in sentencepiece.bpe.model one of XLM-RoBERTa, else one of T5.
Json sentencepiece_document(const std::filesystem::path& file);

} // namespace senteval::model_files
