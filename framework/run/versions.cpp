#include "run/versions.hpp"

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/fingerprint.hpp"
#include "encoder/cache.hpp"
#include "results/members.hpp"
#include "run/record.hpp"

#include <fmt/format.h>

#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <map>
#include <thread>
#include <utility>
#include <vector>

namespace senteval::run {
namespace {

/// A few texts, and the vectors that a version had for them: TASK-SHOWN.probe beside its results, as CBOR.
struct Probe {
    std::string declared;    ///< of the encoder, see Identity
    std::string fingerprint; ///< of the version
    std::string since;
    std::string task;
    std::string shown; ///< fingerprint of task and texts, of all where vectors depend on prepare()
    std::vector<std::string> texts;
    std::vector<std::uint32_t> tokens; ///< of each text
    std::vector<unsigned> kinds;       ///< its role, times two, and whether it is verbatim
    std::vector<float> vectors;        ///< one after the other

    [[nodiscard]] std::vector<text::Sentence> sentences() const
    {
        std::vector<text::Sentence> all;
        for (std::size_t at = 0; at < texts.size(); ++at)
            all.push_back(
                {texts[at], tokens.at(at), text::Role(kinds.at(at) / 2), kinds.at(at) % 2 == 1});
        return all;
    }
};

void members(Probe& probe, results::Members& list)
{
    list("declared", probe.declared, "fingerprint", probe.fingerprint, "since", probe.since, "task",
         probe.task, "shown", probe.shown, "texts", probe.texts, "tokens", probe.tokens, "kinds",
         probe.kinds, "vectors", probe.vectors);
}

/// In order of time. A damaged file is none.
std::vector<Probe> probes_of(const results::Store* store, const std::string& declared)
{
    std::vector<Probe> probes;
    for (const auto& path :
         store == nullptr ? std::vector<std::filesystem::path>() : store->probes())
        try {
            Probe probe;
            results::Members::read(base::Json::from_cbor(base::read_file(path)), "", probe);
            if (probe.declared == declared)
                probes.push_back(std::move(probe));
        } catch (const std::exception&) {
            continue;
        }
    std::ranges::stable_sort(probes, {}, &Probe::since);
    return probes;
}

/// Texts without vectors.
Probe probe_for(std::string_view task, std::span<const text::Sentence> samples, bool has_prepare)
{
    constexpr std::ptrdiff_t most = 16; // of each role, which may have an encoder of its own
    Probe probe;
    probe.task = task;
    std::vector<text::Sentence> few;
    for (const text::Sentence& one : samples)
        if (std::ranges::count(few, one.role, &text::Sentence::role) < most &&
            std::ranges::find(few, one) == few.end()) {
            few.push_back(one);
            probe.texts.emplace_back(one.text);
            probe.tokens.push_back(one.tokens);
            probe.kinds.push_back(unsigned(one.role) * 2 + (one.verbatim ? 1 : 0));
        }
    probe.shown = encoder::cache_key({}, true, task, has_prepare ? samples : few);
    return probe;
}

/// The greatest distance of a text's two vectors, relative to the longer one.
double distance(const std::vector<float>& a, const std::vector<float>& b, std::size_t texts)
{
    if (a.size() != b.size() || texts == 0)
        return arma::datum::inf;
    const auto columns = [&](const std::vector<float>& all) {
        return arma::conv_to<arma::mat>::from(arma::fmat(all.data(), all.size() / texts, texts));
    };
    const auto lengths = [](const arma::mat& of) -> arma::mat {
        return arma::sqrt(arma::sum(arma::square(of)));
    };
    const arma::mat apart = lengths(columns(a) - columns(b));
    arma::mat relative = apart / arma::max(lengths(columns(a)), lengths(columns(b)));
    return relative.replace(arma::datum::nan, 0).max(); // of two zero vectors
}

/// Held while an encoder is asked, so that processes that share a store agree on its version. Without effect where the
/// file system has no locks.
base::Descriptor take_turn(const results::Store* store, const std::stop_token& stop)
{
    base::Descriptor folder(
        store == nullptr ? -1 : open(store->folder().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    while (flock(folder.number(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        if (stop.stop_requested())
            throw base::Cancelled();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return folder;
}

/// utc_now() with milliseconds: epochs of a small model take less than a second.
std::string precise_now()
{
    using namespace std::chrono;
    const auto now = system_clock::now().time_since_epoch();
    return utc_now().insert(19,
                            fmt::format(".{:03}", duration_cast<milliseconds>(now).count() % 1000));
}

enum class Likeness { same, near, other };

/// The encoder at hand among its versions.
class Search {
public:
    Search(const Asked& asked, const Version& before, const Probe& own)
        : asked_(asked),
          before_(before),
          own_(own),
          probes_(probes_of(asked.store, before.identity.declared))
    {
        for (const Probe& one : probes_) {
            const auto at = std::ranges::find(versions_, one.fingerprint, &Probe::fingerprint);
            if (at == versions_.end())
                versions_.push_back(&one);
            else if (!can_ask(**at) && can_ask(one))
                *at = &one;
        }
        std::ranges::reverse(versions_);
        std::ranges::stable_partition(versions_, [&](auto* one) { return is_at_work(*one); });
    }

    const std::vector<float>& answer_to(const Probe& probe, bool anew = false)
    {
        const auto [at, is_new] = answers_.try_emplace(probe.shown);
        if (is_new || anew) {
            const auto sentences = probe.sentences();
            if (!asked_.encoder.has_prepare())
                asked_.session.prepare(probe.task, sentences);
            const arma::fmat vectors = asked_.session.ask(sentences);
            at->second.assign(vectors.begin(), vectors.end());
        }
        return at->second;
    }

    /// The one that says the same; nullptr where there is none.
    const Probe* same()
    {
        const Probe* found = nullptr;
        std::pair best(Likeness::other, arma::datum::inf);
        for (const Probe* version : versions_) {
            if (!can_ask(*version) && is_at_work(*version))
                return nullptr; // it goes on, whatever others say
            if (!can_ask(*version))
                continue;
            if (const auto now = compare(*version); now.first < best.first) {
                best = now;
                found = version;
            }
        }
        if (best.first == Likeness::near)
            warn("its vectors differ from those of {} by a relative {:.1e}, as a server's may: "
                 "results are kept",
                 found->since, best.second);
        return found;
    }

    /// One that cannot be asked; nullptr where there is none, and a new one begins.
    const Probe* silent()
    {
        for (const Probe* version : versions_)
            if (!can_ask(*version)) {
                if (!is_at_work(*version))
                    warn("{} joins the results of {} unasked: what it says depends on prepare(), "
                         "and this it was not asked before",
                         own_.task, version->since);
                return version;
            }
        std::error_code unknown;
        if (!versions_.empty())
            warn("its vectors are others than those of {}: it is another encoder now, with results "
                 "of its own",
                 versions_.front()->since);
        else if (asked_.store != nullptr &&
                 std::filesystem::exists(asked_.store->folder_of(before_.identity), unknown))
            warn("results in the store are of an encoder that was not asked what it says: they are "
                 "computed anew, beside those");
        return nullptr;
    }

private:
    template <typename... Args>
    void warn(fmt::format_string<Args...> format, Args&&... args) const
    {
        asked_.warn(before_.identity.label + ": " +
                    fmt::format(format, std::forward<Args>(args)...));
    }
    [[nodiscard]] bool can_ask(const Probe& probe) const
    {
        return !asked_.encoder.has_prepare() || probe.shown == own_.shown;
    }
    /// Whether the run has found before that it is this version.
    [[nodiscard]] bool is_at_work(const Probe& probe) const
    {
        return before_.is_settled && probe.fingerprint == before_.identity.fingerprint;
    }

    /// Up to rounding an encoder is the same; a server also up to what its own two answers differ by.
    std::pair<Likeness, double> compare(const Probe& version)
    {
        constexpr double rounding = 1e-6;
        constexpr double of_servers = 1e-4;
        const std::vector<float> now = answer_to(version);
        const double apart = distance(version.vectors, now, version.texts.size());
        if (apart <= rounding)
            return {Likeness::same, apart};
        if (apart > of_servers || before_.identity.unseen != "server")
            return {Likeness::other, apart};
        const double spread = distance(now, answer_to(version, true), version.texts.size());
        return {apart <= spread ? Likeness::same : Likeness::near, apart};
    }

    const Asked& asked_;
    const Version& before_;
    const Probe& own_;
    const std::vector<Probe> probes_;
    std::vector<const Probe*>
        versions_; ///< the one at work, the latest, ..., each by a probe that can be asked, if any
    std::map<std::string, std::vector<float>> answers_; ///< by what was shown
};

} // namespace

Version latest_version(const results::Store* store, encoder::Identity identity)
{
    if (identity.unseen.empty())
        return {std::move(identity)};
    identity.declared = identity.fingerprint;
    if (const auto probes = probes_of(store, identity.declared); !probes.empty()) {
        identity.fingerprint = probes.back().fingerprint;
        identity.since = probes.back().since;
    }
    return {std::move(identity)};
}

Version settle(const Asked& asked,
               const Version& before,
               std::string_view task,
               std::span<const text::Sentence> samples)
{
    const base::Descriptor turn = take_turn(asked.store, asked.stop);
    Probe own = probe_for(task, samples, asked.encoder.has_prepare());
    own.declared = before.identity.declared;
    Search search(asked, before, own);
    const Probe* version = search.same();
    Version now{before.identity, true, version != nullptr};
    if (!now.is_known) {
        own.vectors = search.answer_to(own);
        const std::string_view bytes(reinterpret_cast<const char*>(own.vectors.data()),
                                     own.vectors.size() * sizeof(float));
        version = search.silent();
        own.since = version != nullptr ? version->since : precise_now();
        own.fingerprint =
            version != nullptr
                ? version->fingerprint
                : base::fingerprint(fmt::format("{} {} {}", own.declared, own.shown, bytes));
        version = &own;
    }
    now.identity.fingerprint = version->fingerprint;
    now.identity.since = version->since;
    asked.session.cache_as(version->fingerprint);
    if (!now.is_known && asked.store != nullptr) {
        const auto bytes = base::Json::to_cbor(results::Members::written(own));
        base::write_file_atomically(asked.store->folder_of(now.identity) /
                                        fmt::format("{}-{}.probe", task, own.shown.substr(0, 12)),
                                    {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    return now;
}

} // namespace senteval::run
