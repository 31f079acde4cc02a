#include "check/check.hpp"

#include "check/child.hpp"
#include "check/rules.hpp"
#include "check/trials.hpp"
#include "core/error.hpp"

#include <senteval/encoder.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>

namespace senteval::check {
namespace {

std::string_view last_part(std::string_view id)
{
    return id.substr(id.rfind('.') + 1);
}

/// What the trials of one encoder say together, rule by rule.
class Summary {
public:
    /// What came of a trial whose last part looks at these rules.
    void add(const TrialOutcome& outcome, std::span<const std::string_view> rules = {})
    {
        for (const Finding& one : outcome.broken)
            if (!is_broken(one.rule))
                broken_.push_back(one);
        tried_.insert(outcome.tried.begin(), outcome.tried.end());
        not_tried_.insert(not_tried_.end(), outcome.not_tried.begin(), outcome.not_tried.end());
        if (outcome.stray) {
            strays_.push_back(*outcome.stray);
            stray_rules_.insert(outcome.stray->rule);
            stray_rules_.insert(rules.begin(), rules.end());
        }
    }

    /// These parts were not even begun.
    void out_of_time(const Trial& trial, std::size_t part, Seconds limit)
    {
        for (; part < trial.parts.size(); ++part)
            for (const std::string_view rule : trial.parts[part].rules)
                not_tried_.push_back({std::string(rule), too_slow(limit)});
    }

    void broken(Finding finding) { broken_.push_back(std::move(finding)); }

    [[nodiscard]] bool is_broken(std::string_view rule) const
    {
        return std::ranges::any_of(broken_, [&](const Finding& one) { return one.rule == rule; });
    }
    [[nodiscard]] bool any_broken() const { return !broken_.empty(); }

    [[nodiscard]] EncoderFindings findings(std::string id, std::string skipped)
    {
        blame_strays();
        EncoderFindings findings{std::move(id), std::move(skipped), {}, {}, {}};
        for (const Rule& rule : all_rules()) {
            const auto of_rule = [&](const auto& one) { return one.rule == rule.number; };
            const auto finding = std::ranges::find_if(broken_, of_rule);
            const auto gap = std::ranges::find_if(not_tried_, of_rule);
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
    /// Where the encoder leaves threads behind, one of them crashed, and no other rule is broken by it.
    void blame_strays()
    {
        const bool left_behind = is_broken("5.3");
        for (Finding& one : strays_)
            if (!left_behind && !is_broken(one.rule))
                broken_.push_back(std::move(one));
        if (left_behind)
            for (const std::string& rule : stray_rules_)
                not_tried_.push_back(
                    {rule, "a thread that was left behind crashed meanwhile, see 5.3"});
        strays_.clear();
        stray_rules_.clear();
    }

    std::vector<Finding> broken_;
    std::vector<Finding> strays_;
    std::set<std::string> stray_rules_;
    std::set<std::string> tried_;
    std::vector<NotTried> not_tried_;
};

class Check {
public:
    Check(std::filesystem::path library, const CheckOptions& options) : options_(options)
    {
        request_.library = std::move(library);
        request_.settings = options.settings;
        request_.limit = options.limit;
    }

    LibraryFindings run(std::string_view wanted)
    {
        LibraryFindings all;
        all.library = request_.library.string();
        Summary table;
        const TrialOutcome outcome = trial("table");
        table.add(outcome);
        all.encoders.push_back(table.findings("", ""));
        const bool unusable = std::ranges::any_of(outcome.broken, [](const Finding& one) {
            return one.rule.starts_with("1.") || one.rule == "8.1";
        });
        if (unusable) {
            all.encoders.front().skipped = "the encoders, since the table is broken";
            return all;
        }
        bool found = false;
        std::vector<std::string> names;
        for (const core::Json& encoder : outcome.result.value_or(core::Json::array())) {
            const auto id = encoder.at("id").get<std::string>();
            names.emplace_back(last_part(id));
            if (!wanted.empty() && wanted != id && wanted != last_part(id))
                continue;
            found = true;
            all.encoders.push_back(check_encoder(id, encoder));
        }
        if (!wanted.empty() && !found && outcome.result)
            throw core::UsageError("'{}' contains no encoder '{}' (it has {})", all.library, wanted,
                                   fmt::join(names, ", "));
        return all;
    }

private:
    TrialOutcome trial(std::string_view name, std::size_t part = 0)
    {
        request_.trial = name;
        request_.part = part;
        TrialOutcome outcome = supervise(request_, options_.stop, listener());
        request_.spent += outcome.spent;
        if (outcome.claims) {
            request_.claims = outcome.claims;
            request_.is_slow = outcome.is_slow;
        }
        return outcome;
    }

    /// Each part is as much of the whole as every other.
    [[nodiscard]] TrialListener listener() const
    {
        if (!options_.progress || id_.empty())
            return {};
        std::size_t before = 0;
        std::size_t all = 0;
        for (const Trial& one : all_trials()) {
            if (one.name == request_.trial)
                before = all;
            all += one.parts.size();
        }
        return [this, before, all](std::size_t part, std::string_view shown) {
            options_.progress(id_, static_cast<double>(before + part) / static_cast<double>(all),
                              shown);
        };
    }

    TrialOutcome again(std::string_view name)
    {
        request_.again = true;
        TrialOutcome second = trial(name);
        request_.again = false;
        return second;
    }

    /// All parts: what comes after one that crashed begins in another process.
    std::optional<TrialOutcome> run(const Trial& trial, Summary& summary)
    {
        for (std::size_t part = 0; part < trial.parts.size();) {
            if (request_.spent >= request_.limit) {
                summary.out_of_time(trial, part, request_.limit);
                return std::nullopt;
            }
            TrialOutcome outcome = this->trial(trial.name, part);
            summary.add(outcome, trial.parts[outcome.part].rules);
            if (!outcome.crashed || !outcome.stopped.empty())
                return outcome;
            part = std::max(part, outcome.part) + 1;
        }
        return std::nullopt;
    }

    EncoderFindings check_encoder(const std::string& id, const core::Json& encoder)
    {
        id_ = id;
        request_.encoder = encoder.at("index").get<std::size_t>();
        request_.sentences = options_.sentences;
        request_.spent = Seconds(0);
        request_.claims.reset();
        const auto missing = encoder.at("missing").get<std::string>();
        if (!missing.empty())
            return {id, "it needs " + missing, {}, {}, {}};
        if (const std::string own = own_sentences();
            request_.sentences.empty() && !own.empty() &&
            !trial(all_trials().front().name).stopped.empty())
            request_.sentences = own;
        Summary summary;
        request_.untrue = 0;
        for (const Trial& one : all_trials()) {
            const auto outcome = run(one, summary);
            if (one.twice && outcome && outcome->result)
                compare(one, *outcome, again(one.name), summary);
            if (summary.is_broken("12.1"))
                request_.untrue |= SENTEVAL_CAP_BATCH_INVARIANT;
            if (summary.is_broken("12.3"))
                request_.untrue |= SENTEVAL_CAP_DETERMINISTIC;
            if (outcome && !outcome->stopped.empty())
                return summary.findings(id, outcome->stopped);
            // What crashed on a thread of the encoder's need not crash again.
            const bool is_first = &one == &all_trials().front();
            if (is_first && (summary.any_broken() || (!outcome && !run(one, summary))))
                return summary.findings(id, "the rest, since an ordinary run fails");
        }
        return summary.findings(id, "");
    }

    /// The file of sentences that the encoder is given as those of its vectors, or nothing.
    [[nodiscard]] std::string own_sentences() const
    {
        static constexpr std::string_view key = "sentences=";
        const auto setting = std::ranges::find_if(
            options_.settings, [](const std::string& one) { return one.starts_with(key); });
        if (setting == options_.settings.end())
            return {};
        std::string file = setting->substr(key.size());
        return std::filesystem::is_regular_file(file) ? file : std::string();
    }

    static void compare(const Trial& trial,
                        const TrialOutcome& first,
                        const TrialOutcome& second,
                        Summary& summary)
    {
        summary.add(second);
        if (!second.result || summary.any_broken() || *first.result == *second.result)
            return;
        for (std::size_t i = 0; i < std::min(first.result->size(), second.result->size()); ++i)
            if ((*first.result)[i] != (*second.result)[i]) {
                summary.broken({std::string(trial.parts.back().rules.back()),
                                "the same batch in two processes",
                                fmt::format("number {} is {} in place of {}", i + 1,
                                            core::to_text((*second.result)[i]),
                                            core::to_text((*first.result)[i]))});
                return;
            }
    }

    const CheckOptions& options_;
    TrialRequest request_;
    std::string id_; ///< of the encoder at hand
};

} // namespace

std::vector<std::string> encoders_of(const std::filesystem::path& library)
{
    TrialRequest request;
    request.library = std::filesystem::absolute(library);
    request.trial = "table";
    std::vector<std::string> ids;
    for (const core::Json& encoder : supervise(request, {}).result.value_or(core::Json::array()))
        ids.push_back(encoder.at("id").get<std::string>());
    return ids;
}

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
