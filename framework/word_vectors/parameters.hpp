// parameters.hpp -- the parameters that all encoders over word vectors share.
#pragma once

#include "word_vectors/table.hpp"
#include "word_vectors/word_vectors.hpp"

#include <senteval/encoder.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
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

/// Word vectors: what source_from() reads.
inline constexpr std::array source_params = {vectors_param, format_param, malformed_param};

/// Source of vectors_param, format_param and malformed_param; `file_key` is the parameter that names the file. Throws
/// sdk::Error on an unknown choice.
inline Source source_from(const sdk::Params& params, std::string_view file_key = "vectors")
{
    return {params.require<std::string>(file_key),
            params.choice<Format>("format", {{"auto", Format::detect},
                                             {"glove", Format::glove},
                                             {"word2vec", Format::word2vec},
                                             {"binary", Format::binary}}),
            params.choice<Malformed>("malformed",
                                     {{"skip", Malformed::skip}, {"fail", Malformed::fail}})};
}

/// Policy of case_param.
inline CasePolicy case_policy_from(const sdk::Params& params)
{
    return params.choice<CasePolicy>(
        "case", {{"exact", CasePolicy::exact}, {"fallback", CasePolicy::fallback}});
}

} // namespace senteval::word_vectors
