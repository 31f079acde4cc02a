#include "run/geometry.hpp"

#include "embedding/geometry.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::run {
namespace {

/// Different texts, each with its place.
struct Texts {
    std::vector<text::Sentence> all;
    std::map<std::string_view, std::uint32_t> places;

    explicit Texts(std::span<const text::Sentence> samples)
    {
        constexpr std::size_t most = 2000;
        for (const text::Sentence& sample : samples)
            if (all.size() < most &&
                places.try_emplace(sample.text, static_cast<std::uint32_t>(all.size())).second)
                all.push_back(sample);
    }
};

std::vector<std::pair<std::uint32_t, std::uint32_t>>
alike_among(const Texts& texts, const task::LoadedTask& loaded, const results::Outcomes& outcomes)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> alike;
    if (outcomes.rows.empty())
        return alike;
    const auto [least, most] = std::ranges::minmax(outcomes.rows, {}, &results::ItemOutcome::gold);
    double enough = most.gold - .2 * (most.gold - least.gold);
    if (outcomes.kind == "class") // gold is the place of "1"
        enough = static_cast<double>(std::ranges::find(outcomes.classes, "1") -
                                     outcomes.classes.begin());
    for (const results::ItemOutcome& row : outcomes.rows) {
        const task::ItemText item = loaded.item(row.item);
        const auto first = texts.places.find(item.first.text);
        const auto second = texts.places.find(item.second.text);
        const bool is_alike = outcomes.kind == "class" ? row.gold == enough : row.gold >= enough;
        if (item.is_pair && is_alike && first != texts.places.end() && second != texts.places.end())
            alike.emplace_back(first->second, second->second);
    }
    return alike;
}

} // namespace

base::Json geometry_of(const task::LoadedTask& loaded,
                       const results::Outcomes& outcomes,
                       encoder::Session& session)
{
    const Texts texts(loaded.samples());
    const auto embedded = session.embed(texts.all);
    arma::fmat vectors(embedded.dimension(), texts.all.size());
    for (std::size_t at = 0; at < texts.all.size(); ++at)
        std::memcpy(vectors.colptr(at), embedded.vector(at), embedded.dimension() * sizeof(float));
    const auto found = embedding::geometry_of(vectors, alike_among(texts, loaded, outcomes));
    base::Json json = {{"texts", found.texts}, {"pairs", found.pairs}};
    for (const auto& [name, value] : {std::pair("alignment", found.alignment),
                                      {"uniformity", found.uniformity},
                                      {"effective_rank", found.effective_rank},
                                      {"hubness", found.hubness}})
        if (std::isfinite(value))
            json[name] = value;
    return json;
}

base::Json known_geometry(const results::Store* store, const results::Result& record)
{
    const auto stored = store == nullptr ? std::nullopt : store->find(record);
    if (!stored || !results::same_input(stored->result, record))
        return {};
    return stored->result.details.value("geometry", base::Json());
}

} // namespace senteval::run
