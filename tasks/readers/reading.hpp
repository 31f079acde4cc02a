// reading.hpp -- what the readers share.
#pragma once

#include "base/error.hpp"
#include "tasks/readers/readers.hpp"
#include "text/text_file.hpp"

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::tasks {

/// Opens a text file below the data folder, which is told what is read; its errors carry the full
/// path. Own files are unpacked (gzip, UTF-16) where they have to be.
text::TextFile open_text(task::DataFolder& data,
                         const std::string& relative,
                         text::Encoding encoding = text::Encoding::utf8,
                         text::LineEnds ends = text::LineEnds::newlines,
                         bool unpacks = false);

/// A source of those files, whose `fill` gives an empty dataset its classes, parts and samples.
Source make_source(std::vector<std::string> files,
                   std::function<void(task::DataFolder&, Dataset&)> fill);

/// Takes the items of one part, whose `verbatim` says how texts are kept.
class PartWriter {
public:
    PartWriter(Part& part, text::Arena& arena) : part_(part), arena_(arena) {}

    void add(std::string_view sentence, std::uint32_t label);
    void add(std::string_view first, std::string_view second, std::uint32_t label);
    void add(std::string_view first, std::string_view second, double score);

private:
    [[nodiscard]] text::Sentence sentence_of(std::string_view text) const;
    void add_sentences(std::string_view first, std::string_view second);

    Part& part_;
    text::Arena& arena_;
};

/// One part of a dataset and its file below the data folder.
struct PartFile {
    std::string part; ///< train, dev or test
    std::string file;
};

/// Says how the lines of such files become items.
struct LineFormat {
    text::Encoding encoding = text::Encoding::utf8;
    bool header = false;              ///< the first line is skipped
    std::vector<std::string> classes; ///< empty for scores
    /// Adds the item of the current line. The line is stripped of white space at both ends.
    std::function<void(text::TextFile& file, std::string_view line, PartWriter& items)> read_line;
};

/// A dataset of one file per part with one item per line, sorted by length; "test" is tested.
Source line_source(std::vector<PartFile> files, LineFormat format);

/// Throws base::Error naming the file where nothing was read from it, and where all items of a part to learn from ("train"
/// or "all") have the same class.
void check_items(const Part& part, const std::string& file);

/// Index of `label`, which is counted. Fails at the file's current line, naming the known ones, where
/// it is none of them.
std::uint32_t class_index(const text::TextFile& file,
                          std::string_view label,
                          std::span<const std::string> classes);

/// The label that is the number `text`, below `classes`; it is counted.
std::uint32_t
numbered_class(const text::TextFile& file, std::string_view text, std::size_t classes);

/// The gold score `text`. Fails at the file's current line where it is none from `lowest` to `highest`.
double score(const text::TextFile& file, std::string_view text, double lowest, double highest);

/// Calls `read` at each line of files whose lines belong together. Throws base::Error naming two files and their numbers
/// of lines where they do not end together.
void each_line_of(std::initializer_list<text::TextFile*> files, const std::function<void()>& read);

} // namespace senteval::tasks
