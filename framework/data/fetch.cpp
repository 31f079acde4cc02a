#include "data/fetch.hpp"

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "data/inspect.hpp"
#include "data/originals.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace senteval::data {
namespace {

namespace fs = std::filesystem;

struct Job {
    const Dataset* dataset;
    const File* file;
};

std::vector<Job> jobs_of(const FetchRequest& request)
{
    std::vector<Job> jobs;
    for (const Dataset* dataset : request.datasets)
        for (const File& file : dataset->files)
            if (request.wording == Wording::original ||
                !inspect_file(request.data, *dataset, file).empty())
                jobs.push_back({dataset, &file});
    return jobs;
}

bool is_usable(const Recipe& recipe, Wording wording)
{
    return !recipe.prepared || wording == Wording::prepared;
}

/// "https://example.org:8080" of an address.
std::string host_of(const std::string& url)
{
    const std::size_t scheme = url.find("://");
    const std::size_t begin = scheme == std::string::npos ? 0 : scheme + 3;
    return url.substr(0, std::min(url.find('/', begin), url.size()));
}

/// Downloads each URL at most once, whichever originals ask for it and on however many threads.
class Downloads {
public:
    Downloads(const FetchRequest& request, DownloadObserver& observer)
        : request_(request), observer_(observer)
    {
    }

    /// Returns what went wrong, and at which address; empty where the file is there.
    std::string get(const Wanted& wanted, const std::string& mirror_path)
    {
        Entry& entry = entry_for(wanted.url);
        const std::scoped_lock lock(entry.mutex);
        if (!entry.problem) {
            Wanted asked = wanted;
            if (!request_.mirror.empty())
                asked.url = mirror_url(mirror_path);
            entry.problem = lost_problem(asked.url);
            if (entry.problem)
                return *entry.problem;
            bool unreachable = false;
            std::string problem = download(asked, request_.originals / mirror_path, request_.policy,
                                           observer_, &unreachable);
            if (unreachable) { // which is told without the file: the next one has the same
                const std::scoped_lock lost_lock(mutex_);
                lost_.emplace(host_of(asked.url), problem);
            } else if (!problem.empty()) {
                problem = fmt::format("{}: {}", wanted.url, problem);
            }
            entry.problem = std::move(problem);
        }
        return *entry.problem;
    }

private:
    struct Entry {
        std::mutex mutex;
        std::optional<std::string> problem; ///< set once it has been tried
    };

    /// The problem with an unreachable host, which is not asked again.
    std::optional<std::string> lost_problem(const std::string& url)
    {
        const std::scoped_lock lock(mutex_);
        const auto found = lost_.find(host_of(url));
        return found == lost_.end() ? std::nullopt : std::optional(found->second);
    }

    Entry& entry_for(const std::string& url)
    {
        const std::scoped_lock lock(mutex_);
        auto& entry = entries_[url];
        if (entry == nullptr)
            entry = std::make_unique<Entry>();
        return *entry;
    }

    [[nodiscard]] std::string mirror_url(const std::string& mirror_path) const
    {
        const bool slash = request_.mirror.ends_with('/');
        return request_.mirror + (slash ? "" : "/") + mirror_path;
    }

    const FetchRequest& request_;
    DownloadObserver& observer_;
    std::mutex mutex_;
    std::map<std::string, std::string> lost_; ///< problems by host
    std::map<std::string, std::unique_ptr<Entry>> entries_;
};

/// Size and checksum of what lies at the source's URL, as far as they are known.
Wanted wanted_from(const Manifest& manifest, const Original& original, const Source& source)
{
    if (source.member.empty())
        return {source.url, original.bytes, original.sha256, false, original.at_most};
    Wanted wanted{source.url, 0, "", true};
    wanted.at_most = std::max(wanted.at_most, original.most_bytes()); // it is compressed there
    const auto archive = std::ranges::find(manifest.archives, source.url, &Archive::url);
    if (archive != manifest.archives.end()) {
        wanted.bytes = archive->bytes;
        wanted.sha256 = archive->sha256;
    }
    return wanted;
}

/// One original from the first source that has it; otherwise what was wrong with each.
std::string
obtain(const FetchRequest& request, const Job& job, const Original& original, Downloads& downloads)
{
    if (original.sources.empty())
        return fmt::format("'{}' cannot be downloaded by a program; the file belongs at {}",
                           original.name,
                           std::filesystem::absolute(request.data / job.file->path).string());
    std::string problems;
    for (const Source& source : original.sources) {
        const Wanted wanted = wanted_from(*request.manifest, original, source);
        const bool proven = !wanted.sha256.empty() || !original.sha256.empty();
        std::string problem;
        if (source.url.starts_with("http:") && !proven && request.mirror.empty())
            problem = source.url + ": no TLS and no known checksum";
        else
            problem = downloads.get(wanted, source.mirror_path());
        if (problem.empty()) {
            problem = mismatch({request.originals / source.mirror_path(), source.member}, original);
            if (problem.empty())
                return "";
            problem = fmt::format("{}: {}", source.url, problem);
        }
        if (problems.find(problem) == std::string::npos)
            problems += (problems.empty() ? "" : "; ") + problem;
    }
    return problems;
}

std::string obtain_file(const FetchRequest& request, const Job& job, Downloads& downloads)
{
    std::string problems;
    for (const Recipe& recipe : job.file->recipes) {
        if (!is_usable(recipe, request.wording))
            continue;
        std::string missing;
        for (const std::string& name : recipe.from)
            if (missing.empty())
                missing = obtain(request, job, job.dataset->original(name), downloads);
        if (missing.empty())
            return "";
        if (problems.find(missing) == std::string::npos)
            problems += (problems.empty() ? "" : "; ") + missing;
    }
    return problems;
}

} // namespace

std::vector<PlannedDownload> plan_fetch(const FetchRequest& request)
{
    std::vector<PlannedDownload> plan;
    for (const Job& job : jobs_of(request)) {
        PlannedDownload planned{job.dataset->name, job.file->path, {}, 0};
        const auto recipe = std::ranges::find_if(
            job.file->recipes, [&](const Recipe& r) { return is_usable(r, request.wording); });
        if (recipe != job.file->recipes.end())
            for (const std::string& name : recipe->from) {
                const Original& original = job.dataset->original(name);
                planned.bytes += original.bytes;
                if (!original.sources.empty())
                    planned.urls.push_back(original.sources.front().url);
            }
        plan.push_back(std::move(planned));
    }
    return plan;
}

std::vector<FetchFailure> fetch(const FetchRequest& request, DownloadObserver& observer)
{
    const std::vector<Job> jobs = jobs_of(request);
    Downloads downloads(request, observer);
    std::vector<std::string> problems(jobs.size());
    base::parallel_for(jobs.size(), request.jobs, [&](std::size_t i) {
        problems[i] = obtain_file(request, jobs[i], downloads);
    });
    std::vector<FetchFailure> failures;
    for (std::size_t i = 0; i < jobs.size(); ++i)
        if (!problems[i].empty())
            failures.push_back({jobs[i].dataset->name, jobs[i].file->path, problems[i]});
    return failures;
}

bool is_local_mirror(const std::string& mirror, fs::path& folder)
{
    if (mirror.starts_with("http://") || mirror.starts_with("https://"))
        return false;
    constexpr std::string_view scheme = "file://";
    folder = mirror.starts_with(scheme) ? mirror.substr(scheme.size()) : mirror;
    if (!fs::is_directory(folder))
        throw base::UsageError("mirror '{}' is neither a folder nor an http or https address",
                               mirror);
    return true;
}

} // namespace senteval::data
