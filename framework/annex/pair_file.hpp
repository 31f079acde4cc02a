// pair_file.hpp -- pairs of phrases or sentences that mean the same, from the layouts in which they come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::annex {

enum class PairFormat {
    detect,   ///< one of the others, judged by the first line
    tsv,      ///< two phrases, perhaps a score and further columns, separated by TABs
    ppdb,     ///< the Paraphrase Database: label ||| phrase ||| paraphrase ||| features ||| ...
    captions, ///< a key, perhaps with "#number", a TAB and a sentence: all pairs within a key
    lexicon   ///< a word, then words that mean the same, separated by blanks
};

/// A file of pairs, and how it is read.
struct PairSource {
    std::filesystem::path file;
    PairFormat format = PairFormat::detect;
    /// Number of a column (from 1), or the name of a feature of PPDB; empty: column 3 of a TSV.
    std::string score = {};
    std::optional<double> threshold = std::nullopt; ///< pairs of a lower score are left out
    bool is_scored = false;                         ///< every pair needs a score

    [[nodiscard]] bool reads_score() const noexcept { return is_scored || threshold.has_value(); }
};

/// Calls `each` for every line of a file, which may be compressed by gzip, or a pipe: without its end (LF or CR
/// LF) and, in the first line, without a byte-order mark. Numbers begin at 1. Throws base::Error naming the file.
void read_lines(const std::filesystem::path& file,
                const std::function<void(std::string_view line, std::size_t number)>& each);

/// Parses FILE[,format=F][,score=COLUMN][,threshold=X]; text before these belongs to the file's name. Throws
/// base::UsageError.
PairSource parse_pair_source(const std::string& text, bool is_scored = false);

struct PairFileCounts {
    static constexpr std::size_t shown = 5;

    std::uint64_t lines = 0;
    std::uint64_t pairs = 0;
    std::uint64_t below = 0;              ///< pairs of too low a score
    std::uint64_t bad = 0;                ///< lines that cannot be used
    std::vector<std::string> bad_lines{}; ///< the first `shown` of them: "file:line: why"
};

/// Takes a pair; the views are valid during the call. The score is 0 where none is read.
using PairSink = std::function<void(std::string_view first, std::string_view second, double score)>;

/// Hands every pair to `each`, in the order of the file. Bad lines (too few
/// columns, an empty phrase, a score that is no number, no UTF-8) are counted and left out. Throws base::Error
/// naming the file where it cannot be read, base::UsageError where it has no usable line, or no scores
/// and needs them.
PairFileCounts read_pairs(const PairSource& source, const PairSink& each);

} // namespace senteval::annex
