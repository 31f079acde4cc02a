#include "host/progress.hpp"

#include "base/counted.hpp"
#include "base/unicode.hpp"
#include "host/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace senteval::host {

std::string Varying::text(const results::Protocol& protocol) const
{
    std::string text;
    const auto add = [&](const std::string& setting) {
        if (!setting.empty())
            text += ", " + setting;
    };
    if (const auto seed = protocol.seed(); seeds && seed && !protocol.deterministic)
        add(fmt::format("seed {}", *seed));
    if (halves && protocol.resample() > 0)
        add(fmt::format("half {} of the training part", protocol.resample()));
    if (classifiers)
        add(protocol.classifier());
    if (normalisations)
        add(protocol.normalisation());
    if (projections)
        add(protocol.projection());
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
        varying.projections |= one.projection.has_value() || !one.variant.is_full();
    }
    return varying;
}

RunProgress::RunProgress(std::size_t cells, Varying varying, Verbosity verbosity)
    : varying_(varying), verbosity_(verbosity), bar_(verbosity != Verbosity::quiet), cells_(cells)
{
}

/// "[3/12] "
std::string RunProgress::position(std::size_t cell) const
{
    return cells_ > 0 ? fmt::format("[{}/{}] ", cell, cells_) : "";
}

/// Call under the lock.
void RunProgress::say(std::string_view text)
{
    if (verbosity_ != Verbosity::quiet)
        bar_.line(text);
}

void RunProgress::started(const std::string& encoder, const std::string& task, std::size_t)
{
    const std::lock_guard lock(mutex_);
    at_work_ = fmt::format("{} on {}", encoder, task);
    setting_.clear();
    if (!bar_.is_shown() && verbosity_ == Verbosity::verbose)
        say(fmt::format("{}{} ...", position(done_ + 1), at_work_));
    draw("");
}

void RunProgress::computing(const results::Result& record)
{
    const std::lock_guard lock(mutex_);
    setting_ = varying_.text(record.protocol);
}

void RunProgress::progress(std::string_view phase, std::size_t done, std::size_t total)
{
    const std::lock_guard lock(mutex_);
    if (bar_.is_due())
        draw(total == 0 || done == 0 ? fmt::format(", {}", phase)
                                     : fmt::format(", {} {} %", phase, 100 * done / total));
}

void RunProgress::finished(const results::Cell& cell)
{
    report(cell, "");
}

void RunProgress::kept(const results::Cell& cell)
{
    report(cell, ", kept");
}

void RunProgress::report(const results::Cell& cell, std::string_view remark)
{
    const results::Result& result = cell.result;
    const results::Metric& headline = result.task.headline_metric();
    const auto value = result.headline();
    const std::lock_guard lock(mutex_);
    records_.push_back(result);
    ++done_;
    kept_ += remark.empty() ? 0 : 1;
    if (const std::size_t computed = done_ - kept_; computed > 0 && cells_ >= done_)
        end_ = bar_.elapsed() *
               (1 + static_cast<double>(cells_ - done_) / static_cast<double>(computed));
    say(fmt::format("{}{} on {}{}: {} {} ({:.2f} s{})", position(done_), result.encoder.label,
                    result.task.name, varying_.text(result.protocol), headline.name(),
                    value ? headline.text(*value) : "undefined", result.run.total_seconds(),
                    remark));
}

void RunProgress::failed(const run::Failure& failure)
{
    const std::lock_guard lock(mutex_);
    failures_.push_back(failure);
    done_ += failure.cells;
    if (told_.insert(failure.encoder + failure.why).second)
        bar_.line(fmt::format("{}{} on {}: FAILED: {}", position(done_), failure.encoder,
                              failure.task, failure.why));
    else
        ++alike_[failure.encoder];
}

void RunProgress::skipped(const std::string& why)
{
    const std::lock_guard lock(mutex_);
    cells_ -= std::min<std::size_t>(cells_, 1);
    if (!why.empty())
        say(why);
}

void RunProgress::warned_of_data(const std::string& task, const std::vector<std::string>& warnings)
{
    const std::lock_guard lock(mutex_);
    for (const std::string& warning : warnings)
        if (told_.insert(warning).second)
            say(fmt::format("{}: {}", task, warning));
}

/// Told once: results keep each.
void RunProgress::warned(const std::string& what)
{
    const std::lock_guard lock(mutex_);
    if (told_.insert(what).second)
        say("warning: " + what);
}

void RunProgress::line(std::string_view text)
{
    const std::lock_guard lock(mutex_);
    bar_.line(text);
}

void RunProgress::stopping()
{
    const std::lock_guard lock(mutex_);
    bar_.line("stopping (again: at once)");
    bar_.put_away();
}

void RunProgress::end()
{
    const std::lock_guard lock(mutex_);
    for (const auto& [encoder, tasks] : alike_)
        bar_.line(fmt::format("{}: FAILED for the same reason on {} more task{}", encoder, tasks,
                              tasks == 1 ? "" : "s"));
    bar_.put_away();
}

std::vector<results::Result> RunProgress::records() const
{
    const std::lock_guard lock(mutex_);
    return records_;
}

std::vector<run::Failure> RunProgress::failures() const
{
    const std::lock_guard lock(mutex_);
    return failures_;
}

std::size_t RunProgress::kept_cells() const
{
    const std::lock_guard lock(mutex_);
    return kept_;
}

void RunProgress::add(results::Result result)
{
    const std::lock_guard lock(mutex_);
    records_.push_back(std::move(result));
}

void RunProgress::add_kept(std::size_t cells)
{
    const std::lock_guard lock(mutex_);
    kept_ += cells;
}

void RunProgress::add(run::Failure failure)
{
    const std::lock_guard lock(mutex_);
    failures_.push_back(std::move(failure));
}

/// Draws the bar, with the time left by the mean of the cells that were computed.
void RunProgress::draw(const std::string& phase)
{
    const double left = std::max(end_ - bar_.elapsed(), 0.0);
    bar_.draw(static_cast<double>(done_) / static_cast<double>(std::max<std::size_t>(cells_, 1)),
              position(std::min(done_ + 1, cells_)) + at_work_ + setting_ + phase, left);
}

std::string duration(double seconds)
{
    const auto whole = std::lround(seconds);
    if (whole < 60)
        return fmt::format("{} s", whole);
    if (whole < 3600)
        return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

ProgressBar::ProgressBar(bool wanted) : is_shown_(wanted && has_style(Stream::err)) {}

ProgressBar::~ProgressBar()
{
    if (is_drawn_)
        erase();
}

double ProgressBar::elapsed() const
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

bool ProgressBar::is_due() const
{
    return is_shown_ && !is_put_away_ && (last_drawn_ < 0 || elapsed() - last_drawn_ >= 0.1);
}

void ProgressBar::draw(double share, std::string text, double seconds_left)
{
    constexpr std::size_t columns = 20;
    constexpr double young = 2;
    if (!is_shown_ || is_put_away_)
        return;
    if (seconds_left > 0 && elapsed() > young)
        text += fmt::format(", {} left", duration(seconds_left));
    const auto filled = std::min(static_cast<std::size_t>(share * columns), columns);
    const std::string line =
        fmt::format("[{:#<{}}{:.<{}}] {}", "", filled, "", columns - filled, text);
    last_drawn_ = elapsed();
    write_log("\r\x1b[K" + printable(base::first_characters(line, width(Stream::err) - 1)));
    is_drawn_ = true;
}

void ProgressBar::line(std::string_view text)
{
    erase();
    note("{}\n", text);
}

void ProgressBar::erase()
{
    if (!is_shown_)
        return;
    write_log("\r\x1b[K");
    is_drawn_ = false;
}

void ProgressBar::put_away()
{
    if (is_drawn_)
        erase();
    is_put_away_ = true;
}

} // namespace senteval::host
