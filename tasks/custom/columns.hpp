// columns.hpp -- files of columns as users describe them.
#pragma once

#include "tasks/custom/custom.hpp"
#include "tasks/readers/reading.hpp"
#include "text/records.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::tasks {

/// The keys of a description that are columns, as ColumnFormat has them.
inline constexpr std::array<std::string_view, 4> column_keys{"first", "second", "target", "split"};

/// A column is its number, from 1, or its name in the header line. All are different.
struct ColumnFormat {
    text::Encoding encoding = text::Encoding::utf8;
    std::optional<text::RecordForm> form; ///< none: by the name of the file
    bool header = false;
    std::string first;
    std::string second; ///< empty: single sentences
    std::string target; ///< label or score
    std::string split;  ///< says which part a row belongs to; empty: a file is a part
    bool scored = false;
    double lowest_score = -1e100; ///< that is possible; far above it squares overflow
    double highest_score = 1e100;
    bool scale_is_given = true;       ///< otherwise scores that fill only a part of it are an error
    std::string positive;             ///< becomes class 1, whose F1 is computed; empty: no F1
    bool positive_is_given = false;   ///< otherwise other labels than 0 and 1 are an error
    std::vector<std::string> classes; ///< empty: the labels of the first file, sorted as strings
    Tokeniser tokenise = Tokeniser::as_is;
    bool lowercase = false;
};

bool is_column_number(std::string_view column);

/// One item per line; names of files start from `base`; the parts "all" and "test" are tested. An
/// empty label, a label that is none of the classes and a first line that can only be a header are
/// errors; what merely looks wrong becomes a data warning of the dataset.
Source
column_source(const std::filesystem::path& base, std::vector<PartFile> files, ColumnFormat format);

/// What a task of one's own reads.
Source source_of(const CustomTask& description);

/// The parts that rows of the file 'train' belong to, by the column 'split'.
std::set<std::string> parts_in(const CustomTask& description);

/// The same of a file below `data`.
std::set<std::string>
parts_in(task::DataFolder& data, const std::string& file, const ColumnFormat& format);

} // namespace senteval::tasks
