// word_vectors.hpp -- a file of word vectors, opened in a moment and read where it is needed.
//
// The file is mapped, and scanned once, on several threads, for where each word's values begin. The
// numbers of a word are parsed when somebody asks for them, so a task pays for its own vocabulary only
// (see table.hpp).
//
// Values are doubles, correctly rounded from the decimal text, because SentEval's examples average
// doubles; a word2vec binary holds floats, which widen exactly.
#pragma once

#include <senteval/encoder.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

namespace senteval::word_vectors {

/// How a vectors file is laid out.
enum class Format : std::uint32_t {
    detect,   ///< one of the others, judged by the first lines
    glove,    ///< a line per word: word, space, values separated by spaces
    word2vec, ///< the same after a line "words dimension"; also fastText's .vec
    binary    ///< word2vec's binary: that line, then word, space, little-endian floats
};

/// Treatment of a line that cannot be used: it has another number of values than the file, or a value is not a finite
/// number.
enum class Malformed { skip, fail };

/// Ends the file of a trained model (paragram_model/model_file.hpp).
inline constexpr std::string_view model_mark = "SEVBLOCK";

/// The file to open, and how.
struct Source {
    std::filesystem::path file;
    Format format = Format::detect;
    Malformed malformed = Malformed::skip;
};

/// Number of a word in the file, from 0, in the order of the file.
using Row = std::uint32_t;

/// The words of one file. Immutable once made: every function may be called from any thread.
///
/// In a line with more fields than the file's dimension, the last ones are the values and the word
/// is all before them (GloVe 840B has words like ". . ."). A word that occurs twice keeps its last
/// vector. Words are bytes: no Unicode normalisation, no change of case.
class WordVectors {
public:
    /// Opens `source` within a call of the encoder, on at most call.thread_budget() threads. Warns
    /// through `host` about lines that are skipped, with their numbers. Throws sdk::Error:
    /// SENTEVAL_NOT_FOUND for a missing file, SENTEVAL_INVALID_ARGUMENT, naming file and line, for
    /// one that is empty, truncated, of another format, or malformed where that is to fail; and
    /// sdk::Cancelled.
    WordVectors(const Source& source, sdk::Host host, const sdk::Call& call);
    ~WordVectors();
    WordVectors(const WordVectors&) = delete;
    WordVectors& operator=(const WordVectors&) = delete;

    [[nodiscard]] const std::filesystem::path& file() const noexcept;
    [[nodiscard]] std::size_t dimension() const noexcept; ///< values per word, at least 1
    [[nodiscard]] std::size_t size() const noexcept;      ///< words, at least 1

    [[nodiscard]] std::string_view word(Row row) const noexcept;
    [[nodiscard]] std::optional<Row> find(std::string_view word) const noexcept;

    /// Parses the dimension() values of `row` into `out`. False where one is not a finite number.
    [[nodiscard]] bool read(Row row, std::span<double> out) const noexcept;

    /// read(), but a malformed row is reported through `host` and leaves zeros and false, or throws
    /// sdk::Error, as the source says. The zeros may be all that a caller needs.
    // NOLINTNEXTLINE(modernize-use-nodiscard)
    bool read_or_report(Row row, std::span<double> out, sdk::Host host) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace senteval::word_vectors
