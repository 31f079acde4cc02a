#include "data/download.hpp"

#include "base/descriptor.hpp"
#include "base/disguise.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "data/archive.hpp"
#include "data/sha256.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <utility>

namespace senteval::data {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t worth_going_on = std::uint64_t{1} << 20;

/// Sleeps, or throws base::Cancelled as soon as it is asked for.
void pause(std::chrono::milliseconds duration, const std::stop_token& stop)
{
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop, duration, [] { return false; });
    if (stop.stop_requested())
        throw base::Cancelled();
}

/// "NAME.part" beside the destination: grows by what arrives, survives the process, and belongs to
/// one process at a time.
class PartFile {
public:
    /// Opens or makes it. Throws base::Error, also where another process has it.
    explicit PartFile(fs::path destination)
        : destination_(std::move(destination)),
          path_(destination_.string() + ".part"),
          file_(open_part(destination_))
    {
        if (file_.number() < 0)
            fail(errno);
        if (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0)
            throw base::Error("'{}' is being downloaded by another process", destination_.string());
        struct stat status {};
        if (::fstat(file_.number(), &status) != 0)
            fail(errno);
        size_ = static_cast<std::uint64_t>(status.st_size);
    }

    [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
    [[nodiscard]] const fs::path& path() const noexcept { return path_; }

    void append(std::string_view bytes)
    {
        if (const int problem = base::write_all(file_.number(), bytes); problem != 0)
            fail(problem);
        size_ += bytes.size();
    }

    void clear()
    {
        if (::ftruncate(file_.number(), 0) != 0)
            fail(errno);
        size_ = 0;
    }

    /// Makes it the destination.
    void commit()
    {
        if (::fsync(file_.number()) != 0 || ::rename(path_.c_str(), destination_.c_str()) != 0)
            fail(errno);
    }

    /// Removes a useless file.
    void discard() { ::unlink(path_.c_str()); }

private:
    static int open_part(const fs::path& destination)
    {
        base::create_folders(destination.parent_path());
        return ::open((destination.string() + ".part").c_str(),
                      O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    }

    [[noreturn]] void fail(int code) const
    {
        throw base::Error("cannot write '{}': {}", path_.string(),
                          std::generic_category().message(code));
    }

    fs::path destination_;
    fs::path path_;
    base::Descriptor file_;
    std::uint64_t size_ = 0;
};

class Download {
public:
    Download(const Wanted& wanted,
             const fs::path& destination,
             const DownloadPolicy& policy,
             DownloadObserver& observer)
        : wanted_(wanted), policy_(policy), observer_(observer), part_(destination)
    {
        // A change of the file in between would go unnoticed without a checksum.
        if (wanted_.sha256.empty() || (wanted_.bytes != 0 && part_.size() > wanted_.bytes))
            part_.clear();
    }

    std::string run(bool* unreachable)
    {
        std::chrono::milliseconds wait = policy_.first_pause;
        int attempts = 0;
        for (;;) {
            const std::uint64_t before = part_.size();
            HttpOutcome outcome = attempt();
            if (outcome.end == HttpEnd::complete)
                outcome = verify(before > 0);
            if (outcome.end == HttpEnd::complete) {
                part_.commit();
                observer_.finished(wanted_.url, "");
                return "";
            }
            if (outcome.end == HttpEnd::no_resume)
                part_.clear();
            const bool progressed = part_.size() > before + worth_going_on;
            attempts = progressed ? 1 : attempts + 1;
            const bool is_lost = outcome.end == HttpEnd::unreachable;
            if (outcome.end == HttpEnd::refused ||
                attempts >= (is_lost ? policy_.attempts_to_reach : policy_.attempts)) {
                if (unreachable != nullptr)
                    *unreachable = is_lost;
                return give_up(outcome);
            }
            if (!is_lost)
                observer_.retrying(wanted_.url, outcome.problem);
            pause(wait, policy_.stop);
            wait = progressed ? policy_.first_pause : wait * 2;
        }
    }

private:
    [[nodiscard]] std::uint64_t most() const
    {
        return wanted_.bytes != 0 ? wanted_.bytes : wanted_.at_most;
    }

    HttpOutcome attempt()
    {
        bool too_long = false;
        HttpCallbacks callbacks;
        callbacks.write = [&](std::string_view bytes) {
            too_long = part_.size() + bytes.size() > most();
            if (!too_long)
                part_.append(bytes);
            return !too_long;
        };
        callbacks.progress = [&](std::uint64_t total) {
            observer_.received(wanted_.url, part_.size(),
                               wanted_.bytes != 0 ? wanted_.bytes : total);
            return !policy_.stop.stop_requested();
        };
        const bool resumed = part_.size() > 0;
        if (resumed && part_.size() == wanted_.bytes)
            return {}; // an earlier process was stopped before it could look at it
        HttpOutcome outcome = http_get(wanted_.url, part_.size(), policy_.limits, callbacks);
        if (too_long)
            return {resumed ? HttpEnd::no_resume : HttpEnd::refused,
                    fmt::format("it is longer than the {} bytes it {} have", most(),
                                wanted_.bytes != 0 ? "should" : "may")};
        if (outcome.end == HttpEnd::cancelled)
            throw base::Cancelled();
        return outcome;
    }

    /// Looks at what is there now that the server says it is all.
    HttpOutcome verify(bool resumed)
    {
        if (wanted_.bytes != 0 && part_.size() < wanted_.bytes)
            return {HttpEnd::interrupted,
                    fmt::format("it ended after {} of {} bytes", part_.size(), wanted_.bytes)};
        const base::MappedFile file(part_.path());
        if (!wanted_.sha256.empty() && sha256(file.bytes()) != wanted_.sha256)
            // Perhaps the older part was of another version: begin anew, once.
            return {resumed ? HttpEnd::no_resume : HttpEnd::refused, "its checksum is wrong"};
        return wanted_.sha256.empty() ? look_at(file.bytes()) : HttpOutcome();
    }

    /// Judges a file without a known checksum.
    HttpOutcome look_at(std::string_view bytes)
    {
        if (!wanted_.archive) {
            const auto disguise = base::disguise_of(bytes, base::Wanted::anything);
            return disguise ? HttpOutcome{HttpEnd::refused, fmt::format("it {}", disguise->problem)}
                            : HttpOutcome();
        }
        try {
            check_archive(part_.path());
        } catch (const base::Error& error) {
            return {HttpEnd::refused, error.what()};
        }
        return {};
    }

    std::string give_up(const HttpOutcome& outcome)
    {
        // A part is worth keeping only where going on with it may help.
        const bool may_go_on =
            outcome.end == HttpEnd::interrupted || outcome.end == HttpEnd::unreachable;
        if (!may_go_on || part_.size() == 0)
            part_.discard();
        observer_.finished(wanted_.url, outcome.problem);
        return outcome.problem;
    }

    const Wanted& wanted_;
    const DownloadPolicy& policy_;
    DownloadObserver& observer_;
    PartFile part_;
};

bool is_there(const Wanted& wanted, const fs::path& destination)
{
    if (!fs::is_regular_file(destination))
        return false;
    if (wanted.bytes != 0 && fs::file_size(destination) != wanted.bytes)
        return false;
    return wanted.sha256.empty() || sha256_file(destination) == wanted.sha256;
}

} // namespace

std::string download(const Wanted& wanted,
                     const fs::path& destination,
                     const DownloadPolicy& policy,
                     DownloadObserver& observer,
                     bool* unreachable)
{
    if (policy.stop.stop_requested())
        throw base::Cancelled();
    if (is_there(wanted, destination)) {
        observer.finished(wanted.url, "");
        return "";
    }
    return Download(wanted, destination, policy, observer).run(unreachable);
}

} // namespace senteval::data
