// scan.hpp -- one pass over a vectors file: where its words are.
#pragma once

#include "word_vectors/layout.hpp"
#include "word_vectors/mapped_file.hpp"

#include <senteval/encoder.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::word_vectors {

/// A word of the file. Its values begin one byte behind its end.
struct WordEntry {
    std::uint64_t offset = 0; ///< of the word, from the begin of the file
    std::uint32_t length = 0; ///< in bytes
    std::uint32_t tag = 0;    ///< hash_of() the word
};

/// What a scan did not like about the file.
struct Findings {
    static constexpr std::size_t shown = 5;

    std::uint64_t malformed = 0; ///< lines that were left out
    std::uint64_t repeated = 0;  ///< words with a later vector
    std::string messages;        ///< the first `shown` in order, a line each, as "17: reason"
};

struct Scan {
    std::vector<WordEntry> words; ///< in the order of the file, repeated ones too
    Findings findings;
};

/// Scans `file`, whose path is `path` in errors. Text is scanned on all threads of the call, and its
/// pages are given back; the result does not depend on their number. Throws sdk::Error where a
/// binary is truncated or no word is left, and sdk::Cancelled.
Scan scan(const MappedFile& file,
          const Layout& layout,
          const std::filesystem::path& path,
          const sdk::Call& call);

} // namespace senteval::word_vectors
