#include "host/dry_run_table.hpp"

#include "core/byte_text.hpp"
#include "core/csv.hpp"
#include "host/progress_bar.hpp"
#include "host/terminal.hpp"
#include "report/table.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>
#include <vector>

namespace senteval::host {
namespace {

using run::Prospect;

/// "12 s", and "12 s + ?" where the pace of the encoder is not known.
std::string time_of(const Prospect& one)
{
    return in_words(one.encode.value_or(0) + one.fit.seconds) + (one.encode ? "" : " + ?");
}

std::string memory_of(const Prospect& one)
{
    const auto text = [](std::uint64_t bytes) {
        return core::byte_text(static_cast<double>(bytes));
    };
    return text(one.bytes_in_memory()) +
           (one.is_spilled ? ", file " + text(one.bytes_in_file()) : "");
}

std::vector<std::string> row_of(const Prospect& one)
{
    const auto text = [](std::size_t count) { return fmt::format("{}", count); };
    if (!one.problem.empty())
        return {one.encoder, one.task, text(one.cells), text(one.stored)};
    if (one.to_do() == 0)
        return {one.encoder, one.task, text(one.cells), text(one.stored), text(one.sentences)};
    const bool has_dimension = one.dimension.has_value();
    return {one.encoder,
            one.task,
            text(one.cells),
            text(one.stored),
            text(one.sentences),
            text(one.to_encode),
            text(one.cached),
            has_dimension ? text(*one.dimension) : "?",
            has_dimension ? time_of(one) : "?",
            has_dimension ? memory_of(one) : "?"};
}

report::TextTable table_of(std::span<const Prospect> prospects)
{
    report::TextTable table = {{{"encoder"},
                                {"task"},
                                {"cells"},
                                {"stored"},
                                {"sentences"},
                                {"to encode"},
                                {"cached"},
                                {"dimension"},
                                {"time"},
                                {"memory"}}};
    const std::size_t columns = table.front().size();
    for (const Prospect& one : prospects) {
        auto& row = table.emplace_back();
        for (std::string& text : row_of(one))
            row.push_back({std::move(text)});
        row.resize(columns);
    }
    return table;
}

} // namespace

std::string in_words(double seconds)
{
    return seconds < 1 ? "< 1 s" : duration(seconds);
}

std::string as_columns(std::span<const Prospect> prospects)
{
    report::TerminalStyle style = table_style();
    if (!style.folds) // a file has room for all columns
        style.width = std::numeric_limits<std::size_t>::max();
    return report::to_terminal(table_of(prospects), style);
}

std::string as_markdown(std::span<const Prospect> prospects)
{
    return report::to_markdown(table_of(prospects));
}

std::string as_csv(std::span<const Prospect> prospects)
{
    std::string text =
        "encoder,task,cells,stored,to_do,sentences,to_encode,cached,dimension,seconds,"
        "bytes,bytes_in_file,fits,problem\n";
    for (const Prospect& one : prospects)
        text += fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", core::csv_field(one.encoder),
            core::csv_field(one.task), one.cells, one.stored, one.to_do(), one.sentences,
            one.to_encode, one.cached, one.dimension ? fmt::format("{}", *one.dimension) : "",
            one.dimension ? fmt::format("{:.3f}", one.encode.value_or(0) + one.fit.seconds) : "",
            one.vectors ? fmt::format("{}", one.bytes_in_memory()) : "",
            one.vectors ? fmt::format("{}", one.bytes_in_file()) : "",
            one.fits ? fmt::format("{}", *one.fits) : "", core::csv_field(one.problem));
    return text;
}

core::Json to_json(const Prospect& one)
{
    using core::Json;
    Json json = {{"encoder", one.encoder}, {"task", one.task},          {"cells", one.cells},
                 {"stored", one.stored},   {"replaced", one.replaced},  {"skipped", one.skipped},
                 {"to_do", one.to_do()},   {"sentences", one.sentences}};
    json["other_builds"] = one.other_builds;
    json["fits"] = one.fits ? Json(*one.fits) : Json();
    if (!one.problem.empty()) {
        json["problem"] = one.problem;
        return json;
    }
    if (one.to_do() == 0)
        return json;
    json["to_encode"] = one.to_encode;
    json["cached"] = one.cached;
    json["dimension"] = one.dimension ? Json(*one.dimension) : Json();
    json["seconds"] = {{"encode", one.encode ? Json(*one.encode) : Json()},
                       {"fit", one.dimension ? Json(one.fit.seconds) : Json()}};
    json["bytes"] = {{"vectors", one.vectors ? Json(*one.vectors) : Json()},
                     {"features", one.features}};
    json["tight"] = one.is_tight;
    return json;
}

} // namespace senteval::host
