#include "isolation/investigation.hpp"

#include "core/error.hpp"
#include "encoder/sentences.hpp"
#include "isolation/texts.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace senteval::isolation {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr int most_starts = 20;
constexpr milliseconds least_budget(120'000);

/// How long a part of a batch may take before it counts as the one that hangs: the limit of a call, or
/// a share of a long one.
milliseconds share_of(milliseconds limit)
{
    constexpr milliseconds enough(5000);
    return std::min(limit, std::max(enough, limit / 4));
}

} // namespace

Investigation::Investigation(const Recipe& recipe, std::stop_token stop)
    : recipe_(recipe),
      stop_(std::move(stop)),
      begin_(Clock::now()),
      budget_(std::max(least_budget, 4 * recipe.service.limits.call))
{
    lanes_.push_back(std::make_unique<Lane>());
}

bool Investigation::may_go_on() const
{
    return starts_ < most_starts && Clock::now() - begin_ < budget_;
}

Waiting Investigation::waiting() const
{
    Waiting waiting;
    waiting.stop = stop_;
    waiting.limit = recipe_.service.limits.call;
    return waiting;
}

/// A process in the state that the old one was in. Its log has been seen.
void Investigation::start()
{
    if (process_)
        return;
    ++starts_;
    process_ = std::make_unique<EncoderProcess>(
        recipe_.service, lanes_, is_about_prepare_ ? parts_ : recipe_.samples, LogSink());
    const Channel channel{*process_, *lanes_.front(), 0};
    make(channel, recipe_.order, waiting());
    if (recipe_.prepared != nullptr)
        prepare(channel, *recipe_.prepared, waiting());
    if (recipe_.columns > 0)
        (void)dimension(channel, waiting());
}

void Investigation::perform(const Suspect& suspect, Sentences part, const Waiting& waiting)
{
    const Channel channel{*process_, *lanes_.front(), 0};
    if (suspect.operation == Operation::prepare) {
        const std::size_t used = write_texts(part, parts_);
        prepare(channel, {std::string(suspect.task), part.size(), used}, waiting);
    } else if (suspect.operation == Operation::count_known) {
        (void)count_known(channel, part, waiting);
    } else {
        const auto rows = encode(channel, part, recipe_.columns, waiting);
        if (part.size() == suspect.batch.size())
            std::copy(rows.begin(), rows.end(), suspect.rows);
    }
}

std::optional<Death> Investigation::run(const Suspect& suspect, Sentences part)
{
    start();
    Waiting patient = waiting();
    const bool is_whole = part.size() + 1 >= suspect.batch.size() || part.size() == 1;
    patient.limit = is_whole ? patient.limit : share_of(patient.limit);
    try {
        perform(suspect, part, patient);
    } catch (const ProcessDied& e) {
        process_.reset();
        return e.death();
    }
    return std::nullopt;
}

/// Whether one half of the part kills, too: then that is the part.
bool Investigation::halve(const Suspect& suspect, Sentences& part, Death& death)
{
    for (const Sentences half : {part.first(part.size() / 2), part.subspan(part.size() / 2)})
        if (auto again = run(suspect, half)) {
            death = *std::move(again);
            part = half;
            return true;
        } else {
            some_do_no_harm_ = true;
        }
    return false;
}

/// Whether prepare() survives all the others: one that fails whatever it is shown has no culprit.
bool Investigation::is_alone(const Suspect& suspect, Sentences part)
{
    if (suspect.batch.size() == 1)
        return true;
    std::vector<text::Sentence> others(suspect.batch.begin(), suspect.batch.end());
    others.erase(others.begin() + (part.data() - suspect.batch.data()));
    try {
        return !run(suspect, others);
    } catch (const core::Cancelled&) {
        throw;
    } catch (const std::exception&) { // it fails without them, and kills nobody
        process_.reset();
        return true;
    }
}

std::string Investigation::blame(const Suspect& suspect, Death death)
{
    Sentences part = suspect.batch;
    some_do_no_harm_ = false;
    bool is_smallest = part.size() <= 1;
    try {
        while (!is_smallest && may_go_on())
            is_smallest = !halve(suspect, part, death) || part.size() == 1;
    } catch (const core::Cancelled&) {
        throw;
    } catch (const std::exception&) { // no new process can be had: what is known has to do
        process_.reset();
    }
    std::string how = "its process " + death.text(suspect.operation);
    if (part.empty())
        return how;
    const std::string first = encoder::shown(part.front().text);
    if (part.size() == 1 && suspect.operation == Operation::prepare && !is_alone(suspect, part))
        return some_do_no_harm_
                   ? fmt::format("{}, over {} sentences; others do it, too: the first is {}", how,
                                 suspect.batch.size(), first)
                   : fmt::format(
                         "{}, whatever sentences it is shown: all {}, {} alone, and all but that",
                         how, suspect.batch.size(), first);
    if (part.size() == 1)
        return fmt::format("{}; the sentence that does it: {}", how, first);
    return fmt::format("{}; it takes {} sentences, beginning with {}{}", how, part.size(), first,
                       is_smallest ? "" : " (or fewer: the search was given up)");
}

std::vector<Verdict> Investigation::examine(const Death& death, std::span<const Suspect> suspects)
{
    std::vector<Verdict> verdicts;
    is_about_prepare_ = suspects.front().operation == Operation::prepare;
    for (const Suspect& suspect : suspects) {
        Verdict& verdict = verdicts.emplace_back();
        if (!may_go_on())
            continue;
        try {
            // A call that reached its limit alone needs no second proof.
            if (death.cause == Death::Cause::call_limit && suspects.size() == 1)
                verdict.guilt = blame(suspect, death);
            else if (auto again = run(suspect, suspect.batch))
                verdict.guilt = blame(suspect, *std::move(again));
            else
                verdict.is_done = true;
        } catch (const core::Cancelled&) {
            throw;
        } catch (const std::exception&) { // it fails otherwise now, and kills nobody
            process_.reset();
        }
    }
    return verdicts;
}

} // namespace senteval::isolation
