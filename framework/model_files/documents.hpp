// documents.hpp -- a model's tokenizer as the document of a tokenizer.json, from any of its files.
#pragma once

#include "model_files/files.hpp"

#include <filesystem>

namespace senteval::model_files {

/// The file of a folder that says what its tokenizer is: tokenizer.json, else BERT's vocab.txt, SentencePiece's
/// .model, or the vocab.json beside merges.txt of RoBERTa. Throws sdk::Error where there is none.
std::filesystem::path tokenizer_file(const std::filesystem::path& folder);

/// The tokenizer as the document of a tokenizer.json. Throws sdk::Error, Json::exception, std::length_error where it
/// is damaged, and std::invalid_argument naming what is not supported.
Json tokenizer_document(const std::filesystem::path& file);

/// Document of a SentencePiece model with Unigram: in sentencepiece.bpe.model one of XLM-RoBERTa, else one of T5.
Json sentencepiece_document(const std::filesystem::path& file);

} // namespace senteval::model_files
