// parameters.hpp -- the parameters that all encoders over word vectors share.
#pragma once

#include "word_vectors/table.hpp"
#include "word_vectors/word_vectors.hpp"

#include <senteval/encoder.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace senteval::word_vectors {

/// Entries for an encoder's `params`.
inline constexpr senteval_param_spec vectors_param = sdk::path_param(
    "vectors", "File of word vectors: GloVe text, word2vec text or binary, fastText .vec.");
inline constexpr senteval_param_spec format_param =
    sdk::param("format",
               "auto",
               "Layout of the vectors file: auto (judged by its first lines), glove (no header), "
               "word2vec (header 'words dimension', also .vec) or binary (word2vec's).");
inline constexpr senteval_param_spec malformed_param = sdk::no_effect(sdk::param(
    "malformed",
    "skip",
    "A line with a wrong number of values, or a bad one: skip (with a warning) or fail."));
inline constexpr senteval_param_spec cache_param = sdk::no_effect(
    sdk::param("cache",
               true,
               "Keep the index of a vectors file above 16 MB in the cache folder, so that the next "
               "start is instant."));
inline constexpr senteval_param_spec cache_folder_param = sdk::no_effect(
    sdk::path_param("cache_folder",
                    "Where to keep it; default $XDG_CACHE_HOME/senteval, else ~/.cache/senteval.",
                    0));
inline constexpr senteval_param_spec case_param =
    sdk::param("case",
               "exact",
               "Look-up of a token: exact, or fallback (as written, then Capitalised, then "
               "lower-case, then with its accents composed or decomposed).");

/// One table of parameters after the other.
template <std::size_t... sizes>
constexpr auto joined(const std::array<senteval_param_spec, sizes>&... tables)
{
    std::array<senteval_param_spec, (sizes + ...)> all{};
    auto at = all.begin();
    ((at = std::copy(tables.begin(), tables.end(), at)), ...);
    return all;
}

/// How a text file of vectors is read and its index kept.
inline constexpr std::array index_params = {malformed_param, cache_param, cache_folder_param};

/// Word vectors: what source_from() reads.
inline constexpr auto source_params = joined(std::array{vectors_param, format_param}, index_params);

/// What vectors_param ... cache_folder_param say; `file_key` is the parameter that names the file.
/// Throws sdk::Error on an unknown choice.
Source source_from(const sdk::Params& params, std::string_view file_key = "vectors");

/// What case_param says.
CasePolicy case_policy_from(const sdk::Params& params);

} // namespace senteval::word_vectors
