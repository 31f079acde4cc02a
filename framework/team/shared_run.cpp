#include "team/shared_run.hpp"

#include <map>
#include <utility>

namespace senteval::team {

using core::Json;

Json to_message(const Piece& piece, run::Folds folds, bool shares_vectors)
{
    return {{"unit", piece.unit},
            {"first", piece.first},
            {"cells", piece.cells},
            {"folds", static_cast<int>(folds)},
            {"shares_vectors", shares_vectors}};
}

run::Unit unit_from(const SharedRun& run, const Json& message)
{
    run::Unit unit = run.units.at(message.at("unit").get<std::size_t>());
    const auto first = unit.settings.begin() + message.at("first").get<std::ptrdiff_t>();
    unit.settings = {first, first + message.at("cells").get<std::ptrdiff_t>()};
    unit.folds = static_cast<run::Folds>(message.at("folds").get<int>());
    unit.cached = run.caches_all || message.at("shares_vectors").get<bool>() ||
                  unit.folds == run::Folds::of_another;
    return unit;
}

/// Units of one encoder and task need the same vectors.
std::vector<Piece> pieces_of(const SharedRun& run)
{
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> numbers;
    std::vector<Piece> pieces;
    for (std::size_t at = 0; at < run.units.size(); ++at) {
        const run::Unit& unit = run.units[at];
        const UnitCost& cost = run.costs[at];
        const auto number = numbers.try_emplace({unit.encoder, unit.task}, numbers.size());
        pieces.push_back({unit.encoder, number.first->second, cost.seconds, at, 0,
                          unit.settings.size(), cost.divisible, cost.fit_jobs});
    }
    return pieces;
}

} // namespace senteval::team
