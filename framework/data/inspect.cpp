#include "data/inspect.hpp"

#include "base/counted.hpp"
#include "base/disguise.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/lines.hpp"
#include "base/system_error.hpp"
#include "base/unicode.hpp"
#include "data/sha256.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace senteval::data {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Collects what is found about one file.
class Examination {
public:
    Examination(const Dataset& dataset, const File& file) : dataset_(dataset), file_(file) {}

    /// Adds a finding; the default advice is to fetch the file again.
    void add(Severity severity, std::string problem, std::string meaning, std::string advice = {})
    {
        if (advice.empty())
            advice = fmt::format("Run: senteval data fetch {}", dataset_.name);
        findings_.push_back({severity, dataset_.name, file_.path, std::move(problem),
                             std::move(meaning), std::move(advice)});
    }

    [[nodiscard]] const File& file() const noexcept { return file_; }
    [[nodiscard]] bool clean() const noexcept { return findings_.empty(); }
    [[nodiscard]] std::vector<Finding> take() { return std::move(findings_); }

private:
    const Dataset& dataset_;
    const File& file_;
    std::vector<Finding> findings_;
};

/// Whether the text is that of the checksum, for a reader: the mark at the start and the kind of line ends may differ.
bool is_text_of(std::string_view bytes, std::string_view checksum)
{
    std::string with_newlines;
    std::string with_returns;
    base::for_each_line(base::without_mark(bytes), [&](std::string_view line) {
        with_newlines.append(base::without_return(line)).append("\n");
        with_returns.append(base::without_return(line)).append("\r\n");
    });
    return std::ranges::any_of(std::array{&with_newlines, &with_returns}, [&](const auto* text) {
        return sha256(*text) == checksum ||
               sha256(std::string(byte_order_mark) + *text) == checksum;
    });
}

void check_encoding(std::string_view bytes, Examination& report)
{
    if (report.file().encoding != Encoding::utf8)
        return;
    if (const auto bad = base::find_invalid_utf8(bytes); bad != std::string_view::npos) {
        const auto before = bytes.substr(0, bad);
        const auto line = 1 + std::ranges::count(before, '\n');
        report.add(Severity::error, fmt::format("is not UTF-8 in line {}", line),
                   "it was probably saved as Latin-1, and accented words are lost",
                   "Convert it with: iconv -f latin1 -t utf-8, or prepare the file again");
    }
}

/// Whether a file is the rest of a training set that broke: the SUBJ of 20 lines that scored above 99.
bool is_crumb(std::uint64_t lines, const File& file)
{
    constexpr std::uint64_t large = 1000;
    constexpr std::uint64_t share = 100;
    return file.lines >= large && lines * share < file.lines;
}

void check_lines(const text::Counts& count, Examination& report)
{
    const File& file = report.file();
    if (count.lines < file.least_lines)
        report.add(Severity::mismatch,
                   fmt::format("has {} in place of more than {}",
                               base::counted(count.lines, "line"), file.least_lines),
                   "it is cut short, a sample or a substitute");
    if (file.lines == 0 || count.lines == file.lines)
        return;
    constexpr std::uint64_t sst2_sentences = 6920;
    constexpr std::uint64_t sst2_phrases = 67349;
    const std::string problem =
        fmt::format("has {} in place of {}", base::counted(count.lines, "line"), file.lines);
    if (file.lines == sst2_phrases && count.lines == sst2_sentences)
        report.add(Severity::error, problem,
                   "this is the sentence-level training set; the published scores are "
                   "of the phrase-level one");
    else if (is_crumb(count.lines, file))
        report.add(Severity::error, problem,
                   "a download or a conversion broke off: scores on it say nothing");
    else if (count.lines < file.lines)
        report.add(Severity::mismatch, problem, "it is cut short, a sample or a substitute");
    else
        report.add(Severity::mismatch, problem,
                   "it is another set, or blank lines or headers were added");
}

/// The reader has refused labels that cannot be: here are those that can, too often or too seldom.
void check_labels(const text::Counts& count, Examination& report)
{
    const File& file = report.file();
    if (file.labels.empty() || count.labels.empty() || count.lines != file.lines)
        return;
    for (const auto& [label, expected] : file.labels) {
        const auto found = count.labels.find(label);
        const std::uint64_t times = found == count.labels.end() ? 0 : found->second;
        if (times != expected)
            report.add(Severity::mismatch,
                       fmt::format("has label '{}' {} in place of {}", label,
                                   base::counted(times, "time"), expected),
                       "the labels are not the published ones");
    }
}

std::uint64_t count_lines(std::string_view bytes)
{
    std::uint64_t lines = 0;
    base::for_each_line(bytes, [&](std::string_view) { ++lines; });
    return lines;
}

void check_alignment(const fs::path& root, std::uint64_t lines, Examination& report)
{
    const std::string& partner = report.file().aligned_with;
    if (partner.empty() || !fs::is_regular_file(root / partner))
        return;
    if (const auto others = count_lines(base::MappedFile(root / partner).bytes()); others != lines)
        report.add(
            Severity::error,
            fmt::format("has {} and '{}' has {}", base::counted(lines, "line"), partner, others),
            "sentences and labels are shifted against each other");
}

/// Files of which no lines are known, vectors above all, are too large to read for nothing.
bool has_facts(const File& file)
{
    return file.lines != 0 || file.least_lines != 0 || !file.aligned_with.empty();
}

bool is_published(std::string_view bytes, const File& file)
{
    if (file.sha256.empty())
        return false;
    const bool right_size = file.bytes == 0 || file.bytes == bytes.size();
    return (right_size && sha256(bytes) == file.sha256) || is_text_of(bytes, file.sha256);
}

void examine(std::string_view bytes,
             const fs::path& root,
             const text::Counts* read,
             Examination& report)
{
    const File& file = report.file();
    if (const auto disguise = base::disguise_of(bytes, base::Wanted::anything)) {
        report.add(Severity::error, std::string(disguise->problem), std::string(disguise->meaning),
                   disguise->advice);
        return;
    }
    if (is_published(bytes, file))
        return;
    if (has_facts(file)) {
        check_encoding(bytes, report);
        const text::Counts count = read != nullptr ? *read : text::Counts{count_lines(bytes), {}};
        check_lines(count, report);
        check_labels(count, report);
        check_alignment(root, count.lines, report);
    }
    if (report.clean() && !file.sha256.empty())
        report.add(Severity::warning, "has not the published bytes",
                   "scores need not compare with published ones");
}

} // namespace

std::string Finding::text() const
{
    return fmt::format("{} {}: {}. {}", path, problem, meaning, advice);
}

std::vector<Finding> inspect_file(const fs::path& root,
                                  const Dataset& dataset,
                                  const File& file,
                                  const fs::path& actual,
                                  const text::Counts* read)
{
    Examination report(dataset, file);
    if (!fs::exists(actual)) {
        report.add(Severity::error, "is missing", "the dataset is not complete");
        return report.take();
    }
    try {
        examine(base::MappedFile(actual).bytes(), root, read, report);
    } catch (const base::SystemError& error) {
        report.add(Severity::error, "cannot be read", error.what(),
                   "Nothing is known of the data itself");
    } catch (const base::Error& error) {
        report.add(Severity::error, "cannot be read", error.what(), "Check what it is");
    }
    return report.take();
}

std::vector<Finding> inspect_file(const fs::path& root, const Dataset& dataset, const File& file)
{
    return inspect_file(root, dataset, file, root / file.path);
}

std::vector<Finding> inspect_dataset(const fs::path& root,
                                     const Dataset& dataset,
                                     const Contents& read,
                                     std::size_t empty_sentences)
{
    std::vector<Finding> findings;
    for (const File& file : dataset.files) {
        const auto counted = read.find(file.path);
        for (Finding& finding : inspect_file(root, dataset, file, root / file.path,
                                             counted == read.end() ? nullptr : &counted->second))
            findings.push_back(std::move(finding));
    }
    const bool is_known =
        findings.empty() &&
        std::ranges::none_of(dataset.files, [](const File& file) { return file.sha256.empty(); });
    if (empty_sentences > dataset.empty && !is_known)
        findings.push_back(
            {findings.empty() ? Severity::warning : Severity::error, dataset.name, dataset.name,
             fmt::format("has {} that are empty or undecodable",
                         base::counted(empty_sentences, "sentence")),
             "words were lost", fmt::format("Run: senteval data fetch {}", dataset.name)});
    return findings;
}

std::string_view name(Severity severity)
{
    switch (severity) {
    case Severity::warning:
        return "warning";
    case Severity::mismatch:
        return "mismatch";
    case Severity::error:
        return "error";
    }
    return "error";
}

bool has_errors(const std::vector<Finding>& findings)
{
    return std::ranges::any_of(findings,
                               [](const Finding& f) { return f.severity != Severity::warning; });
}

bool is_broken(const std::vector<Finding>& findings)
{
    return std::ranges::any_of(findings,
                               [](const Finding& f) { return f.severity == Severity::error; });
}

} // namespace senteval::data
