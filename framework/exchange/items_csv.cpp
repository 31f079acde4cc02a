#include "exchange/items_csv.hpp"

#include "base/csv.hpp"
#include "compare/results.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace senteval::exchange {
namespace {

std::string number_or_empty(double value)
{
    return std::isnan(value) ? std::string() : fmt::format("{}", value);
}

std::string name_of(const results::Outcomes& outcomes, double value)
{
    const auto index = static_cast<std::size_t>(value);
    return outcomes.kind == "class" && index < outcomes.classes.size()
               ? base::csv_field(outcomes.classes[index])
               : number_or_empty(value);
}

std::string source_of(std::uint32_t source)
{
    return source == results::ItemTraits::alone ? std::string() : std::to_string(source);
}

void add_cell(const std::string& label,
              const results::Cell& cell,
              const std::string& trained_on,
              const std::string& doubts,
              std::string& out)
{
    const results::Outcomes& outcomes = cell.items.outcomes;
    const std::string head =
        fmt::format("{},{},{}", base::csv_field(label), cell.result.protocol.seed().value_or(0),
                    cell.result.protocol.resample());
    for (std::size_t at = 0; at < outcomes.rows.size(); ++at) {
        const results::ItemOutcome& row = outcomes.rows[at];
        const results::ItemTraits& traits = cell.items.traits[at];
        fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{},{},{},{},{}\n", head, row.item,
                       base::csv_field(outcomes.groups[row.group]), name_of(outcomes, row.gold),
                       name_of(outcomes, row.prediction), number_or_empty(row.score),
                       source_of(traits.source_first),
                       std::isnan(traits.overlap) ? "" : source_of(traits.source_second), // no pair
                       trained_on, doubts);
    }
}

} // namespace

std::vector<ItemsFile> items_to_csv(const compare::Results& results)
{
    std::vector<ItemsFile> files;
    for (std::size_t task = 0; task < results.tasks().size(); ++task) {
        std::string content = "encoder,seed,resample,item,group,gold,prediction,score,"
                              "source_first,source_second,trained_on,doubts\n";
        for (const compare::Row& row : results.rows())
            for (const auto* runs : {&row.tasks[task], &row.resampled[task]})
                for (const results::Cell* cell : *runs) {
                    auto doubts = compare::data_warnings_of({cell});
                    for (const results::Caution& caution : cell->result.cautions)
                        doubts.push_back(caution.text);
                    add_cell(row.label, *cell, base::csv_field(compare::training_overlap({cell})),
                             base::csv_field(fmt::format("{}", fmt::join(doubts, "; "))), content);
                }
        files.push_back({results.tasks()[task] + ".csv", std::move(content)});
    }
    return files;
}

} // namespace senteval::exchange
