#include "check/check.hpp"

#include "check/rules.hpp"
#include "check/trial_process.hpp"
#include "check/trials.hpp"
#include "core/error.hpp"

#include <senteval/encoder.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace senteval::check {
namespace {

std::string_view last_part(std::string_view id)
{
    return id.substr(id.rfind('.') + 1);
}

/// What the trials of one encoder say together, rule by rule.
class Summary {
public:
    /// A crash is not counted where the encoder has left a thread behind, which may have caused it.
    void add(const TrialOutcome& outcome)
    {
        broken_.insert(broken_.end(), outcome.broken.begin(), outcome.broken.end());
        tried_.insert(outcome.tried.begin(), outcome.tried.end());
        not_tried_.insert(not_tried_.end(), outcome.not_tried.begin(), outcome.not_tried.end());
        if (outcome.fatal && !outcome.hung && is_broken("5.3"))
            not_tried_.push_back(
                {outcome.fatal->rule, "the process crashed, perhaps on a thread left behind: 5.3"});
        else if (outcome.fatal)
            broken_.push_back(*outcome.fatal);
    }

    void not_tried(const Trial& trial, const std::string& why)
    {
        for (const std::string_view rule : trial.rules)
            not_tried_.push_back({std::string(rule), why});
    }

    void broken(Finding finding) { broken_.push_back(std::move(finding)); }

    [[nodiscard]] bool is_broken(std::string_view rule) const
    {
        return std::ranges::find(broken_, rule, &Finding::rule) != broken_.end();
    }
    [[nodiscard]] bool any_broken() const { return !broken_.empty(); }

    [[nodiscard]] EncoderFindings findings(std::string id, std::string skipped) const
    {
        EncoderFindings findings{std::move(id), std::move(skipped), {}, {}, {}};
        for (const Rule& rule : all_rules()) {
            const auto finding = std::ranges::find(broken_, rule.number, &Finding::rule);
            const auto gap = std::ranges::find(not_tried_, rule.number, &NotTried::rule);
            if (finding != broken_.end())
                findings.broken.push_back(*finding);
            else if (gap != not_tried_.end())
                findings.not_tried.push_back(*gap);
            else if (tried_.contains(rule.number))
                findings.kept.push_back(rule.number);
        }
        return findings;
    }

private:
    std::vector<Finding> broken_;
    std::set<std::string> tried_;
    std::vector<NotTried> not_tried_;
};

class Check {
public:
    Check(std::filesystem::path library, const CheckOptions& options) : options_(options)
    {
        request_.library = std::move(library);
        request_.settings = options.settings;
        constexpr double repetitions = 40;
        request_.enough = options.limit / repetitions;
    }

    LibraryFindings run(std::string_view wanted)
    {
        LibraryFindings all;
        all.library = request_.library.string();
        Summary table;
        const TrialOutcome outcome = run_trial("table", 0);
        table.add(outcome);
        all.encoders.push_back(table.findings("", ""));
        if (!outcome.result || std::ranges::any_of(outcome.broken, [](const Finding& one) {
                return one.rule.starts_with("1.") || one.rule == "8.1";
            })) {
            all.encoders.front().skipped = "the encoders, since the table is broken";
            return all;
        }
        bool found = false;
        std::vector<std::string> names;
        for (const core::Json& encoder : *outcome.result) {
            const auto id = encoder.at("id").get<std::string>();
            names.emplace_back(last_part(id));
            if (!wanted.empty() && wanted != id && wanted != last_part(id))
                continue;
            found = true;
            all.encoders.push_back(check_encoder(id, encoder));
        }
        if (!wanted.empty() && !found)
            throw core::UsageError("'{}' contains no encoder '{}' (it has {})", all.library, wanted,
                                   fmt::join(names, ", "));
        return all;
    }

private:
    [[nodiscard]] Seconds left() const { return options_.limit - (Clock::now() - begin_); }

    TrialOutcome run_trial(std::string_view name, double share)
    {
        request_.trial = name;
        // None takes more than half of the time that is left, but the first, without which there is no other.
        request_.limit = name == "table" ? std::min(left(), Seconds(30))
                         : share == 0    ? left()
                                         : left() / 2;
        return run_in_child(request_, options_.stop, [&](std::string_view shown) {
            if (options_.progress)
                options_.progress(id_, share, shown);
        });
    }

    EncoderFindings check_encoder(const std::string& id, const core::Json& encoder)
    {
        id_ = id;
        begin_ = Clock::now();
        request_.encoder = encoder.at("index").get<std::size_t>();
        request_.sentences = options_.sentences;
        request_.claims = ~std::uint32_t{0};
        if (const auto missing = encoder.at("missing").get<std::string>(); !missing.empty())
            return {id, "it needs " + missing, {}, {}, {}};
        const auto trials = all_trials();
        TrialOutcome start = run_trial(trials.front().name, 0);
        if (const std::string own = own_sentences(); !start.stopped.empty() && !own.empty()) {
            request_.sentences = own;
            start = run_trial(trials.front().name, 0);
        }
        Summary summary;
        summary.add(start);
        if (!start.stopped.empty())
            return summary.findings(id, start.stopped);
        if (summary.any_broken() || start.killed || !start.result || left() <= Seconds(0))
            return summary.findings(id, "the rest, since an ordinary run fails");
        request_.claims = start.result->get<std::uint32_t>();
        bool has_hung = false;
        for (const Trial& trial : trials.subspan(1)) {
            const double share =
                static_cast<double>(&trial - trials.data()) / static_cast<double>(trials.size());
            if (has_hung)
                summary.not_tried(trial, "not tried, since a call did not return");
            else if (left() <= Seconds(0))
                summary.not_tried(trial, "there was no time left, see --limit-seconds");
            else
                has_hung = run(trial, share, summary);
        }
        return summary.findings(id, "");
    }

    /// Whether a call did not return.
    bool run(const Trial& trial, double share, Summary& summary)
    {
        const TrialOutcome outcome = run_trial(trial.name, share);
        summary.add(outcome);
        if (trial.twice && outcome.result && !summary.is_broken(trial.rules.front()))
            compare(trial, *outcome.result, run_trial(trial.name, share).result, summary);
        // What does not hold is not believed by the trials that follow.
        if (summary.is_broken("12.1"))
            request_.claims &= ~std::uint32_t{SENTEVAL_CAP_BATCH_INVARIANT};
        if (summary.is_broken("12.3"))
            request_.claims &= ~std::uint32_t{SENTEVAL_CAP_DETERMINISTIC};
        return outcome.hung;
    }

    /// The file of sentences that the encoder is given as those of its vectors, or nothing.
    [[nodiscard]] std::string own_sentences() const
    {
        static constexpr std::string_view key = "sentences=";
        for (const std::string& one : options_.settings)
            if (one.starts_with(key) && options_.sentences.empty() &&
                std::filesystem::is_regular_file(one.substr(key.size())))
                return one.substr(key.size());
        return {};
    }

    static void compare(const Trial& trial,
                        const core::Json& first,
                        const std::optional<core::Json>& second,
                        Summary& summary)
    {
        for (std::size_t i = 0; second && i < std::min(first.size(), second->size()); ++i)
            if (first[i] != (*second)[i]) {
                summary.broken({std::string(trial.rules.front()), "the same batch in two processes",
                                fmt::format("number {} is {} in place of {}", i + 1,
                                            core::to_text((*second)[i]), core::to_text(first[i]))});
                return;
            }
    }

    const CheckOptions& options_;
    TrialRequest request_;
    std::string id_; ///< of the encoder at hand
    Clock::time_point begin_ = Clock::now();
};

} // namespace

LibraryFindings check_library(const std::filesystem::path& library,
                              std::string_view encoder,
                              const CheckOptions& options)
{
    const auto full = std::filesystem::absolute(library);
    if (!std::filesystem::is_regular_file(full))
        throw core::UsageError("encoder library '{}' does not exist", full.string());
    return Check(full, options).run(encoder);
}

} // namespace senteval::check
