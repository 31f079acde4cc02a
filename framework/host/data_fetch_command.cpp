// senteval data fetch and prepare.
#include "base/byte_text.hpp"
#include "base/counted.hpp"
#include "base/files.hpp"
#include "base/parallel.hpp"
#include "data/fetch.hpp"
#include "data/manifest.hpp"
#include "data/prepare.hpp"
#include "host/data_command.hpp"
#include "host/mteb_data.hpp"
#include "host/output.hpp"
#include "host/progress.hpp"
#include "tasks/custom/mteb_catalogue.hpp"

#include <CLI/App.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;
using data::Dataset;

struct FetchOptions : DataOptions {
    std::string from;
    std::string mirror;
    unsigned jobs = 4;
    bool raw = false;
    bool dry_run = false;
    MtebFetch mteb;

    [[nodiscard]] data::Wording wording() const
    {
        return raw ? data::Wording::original : data::Wording::prepared;
    }
};

std::string size_text(std::uint64_t bytes)
{
    return base::byte_text(static_cast<double>(bytes));
}

/// Prints one line for each file with a problem. `told`: files that are known to be missing.
int prepare(const FetchOptions& options,
            const fs::path& from,
            const std::set<std::string>& told = {})
{
    data::PrepareRequest request;
    request.datasets = selected(options);
    request.from = from;
    request.to = options.dir;
    request.wording = options.wording();
    request.threads = base::available_threads();
    bool is_failed = false;
    std::size_t good = 0;
    std::size_t missing = 0; // that nobody asked for by name
    for (const data::Prepared& file : data::prepare(request))
        switch (file.outcome) {
        case data::Outcome::present:
        case data::Outcome::written:
            ++good;
            break;
        case data::Outcome::unusual:
            emit("{}: warning: {}\n", file.path, file.detail);
            break;
        case data::Outcome::missing:
            if (told.contains(file.path))
                break;
            if (options.names.empty()) {
                ++missing;
                break;
            }
            is_failed = true;
            emit("{}: missing: {}\n", file.path, file.detail);
            break;
        case data::Outcome::refused:
            is_failed = true;
            emit("{}: REFUSED: {}\n", file.path, file.detail);
            break;
        }
    if (missing > 0)
        emit("no originals in '{}' for {}\n", from.string(), base::counted(missing, "file"));
    emit("{} {} right in '{}'\n", base::counted(good, "file"), good == 1 ? "is" : "are",
         options.dir);
    return is_failed ? exit_failed : 0;
}

int show_plan(const data::FetchRequest& request)
{
    for (const data::PlannedDownload& download : data::plan_fetch(request))
        emit("{}: {}{}\n", download.file,
             download.urls.empty() ? "no source a program can use"
                                   : fmt::format("{}", fmt::join(download.urls, " ")),
             download.bytes == 0 ? "" : fmt::format(" ({})", size_text(download.bytes)));
    return 0;
}

void print_notes(const std::vector<const Dataset*>& datasets)
{
    for (const Dataset* dataset : datasets)
        note("{}: licence: {}{}{}\n", dataset->name, dataset->licence,
             dataset->note.empty() ? "" : ". ", dataset->note);
}

/// Files that are missing for the same reason share a line. Returns all of them.
std::set<std::string> tell_failures(const std::vector<data::FetchFailure>& failures)
{
    std::map<std::string, std::vector<std::string>> by_problem;
    std::set<std::string> files;
    for (const data::FetchFailure& failure : failures) {
        by_problem[failure.problem].push_back(failure.file);
        files.insert(failure.file);
    }
    for (const auto& [problem, alike] : by_problem)
        note("{}{}: cannot be fetched: {}\n", alike.front(),
             alike.size() == 1 ? "" : " and " + base::counted(alike.size() - 1, "other file"),
             problem);
    return files;
}

/// Writes to standard error: a bar with the time left on a terminal, and a line per finished download.
/// Called from many threads.
class DownloadProgress final : public data::DownloadObserver {
public:
    void received(const std::string& url, std::uint64_t received, std::uint64_t total) override
    {
        const std::scoped_lock lock(mutex_);
        downloads_[url] = {received, std::max(received, total)};
        if (!bar_.is_due())
            return;
        Download all;
        for (const auto& [of, download] : downloads_) {
            all.received += download.received;
            all.total += download.total;
        }
        const double share = static_cast<double>(all.received) /
                             static_cast<double>(std::max<std::uint64_t>(all.total, 1));
        bar_.draw(
            share,
            fmt::format("{} of {}, {} done", size_text(all.received), size_text(all.total), done_),
            share > 0 ? bar_.elapsed() * (1 - share) / share : 0);
    }

    void retrying(const std::string& url, const std::string& problem) override
    {
        const std::scoped_lock lock(mutex_);
        bar_.line(fmt::format("{}: {}; trying again", url, problem));
    }

    void finished(const std::string& url, const std::string& problem) override
    {
        const std::scoped_lock lock(mutex_);
        ++done_;
        const std::uint64_t bytes = downloads_[url].received;
        downloads_[url].total = bytes;
        if (!problem.empty() || bytes > 0)
            bar_.line(fmt::format("{}: {}", url, problem.empty() ? size_text(bytes) : problem));
    }

private:
    struct Download {
        std::uint64_t received = 0;
        std::uint64_t total = 0;
    };

    std::mutex mutex_;
    std::map<std::string, Download> downloads_;
    std::size_t done_ = 0;
    ProgressBar bar_;
};

int fetch(const FetchOptions& options, const std::stop_token& stop)
{
    fs::path mirror;
    const bool local = !options.mirror.empty() && data::is_local_mirror(options.mirror, mirror);
    data::FetchRequest request;
    request.manifest = &data::builtin_manifest();
    request.datasets = selected(options);
    request.data = options.dir;
    request.originals = fs::path(options.dir) / "originals";
    request.mirror = options.mirror;
    request.wording = options.wording();
    request.jobs = options.jobs;
    request.policy.stop = stop;
    if (options.dry_run)
        return show_plan(request);
    print_notes(request.datasets);
    if (local)
        return prepare(options, mirror);

    base::create_folders(request.originals);
    std::vector<data::FetchFailure> failures;
    {
        DownloadProgress progress;
        failures = data::fetch(request, progress);
    }
    const int prepared = prepare(options, request.originals, tell_failures(failures));
    return failures.empty() ? prepared : exit_failed;
}

void add_raw(CLI::App& command, FetchOptions& options)
{
    command.add_flag("--raw", options.raw,
                     "Keep the authors' text: no tokens split, no case changed");
}

} // namespace

void add_data_fetch_commands(CLI::App& data, const std::stop_token& stop, int& exit_code)
{
    const auto options = std::make_shared<FetchOptions>();
    CLI::App* fetcher = data.add_subcommand("fetch", "Download datasets and prepare them");
    add_names(*fetcher, *options, true);
    add_dir(*fetcher, *options);
    fetcher
        ->add_option("--mirror", options->mirror,
                     "Take everything from here: a folder, file:// or http(s):// base of host/path")
        ->type_name("PLACE");
    fetcher->add_option("--jobs", options->jobs, "Downloads at a time")
        ->check(CLI::Range(1, 32))
        ->capture_default_str();
    fetcher->add_flag("--dry-run", options->dry_run, "Only say what would be downloaded");
    add_raw(*fetcher, *options);
    const auto add_mteb = [&](const char* name, std::string& value, const char* what,
                              const char* type) {
        fetcher->add_option(name, value, what)->type_name(type);
    };
    add_mteb("--subsets", options->mteb.subsets, "Of mteb:NAME only these, such as en,de", "LIST");
    add_mteb("--splits", options->mteb.splits, "Of mteb:NAME only these, such as test", "LIST");
    add_mteb(
        "--python", options->mteb.python,
        "Python that has the package mteb, for mteb:NAME (default: that of the active environment)",
        "PROGRAM");
    fetcher->callback([options, stop, &exit_code] {
        for (std::string& name : options->names)
            if (is_python_file(name) && !name.starts_with(tasks::mteb_prefix))
                name.insert(0, tasks::mteb_prefix);
        options->mteb.names = take_mteb_names(options->names);
        require_dir(*options);
        options->mteb.data = options->dir;
        options->mteb.dry_run = options->dry_run;
        const bool has_others = options->mteb.names.empty() || !options->names.empty();
        const int others = has_others ? fetch(*options, stop) : 0;
        exit_code = options->mteb.names.empty()
                        ? others
                        : std::max(others, fetch_mteb_tasks(options->mteb, stop));
    });

    CLI::App* preparer =
        data.add_subcommand("prepare", "Make the datasets from downloaded originals");
    add_names(*preparer, *options, false);
    add_dir(*preparer, *options);
    preparer->add_option("--from", options->from, "The folder with the originals")
        ->type_name("DIR")
        ->required();
    add_raw(*preparer, *options);
    preparer->callback([options, &exit_code] {
        require_dir(*options);
        exit_code = prepare(*options, options->from);
    });
}

} // namespace senteval::host
