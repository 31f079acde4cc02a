#include "tasks/readers/reading.hpp"

#include "base/names.hpp"
#include "base/unicode.hpp"
#include "data/characters.hpp"
#include "text/parquet.hpp"

#include <algorithm>
#include <utility>

namespace senteval::tasks {

text::TextFile open_text(task::DataFolder& data,
                         const std::string& relative,
                         text::Encoding encoding,
                         text::LineEnds ends,
                         bool unpacks)
{
    const auto files = text::parquet_shards(relative);
    for (std::size_t at = 1; at < files.size(); ++at)
        (void)data.open(files[at]); // its fingerprint counts
    return {data.path(relative).string(),
            data.open(relative),
            encoding,
            ends,
            &data.counts(relative),
            unpacks};
}

Source make_source(std::vector<std::string> files,
                   std::function<void(task::DataFolder&, Dataset&)> fill)
{
    Source source;
    source.files = std::move(files);
    source.read = [fill = std::move(fill)](task::DataFolder& data) {
        Dataset dataset;
        fill(data, dataset);
        return dataset;
    };
    return source;
}

void PartWriter::add(std::string_view sentence, std::uint32_t label)
{
    part_.first.push_back(sentence_of(sentence));
    part_.labels.push_back(label);
}

void PartWriter::add(std::string_view first, std::string_view second, std::uint32_t label)
{
    add_sentences(first, second);
    part_.labels.push_back(label);
}

void PartWriter::add(std::string_view first, std::string_view second, double score)
{
    add_sentences(first, second);
    part_.scores.push_back(score);
}

void PartWriter::add_sentences(std::string_view first, std::string_view second)
{
    part_.first.push_back(sentence_of(first));
    part_.second.push_back(sentence_of(second));
}

text::Sentence PartWriter::sentence_of(std::string_view text) const
{
    return part_.verbatim ? text::verbatim_sentence(text, arena_)
                          : text::make_sentence(text, arena_);
}

namespace {

Part read_part(task::DataFolder& data,
               const PartFile& source,
               const LineFormat& format,
               text::Arena& arena)
{
    auto file = open_text(data, source.file, format.encoding);
    if (format.header)
        file.next();
    Part part(source.part, source.part == "test");
    PartWriter items(part, arena);
    while (file.next())
        format.read_line(file, base::strip(file.line()), items);
    check_items(part, file.name());
    return part;
}

} // namespace

Source line_source(std::vector<PartFile> files, LineFormat format)
{
    std::vector<std::string> names;
    for (const PartFile& file : files)
        names.push_back(file.file);
    return make_source(names, [files = std::move(files), format = std::move(format)](
                                  task::DataFolder& data, Dataset& dataset) {
        dataset.classes = format.classes;
        for (const PartFile& file : files) {
            Part& part = dataset.parts.emplace_back(read_part(data, file, format, dataset.arena));
            sort_by_length(part);
            add_samples(dataset, part);
        }
    });
}

void check_items(const Part& part, const std::string& file)
{
    if (part.size() == 0)
        throw base::Error("{}: there are no items in it", file);
    const bool is_learned = part.name == "train" || part.name == "all";
    if (is_learned && !part.labels.empty() &&
        std::ranges::count(part.labels, part.labels.front()) == std::ssize(part.labels))
        throw base::Error("{}: all {} items have the same class, and a classifier needs two", file,
                          part.size());
}

std::uint32_t class_index(const text::TextFile& file,
                          std::string_view label,
                          std::span<const std::string> classes)
{
    const auto found = std::find(classes.begin(), classes.end(), label);
    if (found == classes.end()) {
        const auto alike = std::ranges::find(classes, data::case_folded(label), data::case_folded);
        if (alike != classes.end())
            file.fail("{} is not a label of this task, and {} is: write them alike",
                      text::spelled(label), text::spelled(*alike));
        file.fail("{} is not a label of this task.{} The labels are {}", text::quote(label),
                  base::did_you_mean(label, classes),
                  fmt::join(classes.first(std::min<std::size_t>(classes.size(), 10)), ", "));
    }
    file.count(label);
    return static_cast<std::uint32_t>(found - classes.begin());
}

std::uint32_t numbered_class(const text::TextFile& file, std::string_view text, std::size_t classes)
{
    const int label = file.integer(text, "label");
    if (label < 0 || static_cast<std::size_t>(label) >= classes)
        file.fail("label {} is outside 0 to {}", label, classes - 1);
    file.count(base::strip(text));
    return static_cast<std::uint32_t>(label);
}

double score(const text::TextFile& file, std::string_view text, double lowest, double highest)
{
    const double value = file.number(text, "gold score");
    if (value < lowest || value > highest)
        file.fail("the gold score {} is outside {} to {}", base::strip(text), lowest, highest);
    return value;
}

void each_line_of(std::initializer_list<text::TextFile*> files, const std::function<void()>& read)
{
    for (std::size_t lines = 0;; ++lines) {
        const text::TextFile* ended = nullptr;
        text::TextFile* longer = nullptr;
        for (text::TextFile* file : files)
            if (file->next())
                longer = file;
            else
                ended = file;
        if (longer == nullptr)
            return;
        if (ended != nullptr) {
            std::size_t more = 1;
            while (longer->next())
                ++more;
            throw base::Error("{} has {} lines, but {} has {}: line n of the one belongs to line n "
                              "of the other",
                              longer->name(), lines + more, ended->name(), lines);
        }
        read();
    }
}

} // namespace senteval::tasks
