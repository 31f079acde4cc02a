#include "data/download.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "data/archive.hpp"
#include "data/disguise.hpp"
#include "data/part_file.hpp"
#include "data/sha256.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace senteval::data {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t worth_going_on = std::uint64_t{1} << 20;

/// Sleeps, or throws core::Cancelled as soon as it is asked for.
void pause(std::chrono::milliseconds duration, const std::stop_token& stop)
{
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, stop, duration, [] { return false; });
    if (stop.stop_requested())
        throw core::Cancelled();
}

class Download {
public:
    Download(const Wanted& wanted,
             const fs::path& destination,
             const DownloadPolicy& policy,
             DownloadObserver& observer,
             LostHosts::Host& host)
        : wanted_(wanted), policy_(policy), observer_(observer), host_(host), part_(destination)
    {
        // Without a checksum nobody would notice that the file changed in between.
        if (wanted_.sha256.empty() || (wanted_.bytes != 0 && part_.size() > wanted_.bytes))
            part_.clear();
    }

    std::string run()
    {
        std::chrono::milliseconds wait = policy_.first_pause;
        int attempts = 0;
        for (;;) {
            const std::uint64_t before = part_.size();
            HttpOutcome outcome = attempt();
            if (outcome.end == HttpEnd::unreachable)
                outcome = reach(outcome);
            if (outcome.end == HttpEnd::complete)
                outcome = verify(before > 0);
            if (outcome.end == HttpEnd::complete) {
                part_.commit();
                return "";
            }
            if (outcome.end == HttpEnd::no_resume)
                part_.clear();
            const bool progressed = part_.size() > before + worth_going_on;
            attempts = progressed ? 1 : attempts + 1;
            if (outcome.end == HttpEnd::refused || outcome.end == HttpEnd::unreachable ||
                attempts >= policy_.attempts)
                return give_up(outcome);
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
            throw core::Cancelled();
        return outcome;
    }

    /// Tries again, while other downloads from that host wait for what becomes of it.
    HttpOutcome reach(HttpOutcome outcome)
    {
        const std::scoped_lock lock(host_.mutex);
        if (!host_.problem.empty())
            return {HttpEnd::unreachable, host_.problem};
        std::chrono::milliseconds wait = policy_.first_pause;
        for (int attempts = 1; attempts < policy_.attempts_to_reach; ++attempts, wait *= 2) {
            pause(wait, policy_.stop);
            outcome = attempt();
            if (outcome.end != HttpEnd::unreachable)
                return outcome;
        }
        host_.problem = outcome.problem;
        observer_.finished(wanted_.url, outcome.problem + "; its other files are not tried");
        return outcome;
    }

    /// Looks at what is there now that the server says it is all.
    HttpOutcome verify(bool resumed)
    {
        if (wanted_.bytes != 0 && part_.size() < wanted_.bytes)
            return {HttpEnd::interrupted,
                    fmt::format("it ended after {} of {} bytes", part_.size(), wanted_.bytes)};
        const core::MappedFile file(part_.path());
        if (!wanted_.sha256.empty() && sha256(file.bytes()) != wanted_.sha256)
            // Perhaps the older part was of another version: begin anew, once.
            return {resumed ? HttpEnd::no_resume : HttpEnd::refused,
                    "it has another checksum than it should"};
        return wanted_.sha256.empty() ? look_at(file.bytes()) : HttpOutcome();
    }

    /// What can be said of a file whose checksum nobody knows.
    HttpOutcome look_at(std::string_view bytes)
    {
        if (!wanted_.archive) {
            const auto disguise = disguise_of(bytes);
            return disguise ? HttpOutcome{HttpEnd::refused, fmt::format("it {}", disguise->problem)}
                            : HttpOutcome();
        }
        try {
            check_archive(part_.path());
        } catch (const core::Error& error) {
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
        return outcome.problem;
    }

    const Wanted& wanted_;
    const DownloadPolicy& policy_;
    DownloadObserver& observer_;
    LostHosts::Host& host_;
    PartFile part_;
};

/// "https://example.org:8080" of an address.
std::string host_of(const std::string& url)
{
    const std::size_t scheme = url.find("://");
    const std::size_t begin = scheme == std::string::npos ? 0 : scheme + 3;
    return url.substr(0, std::min(url.find('/', begin), url.size()));
}

bool is_there(const Wanted& wanted, const fs::path& destination)
{
    if (!fs::is_regular_file(destination))
        return false;
    if (wanted.bytes != 0 && fs::file_size(destination) != wanted.bytes)
        return false;
    return wanted.sha256.empty() || sha256_file(destination) == wanted.sha256;
}

} // namespace

LostHosts::Host& LostHosts::of(const std::string& url)
{
    const std::lock_guard lock(mutex_);
    auto& host = hosts_[host_of(url)];
    if (host == nullptr)
        host = std::make_unique<Host>();
    return *host;
}

std::string download(const Wanted& wanted,
                     const fs::path& destination,
                     const DownloadPolicy& policy,
                     DownloadObserver& observer,
                     LostHosts& lost)
{
    if (policy.stop.stop_requested())
        throw core::Cancelled();
    std::string problem;
    LostHosts::Host& host = lost.of(wanted.url);
    if (!is_there(wanted, destination)) {
        if (const std::scoped_lock lock(host.mutex); !host.problem.empty())
            return host.problem;
        problem = Download(wanted, destination, policy, observer, host).run();
        if (const std::scoped_lock lock(host.mutex); !host.problem.empty())
            return problem; // the observer knows
    }
    observer.finished(wanted.url, problem);
    return problem;
}

std::string download(const Wanted& wanted,
                     const fs::path& destination,
                     const DownloadPolicy& policy,
                     DownloadObserver& observer)
{
    LostHosts none;
    return download(wanted, destination, policy, observer, none);
}

} // namespace senteval::data
