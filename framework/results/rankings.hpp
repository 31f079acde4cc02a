// rankings.hpp -- which documents a search found for each query, and TREC's files of that.
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::results {

/// The score of a document that a ranker's query does not find; such documents stand last.
inline constexpr float not_found = std::numeric_limits<float>::lowest();

struct Found {
    std::string document; ///< its id
    float score = 0;
    bool operator==(const Found&) const = default;
};

/// Documents by the query's id, best first.
using Rankings = std::map<std::string, std::vector<Found>>;

/// What a store keeps beside the result of a search.
struct KeptRankings {
    std::string made_of;   ///< hash of encoder, protocol and data
    std::size_t depth = 0; ///< documents of each query, where there are so many
    Rankings rankings;
};
std::string encode_rankings(const KeptRankings& kept);
/// Throws base::Error for other bytes.
KeptRankings decode_rankings(std::string_view bytes);

/// Throws base::UsageError where an id has a blank, which ends it in a file of TREC.
void require_trec_ids(std::span<const std::string> ids);

/// The documents that are found.
Rankings found_only(Rankings rankings);

/// Lines "QUERY Q0 DOCUMENT RANK SCORE NAME", ranks from 1.
std::string to_trec(const Rankings& rankings, const std::string& name);

/// Reads such lines as trec_eval does: by score, equal ones by id, both descending; ranks are ignored. Throws
/// base::UsageError naming file and line for a malformed line, or a repeated document.
Rankings read_trec(std::string_view text, const std::string& file);

} // namespace senteval::results
