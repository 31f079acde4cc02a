#include "host/progress.hpp"

#include "host/output.hpp"
#include "host/terminal.hpp"
#include "run/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace senteval::host {
namespace {

std::string duration(double seconds)
{
    const auto whole = static_cast<long>(seconds + 0.5);
    if (whole < 60)
        return fmt::format("{} s", whole);
    if (whole < 3600)
        return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

} // namespace

RunProgress::RunProgress(std::size_t cells, Verbosity verbosity)
    : cells_(cells),
      verbosity_(verbosity),
      bar_(verbosity != Verbosity::quiet && has_style(Stream::err))
{
}

RunProgress::~RunProgress()
{
    erase();
}

void RunProgress::started(const std::string& encoder, const std::string& task, std::size_t cells)
{
    const std::lock_guard lock(mutex_);
    done_after_task_ = done_ + cells;
    encoder_ = encoder;
    task_ = task;
    phase_.clear();
    last_drawn_ = {};
    draw("", 0);
}

void RunProgress::progress(std::string_view phase, std::size_t done, std::size_t total)
{
    const std::lock_guard lock(mutex_);
    phase_ = phase;
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
    const core::Json& document = cell.document;
    const task::Metric headline = run::headline_of(document);
    const auto value = headline.value_in(document.at("metrics"));
    const std::lock_guard lock(mutex_);
    documents_.push_back(document);
    ++done_;
    if (verbosity_ != Verbosity::quiet)
        print(fmt::format("[{}/{}] {}: {} {} ({:.2f} s{})", done_, cells_, at_work(), headline.path,
                          value ? headline.text(*value) : "undefined",
                          document.at("run").at("seconds").at("total").get<double>(), remark));
}

void RunProgress::failed(const run::Failure& failure)
{
    const std::lock_guard lock(mutex_);
    done_ = done_after_task_;
    failures_.push_back(failure);
    print(fmt::format("[{}/{}] {} on {}: FAILED: {}", done_, cells_, failure.encoder, failure.task,
                      failure.why));
}

void RunProgress::failed_at_work(const std::string& why)
{
    const auto [encoder, task, what] = [&] {
        const std::lock_guard lock(mutex_);
        return std::tuple(encoder_, task_,
                          phase_.empty() ? why : fmt::format("in phase '{}': {}", phase_, why));
    }();
    failed({encoder, task, what, false});
}

void RunProgress::skipped(const std::string& why)
{
    const std::lock_guard lock(mutex_);
    --cells_;
    --done_after_task_;
    if (!why.empty() && verbosity_ != Verbosity::quiet)
        print(why);
}

void RunProgress::doubted(const std::string& task, const std::vector<std::string>& doubts)
{
    const std::lock_guard lock(mutex_);
    for (const std::string& doubt : doubts)
        print(fmt::format("{}: {}", task, doubt));
}

void RunProgress::warned(const std::string& what)
{
    line("warning: " + what);
}

void RunProgress::line(std::string_view text)
{
    const std::lock_guard lock(mutex_);
    print(text);
}

std::vector<core::Json> RunProgress::documents() const
{
    const std::lock_guard lock(mutex_);
    return documents_;
}

std::vector<run::Failure> RunProgress::failures() const
{
    const std::lock_guard lock(mutex_);
    return failures_;
}

std::string RunProgress::at_work() const
{
    return fmt::format("{} on {}", encoder_, task_);
}

void RunProgress::print(std::string_view text)
{
    erase();
    note("{}\n", text);
}

/// Rate-limited: a terminal over a slow line must not slow the run.
void RunProgress::draw(std::string_view phase, double share_of_cell)
{
    const auto now = std::chrono::steady_clock::now();
    if (!bar_ || now - last_drawn_ < std::chrono::milliseconds(100))
        return;
    last_drawn_ = now;
    const double done = static_cast<double>(done_) + share_of_cell;
    const double share = done / static_cast<double>(std::max<std::size_t>(cells_, 1));
    const double elapsed = std::chrono::duration<double>(now - start_).count();

    constexpr std::size_t bar_width = 20;
    const auto filled = static_cast<std::size_t>(share * bar_width);
    std::string text = fmt::format("[{}{}] {}/{} {} {}", std::string(filled, '#'),
                                   std::string(bar_width - std::min(filled, bar_width), '.'),
                                   std::min(done_ + 1, cells_), cells_, at_work(), phase);
    if (share_of_cell > 0)
        text += fmt::format(" {:.0f} %", 100 * share_of_cell);
    if (share > 0.01 && elapsed > 2)
        text += fmt::format(", {} left", duration(elapsed * (1 - share) / share));
    text.resize(std::min(text.size(), width(Stream::err) - 1));
    note("\r\x1b[K{}", text);
    drawn_ = true;
}

void RunProgress::erase()
{
    if (std::exchange(drawn_, false))
        note("\r\x1b[K");
}

} // namespace senteval::host
