#include "host/progress.hpp"

#include "host/warning_kind.hpp"
#include "run/cost.hpp"
#include "run/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace senteval::host {
namespace {

using core::Json;

CellTime time_of(const Json& document)
{
    const Json& seconds = document.at("run").at("seconds");
    const auto phase = [&](const char* name) { return seconds.value(name, 0.0); };
    return {phase("load"), phase("prepare"), phase("embed"), phase("fit") + phase("score")};
}

std::size_t count_cells(const std::vector<UnitSize>& units)
{
    std::size_t cells = 0;
    for (const UnitSize& unit : units)
        cells += unit.fits.size();
    return cells;
}

} // namespace

std::string Varying::text(const Json& document) const
{
    const Json& settings = document.at("protocol").at("settings");
    std::string text;
    if (seeds && settings.contains("seed"))
        text += fmt::format(", seed {}", settings.at("seed").get<std::uint32_t>());
    if (halves && settings.contains("resample"))
        text += fmt::format(", half {} of the training part",
                            settings.at("resample").get<std::uint32_t>());
    if (classifiers && settings.contains("classifier"))
        text += ", " + settings.at("classifier").at("classifier").get<std::string>();
    if (normalisations && settings.contains("normalise") && settings.at("normalise").is_string())
        text += ", " + settings.at("normalise").get<std::string>();
    if (projections && settings.contains("projection"))
        text +=
            fmt::format(", @{} {}", settings.at("projection").at("dimension").get<std::size_t>(),
                        settings.at("projection").at("kind").get<std::string>());
    return text;
}

Varying varying(const std::vector<task::Settings>& settings)
{
    Varying varying;
    for (const task::Settings& one : settings) {
        const task::Settings& first = settings.front();
        varying.seeds |= one.seed != first.seed;
        varying.halves |= one.resample != 0;
        varying.classifiers |= one.classifier.classifier != first.classifier.classifier;
        varying.normalisations |= one.normalise != first.normalise;
        varying.projections |= one.projection.has_value();
    }
    return varying;
}

std::vector<UnitSize> sizes_of(const std::vector<run::Unit>& units,
                               const std::vector<const task::Task*>& tasks,
                               const run::Config& config)
{
    constexpr std::size_t usual_dimension = 300;
    std::vector<UnitSize> sizes;
    sizes.reserve(units.size());
    std::vector<std::optional<run::TaskSize>> guesses(tasks.size());
    for (const run::Unit& unit : units) {
        const task::Task& task = *tasks[unit.task];
        // Read where many fits follow, of which this tells the time; once for all encoders.
        if (!guesses[unit.task])
            guesses[unit.task] = unit.settings.size() > 1
                                     ? run::size_of(task, config.data, config.limit)
                                     : run::guessed_size(task, config.data, config.limit);
        const run::TaskSize& guess = *guesses[unit.task];
        UnitSize size{unit.encoder,
                      unit.task,
                      task.info().protocol,
                      static_cast<double>(guess.sentences),
                      {}};
        for (const task::Settings& settings : unit.settings)
            size.fits.push_back(
                run::fit_seconds(task.protocol_settings(settings), guess.size, usual_dimension));
        sizes.push_back(std::move(size));
    }
    return sizes;
}

RunProgress::RunProgress(const std::vector<UnitSize>& units,
                         Varying varying,
                         Verbosity verbosity,
                         std::size_t processes)
    : varying_(varying),
      verbosity_(verbosity),
      bar_(verbosity != Verbosity::quiet),
      cells_(count_cells(units))
{
    if (processes == 1)
        estimate_.emplace(units);
}

void RunProgress::started(const std::string& encoder, const std::string& task, std::size_t cells)
{
    const std::lock_guard lock(mutex_);
    if (estimate_)
        estimate_->begin(bar_.elapsed());
    cost_is_told_ = cost_is_told_ && at_work_.encoder == encoder;
    at_work_ = {encoder, task, cells};
    names_.insert({encoder, task});
    if (verbosity_ != Verbosity::quiet && !bar_.is_shown())
        bar_.line(fmt::format("[{}/{}] {} on {} ...", done_ + 1, cells_, encoder, task));
    bar_.hurry();
    draw("", 0);
}

void RunProgress::computing(const Json& document)
{
    const std::lock_guard lock(mutex_);
    at_work_.cell = varying_.text(document);
}

void RunProgress::progress(std::string_view phase, std::size_t done, std::size_t total)
{
    const std::lock_guard lock(mutex_);
    if (estimate_)
        estimate_->progress(phase, done, total, bar_.elapsed());
    draw(phase, total == 0 ? 0 : static_cast<double>(done) / static_cast<double>(total));
}

void RunProgress::finished(const run::Cell& cell)
{
    report(cell, "");
}

void RunProgress::kept(const run::Cell& cell)
{
    report(cell, ", kept");
}

void RunProgress::report(const run::Cell& cell, std::string_view remark)
{
    const Json& document = cell.document;
    const task::Metric headline = run::headline_of(document);
    const auto value = headline.value_in(document.at("metrics"));
    const std::lock_guard lock(mutex_);
    documents_.push_back(document);
    if (estimate_ && remark.empty())
        estimate_->measured(time_of(document), bar_.elapsed());
    else if (estimate_)
        estimate_->dropped(bar_.elapsed());
    ++done_;
    at_work_.cells -=
        std::min<std::size_t>(at_work_.cells, 1); // of several processes, another's too
    if (verbosity_ != Verbosity::quiet)
        bar_.line(fmt::format("[{}/{}] {} on {}{}: {} {} ({:.2f} s{})", done_, cells_,
                              document.at("encoder").at("label").get<std::string>(),
                              document.at("task").at("name").get<std::string>(),
                              varying_.text(document), headline.path,
                              value ? headline.text(*value) : "undefined",
                              document.at("run").at("seconds").at("total").get<double>(), remark));
    if (remark.empty())
        tell_cost();
}

/// Of each encoder, where seeds or training sets multiply the work: as soon as some of it was measured.
void RunProgress::tell_cost()
{
    const auto left = time_left();
    if (cost_is_told_ || !left || left->cells == 0 || verbosity_ == Verbosity::quiet ||
        (!varying_.seeds && !varying_.halves))
        return;
    cost_is_told_ = true;
    bar_.line(fmt::format("some {:.{}f} s for the {}{} left, by the time this one took",
                          left->seconds, left->seconds < 10 ? 1 : 0,
                          left->cells == 1 ? "one fit and test"
                                           : fmt::format("{} fits and tests", left->cells),
                          left->is_whole ? "" : " of " + at_work_.encoder));
}

void RunProgress::failed(const run::Failure& failure)
{
    const std::lock_guard lock(mutex_);
    failures_.push_back(failure);
    done_ += failure.cells;
    if (estimate_)
        estimate_->given_up(bar_.elapsed());
    bar_.line(fmt::format("[{}/{}] {} on {}: FAILED: {}", done_, cells_, failure.encoder,
                          failure.task, failure.why));
}

void RunProgress::skipped(const std::string& why)
{
    const std::lock_guard lock(mutex_);
    --cells_;
    at_work_.cells -= std::min<std::size_t>(at_work_.cells, 1);
    if (estimate_)
        estimate_->dropped(bar_.elapsed());
    if (!why.empty() && verbosity_ != Verbosity::quiet)
        bar_.line(why);
}

void RunProgress::doubted(const std::string& task, const std::vector<std::string>& doubts)
{
    const std::lock_guard lock(mutex_);
    for (const std::string& doubt : doubts)
        if (verbosity_ != Verbosity::quiet && told_.insert(doubt).second)
            bar_.line(fmt::format("{}: {}", task, doubt));
}

/// Told once, whatever the numbers in it: every encoder meets the small sets of a run. Results keep
/// each.
void RunProgress::warned(const std::string& what)
{
    const std::lock_guard lock(mutex_);
    if (verbosity_ != Verbosity::quiet && told_.insert(without_numbers(what, names_)).second)
        bar_.line("warning: " + what);
}

void RunProgress::line(std::string_view text)
{
    const std::lock_guard lock(mutex_);
    bar_.line(text);
}

void RunProgress::stopping()
{
    const std::lock_guard lock(mutex_);
    bar_.line("stopping (once more: at once)");
    bar_.put_away();
}

void RunProgress::end()
{
    const std::lock_guard lock(mutex_);
    bar_.put_away();
}

std::vector<Json> RunProgress::documents() const
{
    const std::lock_guard lock(mutex_);
    return documents_;
}

std::vector<run::Failure> RunProgress::failures() const
{
    const std::lock_guard lock(mutex_);
    return failures_;
}

double RunProgress::share_of_cells() const
{
    return static_cast<double>(done_) / static_cast<double>(std::max<std::size_t>(cells_, 1));
}

std::optional<TimeLeft> RunProgress::time_left() const
{
    constexpr double telling = 0.1; // of cells of several processes
    const double time = bar_.elapsed();
    if (estimate_)
        return estimate_->remaining(time);
    const double done = share_of_cells();
    return done > telling ? std::optional(TimeLeft{time * (1 - done) / done, cells_ - done_, true})
                          : std::nullopt;
}

/// Of the encoder at work where others follow: how fast they are is not known.
std::string RunProgress::left_text() const
{
    const auto left = time_left();
    std::string text = left ? bar_.left_text(left->seconds) : "";
    if (!text.empty() && left->is_rough)
        text.insert(text.find(' ') + 1, "about ");
    return text.empty() || left->is_whole ? text : fmt::format("{} for {}", text, at_work_.encoder);
}

void RunProgress::draw(std::string_view phase, double share_of_phase)
{
    if (!bar_.is_due())
        return;
    const double cell = estimate_ ? estimate_->share_of_cell(bar_.elapsed()) : 0;
    shown_ = std::max(shown_, share_of_cells() +
                                  cell / static_cast<double>(std::max<std::size_t>(cells_, 1)));
    std::string name = fmt::format("{}/{}", std::min(done_ + 1, cells_), cells_);
    if (!at_work_.encoder.empty())
        name += fmt::format(" {} on {}", at_work_.encoder, at_work_.task);
    std::string now = phase.empty() ? "" : fmt::format(", {}", phase);
    if (share_of_phase > 0)
        now += fmt::format(" {:.0f} %", 100 * share_of_phase);
    const std::string left = left_text();
    const std::array<std::string, 4> texts{name + at_work_.cell + now + left,
                                           name + at_work_.cell + left, name + now + left,
                                           name + left};
    bar_.draw(shown_, texts);
}

} // namespace senteval::host
