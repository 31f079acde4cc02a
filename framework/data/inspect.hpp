// inspect.hpp -- the doctor: what is wrong with a data folder, what it means, and what to do.
#pragma once

#include "data/manifest.hpp"
#include "text/text_file.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::data {

enum class Severity {
    warning,  ///< usable, but scores may not compare with published ones
    mismatch, ///< another set than the published one: a subset, a substitute, other labels
    error,    ///< broken data: whatever is computed on it means nothing
};

std::string_view name(Severity severity);

struct Finding {
    Severity severity = Severity::error;
    std::string dataset;
    std::string path;    ///< below the data folder
    std::string problem; ///< "has 20 lines in place of 5000"
    std::string meaning; ///< why that matters
    std::string advice;  ///< what to do

    /// "path: problem; meaning. advice" as one line.
    [[nodiscard]] std::string text() const;
};

/// Counts that the readers made of files below the data folder.
using Contents = std::map<std::string, text::Counts>;

/// Problems of one file of a dataset below `root`; empty where it is the standard preparation, byte for byte or but
/// for line ends and a byte-order mark. Such a file is not looked at further.
std::vector<Finding>
inspect_file(const std::filesystem::path& root, const Dataset& dataset, const File& file);

/// The same for bytes that lie at `actual`, before they are put in their place below `root`, or of
/// which a reader says what it found. Without a reader's word newlines are counted, and no labels.
std::vector<Finding> inspect_file(const std::filesystem::path& root,
                                  const Dataset& dataset,
                                  const File& file,
                                  const std::filesystem::path& actual,
                                  const text::Counts* read = nullptr);

/// All files of a dataset. Reads each once, some 20 milliseconds for the largest but SNLI. `empty_sentences`, which its
/// reader counted, are a finding unless all files are the published ones.
std::vector<Finding> inspect_dataset(const std::filesystem::path& root,
                                     const Dataset& dataset,
                                     const Contents& read = {},
                                     std::size_t empty_sentences = 0);

/// Whether this is not the published set: a mismatch or an error.
bool has_errors(const std::vector<Finding>& findings);

/// Whether nothing should be computed on it: an error.
bool is_broken(const std::vector<Finding>& findings);

} // namespace senteval::data
