#include "host/estimate.hpp"

#include <algorithm>
#include <utility>

namespace senteval::host {

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
    cells_left_ = unit().cells;
    embeds_ = true;
    unit_start_ = now;
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

void Estimate::measured(const CellTime& time, double now)
{
    const UnitSize& size = unit();
    if (time.load + time.prepare + time.embed > 0) {
        embed_by_encoder_[size.encoder].add(time.load + time.embed, size.size);
        embed_.add(time.load + time.embed, size.size);
        if (starts_encoder(begun_ - 1))
            start_.add(time.prepare, 1);
    }
    fit_by_task_[size.task].add(time.fit, 1);
    fit_by_kind_[size.kind].add(time.fit, size.size);
    fit_.add(time.fit, size.size);
    dropped(now);
    embeds_ = false;
}

void Estimate::dropped(double now)
{
    cells_left_ -= std::min<std::size_t>(cells_left_, 1);
    forget_phase(now);
}

void Estimate::given_up(double now)
{
    cells_left_ = 0;
    forget_phase(now);
}

std::optional<double> Estimate::embed_time(const UnitSize& unit) const
{
    const auto known = embed_by_encoder_.find(unit.encoder);
    const auto pace = known != embed_by_encoder_.end() ? known->second() : embed_();
    return pace ? std::optional(*pace * unit.size) : std::nullopt;
}

std::optional<double> Estimate::fit_time(const UnitSize& unit) const
{
    if (const auto same = fit_by_task_.find(unit.task); same != fit_by_task_.end())
        return same->second();
    const auto kind = fit_by_kind_.find(unit.kind);
    const auto pace = kind != fit_by_kind_.end() ? kind->second() : fit_();
    return pace ? std::optional(*pace * unit.size) : std::nullopt;
}

/// Of the piece at work. What the phase at work takes is told by its own pace, as soon as
/// there is some.
std::optional<double> Estimate::at_work(double now) const
{
    constexpr double telling = 0.02;
    if (cells_left_ == 0)
        return 0;
    const double spent = now - phase_start_;
    const auto rest = [&](std::optional<double> expected, bool at_work) -> std::optional<double> {
        if (at_work && share_ > telling)
            return spent * (1 - share_) / share_;
        if (!expected)
            return std::nullopt;
        return at_work ? std::max(0.0, *expected - spent) : *expected;
    };
    const bool fitting = phase_ == "fit";
    const auto fit = rest(fit_time(unit()), fitting);
    const auto embed = embeds_ ? rest(embed_time(unit()), !fitting) : std::optional(0.0);
    if (!fit || !embed)
        return std::nullopt;
    // Cells after this one take what this one takes in all.
    const double whole = fit_time(unit()).value_or(*fit + (fitting ? spent : 0));
    return *embed + *fit + static_cast<double>(cells_left_ - 1) * whole;
}

/// Of a piece that comes later.
std::optional<double> Estimate::expected(std::size_t unit) const
{
    const UnitSize& size = units_[unit];
    const auto embed = embed_time(size);
    const auto fit = fit_time(size);
    if (!embed || !fit)
        return std::nullopt;
    return *embed + *fit * static_cast<double>(size.cells) +
           (starts_encoder(unit) ? start_().value_or(0) : 0);
}

std::optional<double> Estimate::remaining(double now) const
{
    if (begun_ == 0)
        return std::nullopt;
    const auto here = at_work(now);
    if (!here)
        return std::nullopt;
    // Before the first cell is measured, it is the measure.
    const UnitSize& first = unit();
    const double pace =
        (now - unit_start_ + *here) / (first.size * static_cast<double>(first.cells));
    double seconds = *here;
    for (std::size_t later = begun_; later < units_.size(); ++later) {
        const UnitSize& size = units_[later];
        seconds += expected(later).value_or(pace * size.size * static_cast<double>(size.cells));
    }
    return seconds;
}

} // namespace senteval::host
