#include "check/check.hpp"

#include "base/error.hpp"
#include "check/trials.hpp"

#include <senteval/encoder.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace senteval::check {
namespace {

std::string_view last_part(std::string_view id)
{
    return id.substr(id.rfind('.') + 1);
}

class Check {
public:
    Check(const std::filesystem::path& library, const CheckOptions& options) : options_(options)
    {
        request_.library = library.string();
        request_.settings = options.settings;
        request_.sentences = options.sentences.empty() ? own_sentences() : options.sentences;
    }

    LibraryFindings run(std::string_view wanted)
    {
        LibraryFindings all{request_.library, {{}}};
        EncoderFindings& table = all.encoders.front();
        request_.is_table = true;
        const TrialOutcome outcome = run_trials(table);
        request_.is_table = false;
        if (!outcome.result || std::ranges::any_of(table.rules, [&](const auto& one) {
                return (one.first.starts_with("1.") || one.first == "8.1") &&
                       table.is_broken(one.first);
            })) {
            table.skipped = "the encoders, since the table is broken";
            return all;
        }
        std::vector<std::string> names;
        for (const base::Json& encoder : *outcome.result) {
            const auto id = encoder.at("id").get<std::string>();
            names.emplace_back(last_part(id));
            if (wanted.empty() || wanted == id || wanted == last_part(id))
                all.encoders.push_back(check_encoder(id, encoder));
            begin_ = Clock::now(); // the first encoder shares its time with the table
        }
        if (!wanted.empty() && all.encoders.size() == 1)
            throw base::UsageError("'{}' contains no encoder '{}' (it has {})", all.library, wanted,
                                   fmt::join(names, ", "));
        return all;
    }

private:
    [[nodiscard]] double time_left() const
    {
        return options_.limit_seconds - Seconds(Clock::now() - begin_).count();
    }

    TrialOutcome run_trials(EncoderFindings& findings)
    {
        request_.limit_seconds = time_left();
        TrialOutcome outcome = run_in_child(request_, options_.stop);
        if (outcome.killed && time_left() > 0) { // by whom? Others do not come twice.
            request_.limit_seconds = time_left();
            outcome = run_in_child(request_, options_.stop);
            if (outcome.killed)
                findings.add(
                    {"6.7", Outcome::broken, "the same once more", outcome.findings.back().detail});
        }
        for (const Finding& one : outcome.findings)
            findings.add(one);
        return outcome;
    }

    EncoderFindings check_encoder(const std::string& id, const base::Json& encoder)
    {
        EncoderFindings findings{id, "", {}};
        request_.encoder = encoder.at("index").get<std::size_t>();
        request_.claims = 0;
        request_.first = 0;
        request_.last = 1;
        if (const auto missing = encoder.at("missing").get<std::string>(); !missing.empty()) {
            findings.skipped = "it needs " + missing;
            return findings;
        }
        if (time_left() <= 0) {
            findings.skipped = no_time;
            return findings;
        }
        const TrialOutcome start = run_trials(findings);
        if (!start.stopped.empty()) {
            findings.skipped = start.stopped;
        } else if (findings.any_broken() || !start.result) {
            findings.skipped = "the rest, since an ordinary run fails";
        } else {
            request_.claims = start.result->at("claims").get<std::uint32_t>();
            request_.hash = start.result->at("hash").get<std::size_t>();
            request_.stated = start.result->at("stated").get<std::size_t>();
            run_others(findings);
        }
        return findings;
    }

    /// The trials after an ordinary run: in one process, as long as nothing is found; what one leaves behind that
    /// breaks a rule does not colour the next.
    void run_others(EncoderFindings& findings)
    {
        const auto trials = all_trials();
        request_.first = 1;
        request_.last = trials.size();
        bool hung = false;
        while (request_.first < trials.size() && !hung && time_left() > 0) {
            const TrialOutcome outcome = run_trials(findings);
            hung = outcome.hung;
            request_.first = std::max(outcome.next, request_.first + 1);
            // The trials that follow do not believe a claim that is broken; rows in another order break it as well.
            if (findings.is_broken("12.1") || findings.is_broken("11.6"))
                request_.claims &= ~std::uint32_t{SENTEVAL_CAP_BATCH_INVARIANT};
            if (findings.is_broken("12.3"))
                request_.claims &= ~std::uint32_t{SENTEVAL_CAP_DETERMINISTIC};
        }
        for (const Trial& trial : trials.subspan(std::min(request_.first, trials.size())))
            for (const std::string_view rule : trial.rules)
                findings.add(
                    {std::string(rule), Outcome::skipped, "",
                     hung ? "not tried, since a call did not return" : std::string(no_time)});
    }

    /// The file of sentences that the encoder is given as those of its vectors, or nothing.
    [[nodiscard]] std::string own_sentences() const
    {
        static constexpr std::string_view key = "sentences=";
        for (const std::string& one : options_.settings)
            if (one.starts_with(key) && std::filesystem::is_regular_file(one.substr(key.size())))
                return one.substr(key.size());
        return {};
    }

    const CheckOptions& options_;
    TrialRequest request_;
    Clock::time_point begin_ = Clock::now();
};

} // namespace

LibraryFindings check_library(const std::filesystem::path& library,
                              std::string_view encoder,
                              const CheckOptions& options)
{
    const auto full = std::filesystem::absolute(library);
    if (!std::filesystem::is_regular_file(full))
        throw base::UsageError("encoder library '{}' does not exist", full.string());
    return Check(full, options).run(encoder);
}

} // namespace senteval::check
