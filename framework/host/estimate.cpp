#include "host/estimate.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace senteval::host {
namespace {

/// Of a phase, from which on its own pace says how long it takes.
constexpr double telling = 0.1;

} // namespace

void Estimate::Pace::add(double more_seconds, double more_size)
{
    seconds += more_seconds;
    size += more_size;
}

std::optional<double> Estimate::Pace::operator()() const
{
    return size > 0 ? std::optional(seconds / size) : std::nullopt;
}

Estimate::Estimate(std::vector<UnitSize> units) : units_(std::move(units)) {}

void Estimate::begin(double now)
{
    ++begun_;
    cells_left_ = unit().fits.size();
    embeds_ = true;
    cell_start_ = now;
    forget_phase(now);
}

void Estimate::forget_phase(double now)
{
    phase_.clear();
    phase_start_ = now;
    share_ = 0;
}

void Estimate::progress(std::string_view phase, std::size_t done, std::size_t total, double now)
{
    if (phase != phase_) {
        phase_ = phase;
        phase_start_ = now;
    }
    if (phase_ == "fit")
        embeds_ = false;
    share_ = total == 0 ? 0 : static_cast<double>(done) / static_cast<double>(total);
}

double Estimate::fit_size() const
{
    return cells_left_ > 0 ? unit().fits[unit().fits.size() - cells_left_] : 0;
}

void Estimate::measured(const CellTime& time, double now)
{
    const UnitSize& size = unit();
    Measured& encoder = encoders_[size.encoder];
    if (time.load + time.prepare + time.embed > 0)
        encoder.embed.add(time.load + time.embed, size.size);
    encoder.fit.add(time.fit, fit_size());
    encoder.fit_by_kind[size.kind].add(time.fit, fit_size());
    encoder.fit_by_task[size.task].add(time.fit, fit_size());
    dropped(now);
    embeds_ = false;
}

void Estimate::dropped(double now)
{
    cells_left_ -= std::min<std::size_t>(cells_left_, 1);
    cell_start_ = now;
    forget_phase(now);
}

void Estimate::given_up(double now)
{
    cells_left_ = 0;
    forget_phase(now);
}

std::optional<double> Estimate::embed_time(const UnitSize& unit) const
{
    const auto known = encoders_.find(unit.encoder);
    const auto pace = known != encoders_.end() ? known->second.embed() : std::nullopt;
    return pace ? std::optional(*pace * unit.size) : std::nullopt;
}

/// Of a task that the encoder at work has not done, by another that has.
std::optional<double> Estimate::pace_by_other(std::size_t task) const
{
    const Measured& own = encoders_.at(unit().encoder);
    for (const auto& [number, other] : encoders_) {
        const auto same = other.fit_by_task.find(task);
        if (number == unit().encoder || same == other.fit_by_task.end())
            continue;
        double own_seconds = 0;
        double other_seconds = 0;
        for (const auto& [common, pace] : own.fit_by_task)
            if (const auto theirs = other.fit_by_task.find(common);
                theirs != other.fit_by_task.end() && theirs->second()) {
                own_seconds += pace.seconds;
                other_seconds += *theirs->second() * pace.size;
            }
        if (const auto pace = same->second(); pace && other_seconds > 0)
            return *pace * own_seconds / other_seconds;
    }
    return std::nullopt;
}

/// Of a piece of the encoder at work.
std::optional<double> Estimate::fit_pace(const UnitSize& unit) const
{
    const auto known = encoders_.find(unit.encoder);
    if (known == encoders_.end())
        return std::nullopt;
    const Measured& own = known->second;
    if (const auto same = own.fit_by_task.find(unit.task); same != own.fit_by_task.end())
        return same->second();
    if (const auto pace = pace_by_other(unit.task))
        return pace;
    const auto kind = own.fit_by_kind.find(unit.kind);
    return kind != own.fit_by_kind.end() ? kind->second() : own.fit();
}

/// Whether the pace of the piece was measured on its task or on its kind.
bool Estimate::has_done_alike(const UnitSize& unit) const
{
    const auto known = encoders_.find(unit.encoder);
    return known != encoders_.end() &&
           (known->second.fit_by_task.contains(unit.task) ||
            known->second.fit_by_kind.contains(unit.kind) || pace_by_other(unit.task));
}

/// What the phase at work takes is told by its own pace, as soon as there is enough of it.
Estimate::Rest Estimate::rest(double now) const
{
    const double spent = now - phase_start_;
    const auto left = [&](std::optional<double> expected, bool at_work) -> std::optional<double> {
        if (at_work && share_ > telling)
            return spent * (1 - share_) / share_;
        if (!expected)
            return std::nullopt;
        return at_work ? std::max(0.0, *expected - spent) : *expected;
    };
    const bool fitting = phase_ == "fit";
    const auto pace = fit_pace(unit());
    return {embeds_ ? left(embed_time(unit()), !fitting) : std::optional(0.0),
            left(pace ? std::optional(*pace * fit_size()) : std::nullopt, fitting)};
}

std::optional<TimeLeft> Estimate::remaining(double now) const
{
    if (begun_ == 0)
        return std::nullopt;
    const bool is_whole = units_.back().encoder == unit().encoder;
    TimeLeft left{0, cells_left_, is_whole};
    // Before the encoder's first cell is measured, it is the measure.
    const double spent = now - phase_start_;
    std::optional<double> pace;
    if (cells_left_ > 0) {
        const auto [embed, fit] = rest(now);
        if (!embed || !fit)
            return std::nullopt;
        left.seconds = *embed + *fit;
        left.is_rough = !has_done_alike(unit()) && !(phase_ == "fit" && share_ > telling);
        if (fit_size() > 0)
            pace = (*fit + (phase_ == "fit" ? spent : 0)) / fit_size();
    }
    const auto add_fits = [&](const UnitSize& size, std::size_t first) {
        const auto own = fit_pace(size);
        const double sum = std::accumulate(size.fits.begin() + static_cast<std::ptrdiff_t>(first),
                                           size.fits.end(), 0.0);
        if (sum > 0 && !own && !pace)
            return false;
        left.seconds += sum > 0 ? (own ? *own : *pace) * sum : 0;
        left.is_rough =
            left.is_rough || (sum > 0 && !has_done_alike(size) && size.kind != unit().kind);
        return true;
    };
    if (cells_left_ > 1 && !add_fits(unit(), unit().fits.size() - cells_left_ + 1))
        return std::nullopt;
    for (std::size_t later = begun_;
         later < units_.size() && units_[later].encoder == unit().encoder; ++later) {
        const auto embed = embed_time(units_[later]);
        if (!embed || !add_fits(units_[later], 0))
            return std::nullopt;
        left.seconds += *embed;
        left.cells += units_[later].fits.size();
    }
    return left;
}

double Estimate::share_of_cell(double now) const
{
    if (begun_ == 0 || cells_left_ == 0)
        return 0;
    const auto [embed, fit] = rest(now);
    const double spent = now - cell_start_;
    return embed && fit && spent > 0 ? spent / (spent + *embed + *fit) : 0;
}

} // namespace senteval::host
