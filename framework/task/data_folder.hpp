// data_folder.hpp -- the folder that a task reads from, and what was read.
#pragma once

#include "base/files.hpp"
#include "base/json.hpp"
#include "task/chunks.hpp"
#include "text/text_file.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace senteval::task {

/// The data folder that somebody means: also where its downstream/ or probing/ was named.
std::filesystem::path data_root(const std::filesystem::path& named);

/// Opens files below one folder. Remembers the fingerprint of each, for the result file, and what
/// its reader counted, to be compared with what is known of it.
class DataFolder {
public:
    /// Takes at most `limit` items of each part of a task; 0: all. A part that is cut counts as another file.
    explicit DataFolder(std::filesystem::path root, std::size_t limit = 0)
        : root_(std::move(root)), limit_(limit)
    {
    }

    [[nodiscard]] std::size_t limit() const noexcept { return limit_; }

    /// Documents of searches are cut so from now on.
    void cut_documents(Chunks chunks) { chunks_ = chunks; }
    [[nodiscard]] Chunks chunks() const noexcept { return chunks_; }

    /// Relative paths start from here from now on: where a run file is, for the tasks it describes.
    void start_from(std::filesystem::path root) { root_ = std::move(root); }

    [[nodiscard]] std::filesystem::path path(const std::string& relative) const
    {
        return root_ / relative;
    }

    /// Throws base::Error that names the full path when the file is missing or unreadable.
    [[nodiscard]] base::MappedFile open(const std::string& relative);

    /// New counts for the reader of a file.
    [[nodiscard]] text::Counts& counts(const std::string& relative)
    {
        return contents_[relative] = {};
    }

    /// Counts by file.
    [[nodiscard]] const std::map<std::string, text::Counts>& contents() const noexcept
    {
        return contents_;
    }

    /// A sentence on why numbers made of this data may not mean what they seem to.
    void warn(std::string why) { warnings_.push_back(std::move(why)); }
    [[nodiscard]] const std::vector<std::string>& data_warnings() const noexcept
    {
        return warnings_;
    }

    /// The same, for encoders that know words alone: others may take text as people write it.
    void warn_of_words(std::string why) { word_warnings_.push_back(std::move(why)); }
    [[nodiscard]] const std::vector<std::string>& word_warnings() const noexcept
    {
        return word_warnings_;
    }

    /// A warning that the user has accepted: results keep it, and are not marked by it.
    void accept(std::string why) { accepted_.push_back(std::move(why)); }
    [[nodiscard]] const std::vector<std::string>& accepted_warnings() const noexcept
    {
        return accepted_;
    }

    /// Sentences in which there is nothing to read, in all parts of a task.
    void add_empty_sentences(std::size_t count) { empty_sentences_ += count; }
    [[nodiscard]] std::size_t empty_sentences() const noexcept { return empty_sentences_; }

    /// {"downstream/MR/rt-polarity.pos": "fingerprint", ...} of the files opened so far.
    [[nodiscard]] const base::Json& fingerprints() const noexcept { return fingerprints_; }

private:
    std::filesystem::path root_;
    std::size_t limit_;
    Chunks chunks_;
    base::Json fingerprints_ = base::Json::object();
    std::map<std::string, text::Counts> contents_;
    std::vector<std::string> warnings_;
    std::vector<std::string> word_warnings_;
    std::vector<std::string> accepted_;
    std::size_t empty_sentences_ = 0;
};

} // namespace senteval::task
