#include "host/same_report.hpp"

#include "base/counted.hpp"
#include "base/terminal.hpp"

#include <senteval/printable.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace senteval::host {
namespace {

using base::counted;
using base::Json;
using same::Numbers;
using same::Pass;
using same::Side;
using same::Verdict;

/// Sentences about the findings.
class Sentences {
public:
    explicit Sentences(const SameFindings& found)
        : found_(found),
          verdict_(found.verdict),
          changed_(found.sides.at(found.changed).label),
          other_(found.sides.at(1 - found.changed).label),
          all_(verdict_.compared.size())
    {
    }

    std::vector<std::string> all()
    {
        if (verdict_.answer == same::Answer::open)
            say("Could not tell: {}",
                all_ == 0 ? "no text has a vector of both."
                          : fmt::format("a vector may be {:.1g} off (1 - cosine) when its text is "
                                        "asked for again, and those of two texts are less than "
                                        "ten times that apart.",
                                        noise()));
        else
            say_verdict();
        for (const Side& side : found_.sides)
            say_side(side);
        return lines_;
    }

private:
    template <typename... Args>
    void say(fmt::format_string<Args...> format, Args&&... args)
    {
        lines_.push_back(fmt::format(format, std::forward<Args>(args)...));
    }

    void say_verdict()
    {
        const auto& [first, second] = verdict_.dimensions;
        if (first != second)
            say("{} has vectors of {} dimensions, {} of {}.", found_.sides[0].label, first,
                found_.sides[1].label, second);
        else
            say("{} of {} have the same vector.", verdict_.same.size(), counted(all_, "text"));
        if (verdict_.is_shortened)
            say("The longer ones begin with the shorter ones, but for their length. Consistent "
                "with: shortened vectors.");
        else if (verdict_.unit)
            say("{} have the same direction; the vectors of {} alone have length 1. Consistent "
                "with: it normalises them. What follows is about directions.",
                verdict_.direction, found_.sides.at(*verdict_.unit).label);
        else if (are_lengths())
            say("All have the same direction; lengths differ by up to {:.2g} %.",
                100 * same::quantile(verdict_.gaps, 1, &same::Gap::length));
        if (verdict_.is_rounding && !are_lengths())
            say("{} differ by little, and alike (1 - cosine {:.1g} to {:.1g}, median {:.1g}). "
                "Consistent with: another precision, quantised weights, or weights near to these.",
                verdict_.beyond.empty() ? "All" : fmt::format("All but {}", verdict_.beyond.size()),
                same::quantile(verdict_.gaps, .1), same::quantile(verdict_.gaps, .9),
                same::quantile(verdict_.gaps, .5));
        if (verdict_.trait)
            say_trait(*verdict_.trait);
        if (!verdict_.swapped.empty())
            say("{} have the vector that {} gives another text: rows are mixed up.",
                counted(verdict_.swapped.size(), "text"), found_.sides[0].label);
        if (verdict_.causes && !verdict_.causes->fits.empty())
            say_causes(*verdict_.causes);
        else if (verdict_.causes && !are_lengths() &&
                 !(verdict_.is_rounding && verdict_.beyond.empty()))
            say_worst();
    }

    void say_trait(const same::Trait& trait)
    {
        const std::string also = trait.others == 0
                                     ? "none of the same ones"
                                     : fmt::format("{} of the same ones", trait.others);
        if (trait.what.empty() && trait.others == 0)
            say("The others are long: {} {} and more; the same ones have {} at most.",
                trait.shortest, unit(), trait.longest);
        else
            say("The others {}, and so do {}.",
                trait.what.empty() ? fmt::format("have {} {} and more", trait.shortest, unit())
                                   : trait.what,
                also);
    }

    void say_causes(const same::Causes& causes)
    {
        std::vector<std::string> what;
        for (const same::Change& fit : causes.fits)
            what.push_back(fit.what);
        say("{} gives {}'s vectors, {} of {}{}, with {}{}. {}", changed_, other_, all_, all_,
            verdict_.is_rounding ? ", but for that" : "", what.size() > 1 ? "each of: " : "",
            fmt::join(what, "; "),
            !causes.named.empty()
                ? fmt::format("Consistent with: {}, and nothing else that was tried.", causes.named)
            : causes.held_out < 2 ? "Few texts differ: more such texts would tell more."
                                  : "These texts do not tell which causes it.");
        if (what.size() > 1 && causes.named == "limit")
            say("Texts longer than {} {} would tell which.", std::ranges::max(found_.lengths),
                unit());
    }

    void say_worst()
    {
        constexpr std::size_t most = 3;
        if (const same::Causes& causes = *verdict_.causes; causes.most)
            say("With {}, {} gives {} of {}'s other vectors.", causes.most->what, changed_,
                causes.explained.size(), other_);
        say("No change of {} gives {}'s vectors{}.", changed_, other_,
            verdict_.gaps.size() > most && !verdict_.is_rounding
                ? fmt::format(" (1 - cosine: median {:.1g})", same::quantile(verdict_.gaps, .5))
                : "");
        std::vector<std::size_t> places(verdict_.gaps.size());
        for (std::size_t i = 0; i < places.size(); ++i)
            places[i] = i;
        std::ranges::stable_sort(places, std::ranges::greater(),
                                 [&](std::size_t i) { return verdict_.gaps[i].direction; });
        for (std::size_t i = 0; i < std::min(places.size(), most); ++i)
            say("  1 - cosine {:.4f}: {}", verdict_.gaps[places[i]].direction,
                sdk::printable_line(found_.texts[verdict_.differing[places[i]]], 60, true));
    }

    void say_side(const Side& side)
    {
        const auto refused = std::ranges::find_if(
            side.failed, [&](std::size_t text) { return !side.first.errors[text].empty(); });
        if (refused != side.failed.end())
            say("{} gives no vector of {}: {}.", side.label, counted(side.failed.size(), "text"),
                side.first.errors[*refused]);
        else if (!side.failed.empty())
            say("{} is not asked for an empty text.", side.label);
        if (side.limits.direction > same::Limits().direction)
            say("{} gives other vectors when it is asked again: what is no more than {:.1g} off "
                "(1 - cosine) counts as the same.",
                side.label, side.limits.direction);
        if (!side.unsteady.empty())
            say("{} gives another vector of {} when it is asked again.", side.label,
                counted(side.unsteady.size(), "text"));
        for (const Pass& pass : side.passes) {
            const auto add = [&](const Numbers& texts, std::string_view what) {
                if (!texts.empty())
                    say("{} asked {}: {} of {} answers {}.", side.label, pass.how, texts.size(),
                        pass.texts, what);
            };
            add(pass.of_others, "are those of other texts: it mixes texts up");
            add(pass.differing,
                fmt::format("are other vectors than alone (1 - cosine up to {:.1g}): "
                            "they depend on what comes with a text",
                            pass.worst));
            add(pass.failed, "are missing: " + pass.error);
        }
    }

    /// Whether lengths are all that differs.
    [[nodiscard]] bool are_lengths() const
    {
        return verdict_.direction == all_ && !verdict_.gaps.empty();
    }

    [[nodiscard]] double noise() const
    {
        return std::max(found_.sides[0].limits.direction, found_.sides[1].limits.direction);
    }

    [[nodiscard]] std::string_view unit() const
    {
        return found_.in_tokens ? "tokens" : "characters";
    }

    const SameFindings& found_;
    const Verdict& verdict_;
    const std::string& changed_;
    const std::string& other_;
    std::size_t all_;
    std::vector<std::string> lines_;
};

Json texts_json(const SameFindings& found, const Numbers& texts)
{
    Json list = Json::array();
    for (const std::size_t text : texts)
        list.push_back(found.texts[text]);
    return list;
}

Json side_json(const SameFindings& found, const Side& side)
{
    Json passes = Json::array();
    for (const Pass& pass : side.passes)
        passes.push_back({{"how", pass.how},
                          {"texts", pass.texts},
                          {"of_other_texts", texts_json(found, pass.of_others)},
                          {"differing", texts_json(found, pass.differing)},
                          {"failed", texts_json(found, pass.failed)},
                          {"worst", pass.worst}});
    return {{"encoder", side.label},
            {"dimensions", side.first.vectors.n_rows},
            {"limit_of_direction", side.limits.direction},
            {"failed", texts_json(found, side.failed)},
            {"unsteady", texts_json(found, side.unsteady)},
            {"passes", std::move(passes)}};
}

} // namespace

std::string same_to_text(const SameFindings& found, std::size_t width)
{
    std::string text;
    for (const std::string& line : Sentences(found).all())
        text += base::wrapped(line, width, 0) + "\n";
    return text;
}

Json same_to_json(const SameFindings& found)
{
    const Verdict& verdict = found.verdict;
    constexpr std::string_view answers[] = {"yes", "no", "could not tell"};
    Json fits = Json::array();
    if (verdict.causes)
        for (const same::Change& fit : verdict.causes->fits)
            fits.push_back({{"cause", fit.cause}, {"what", fit.what}});
    Json differing = Json::array();
    for (std::size_t i = 0; i < verdict.gaps.size(); ++i)
        differing.push_back({{"text", found.texts[verdict.differing[i]]},
                             {"direction", verdict.gaps[i].direction},
                             {"length", verdict.gaps[i].length}});
    const std::string named = verdict.is_shortened ? "dimensions"
                              : verdict.causes     ? verdict.causes->named
                              : verdict.unit       ? "normalisation"
                                                   : "";
    return {{"answer", answers[static_cast<std::size_t>(verdict.answer)]},
            {"texts", verdict.compared.size()},
            {"same", verdict.same.size()},
            {"same_direction", verdict.direction},
            {"normalises", verdict.unit ? Json(found.sides.at(*verdict.unit).label) : Json()},
            {"swapped", texts_json(found, verdict.swapped)},
            {"changed", found.sides.at(found.changed).label},
            {"fits", std::move(fits)},
            {"rounding", verdict.is_rounding},
            {"named", named.empty() ? Json() : Json(named)},
            {"encoders", {side_json(found, found.sides[0]), side_json(found, found.sides[1])}},
            {"differing", std::move(differing)}};
}

} // namespace senteval::host
