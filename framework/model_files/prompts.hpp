// prompts.hpp -- the texts that sentence-transformers puts before others.
#pragma once

#include "model_files/files.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace senteval::model_files {

/// Before texts without a role, queries and documents.
template <typename Text = std::string>
struct Prompts {
    Text plain;
    Text query;
    Text document;
    std::optional<std::string> similarity; ///< that the folder is for, where it says so

    [[nodiscard]] Text of(sdk::Role role) const
    {
        return role == sdk::Role::query ? query : role == sdk::Role::document ? document : Text();
    }
};

/// The prompts of a folder's config_sentence_transformers.json, as sentence-transformers chooses them: for queries
/// "query" and for documents "document", if there, for all others the default. `name` is default, none, or one prompt for all; `given`
/// stands in place of all of them; `kind` is the only `model_type` that the file may name. `host` is told of keys that are not known. Throws sdk::Error.
Prompts<> prompts_of(const sdk::Host& host,
                     const std::filesystem::path& folder,
                     const std::string& name,
                     const std::string& given,
                     const char* kind = "SentenceTransformer");

} // namespace senteval::model_files
