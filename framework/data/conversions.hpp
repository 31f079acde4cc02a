// conversions.hpp -- from an original file, as its authors distribute it, to the file a task reads.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace senteval::data {

/// Treatment of the words.
enum class Wording {
    prepared, ///< tokenised, escaped and cased as SentEval's own preparation does it
    original, ///< the authors' text, for encoders that bring a tokeniser of their own
};

/// Whether convert() knows `name`. There are:
///   as-is            the bytes
///   ptb              every line a sentence: visible ASCII, then Penn Treebank rules
///   trec             back-ticks and apostrophes deleted
///   sts-input        columns 1 and 2 by Moses rules, lower-cased; further columns dropped
///   stsbenchmark     columns 6 and 7 by Moses rules, lower-cased; further columns dropped
///   sick             columns 2 and 3 by Moses rules, the header line as it is
///   mrpc             columns 4 and 5 by Moses rules, the first file's header line as it is;
///                    several files are joined and later headers dropped
///   sts-pairs        of pairs of files, sentences and golds: all pairs that have a gold, as JSON lines, words as they are
///   sick-pairs       all pairs of all files, as JSON lines, words as they are
///   snli-labels, snli-first, snli-second
///                    that column of the corpus, pairs without a gold label left out; sentences by
///                    Penn Treebank rules
bool is_conversion(std::string_view name);

/// The bytes of the file a task reads. Throws base::Error naming the line that cannot be converted.
std::string
convert(std::string_view conversion, const std::vector<std::string>& originals, Wording wording);

/// Every byte outside printable ASCII as cat -v shows it: M- for the high bit, ^ for control
/// characters; newline and tab stay.
std::string visible_ascii(std::string_view bytes);

} // namespace senteval::data
