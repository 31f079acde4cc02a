#include "base/byte_text.hpp"
#include "base/counted.hpp"
#include "base/json.hpp"
#include "host/output.hpp"
#include "host/run_job.hpp"
#include "results/store.hpp"
#include "run/inventory.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace senteval::host {
namespace {

using base::Json;
using run::Inventory;
using run::Listed;

/// A sentence, on lines that a terminal has room for.
template <typename... Args>
void say(fmt::format_string<Args...> format, Args&&... args)
{
    emit("{}\n", wrapped_for_reading(fmt::format(format, std::forward<Args>(args)...), 2));
}

std::string text_of(std::uint64_t bytes)
{
    return base::byte_text(static_cast<double>(bytes));
}

report::TextTable table_of(const Inventory& inventory)
{
    report::TextTable table = {{{"encoder"},
                                {"task"},
                                {"cells"},
                                {"stored"},
                                {"missing"},
                                {"sentences"},
                                {"encoding"},
                                {"dimension"},
                                {"memory"}}};
    for (const Listed& row : inventory.rows) {
        const std::string unknown = row.missing() > 0 ? "?" : "";
        table.push_back({{row.encoder},
                         {row.task},
                         {std::to_string(row.cells)},
                         {std::to_string(row.stored)},
                         {std::to_string(row.missing())},
                         {row.sentences > 0 ? std::to_string(row.sentences) : unknown},
                         {std::isnan(row.seconds) ? unknown : duration(row.seconds)},
                         {row.is_measured() ? std::to_string(*row.dimension) : unknown},
                         {row.is_measured() ? text_of(row.bytes) : unknown}});
    }
    return table;
}

/// Adds them to an object.
void add(const run::CellCounts& counts, Json& json)
{
    json.update({{"cells", counts.cells},
                 {"stored", counts.stored},
                 {"skipped", counts.skipped},
                 {"missing", counts.missing()}});
}

Json json_of(const Listed& row)
{
    Json json = {{"encoder", row.encoder}, {"task", row.task}};
    add(row, json);
    if (!row.problem.empty())
        json["problem"] = row.problem;
    if (row.sentences > 0)
        json["sentences"] = row.sentences;
    if (!std::isnan(row.seconds))
        json["encoding_seconds"] = row.seconds;
    if (row.is_measured())
        json.update({{"dimension", *row.dimension}, {"bytes", row.bytes}, {"fits", row.fits}});
    return json;
}

Json document_of(const Inventory& inventory, const run::Config& config)
{
    Json json = {{"dry_run", true},
                 {"shard", {{"index", config.shard.index}, {"count", config.shard.count}}}};
    add(inventory.all, json);
    json.update({{"bytes",
                  {{"most", inventory.largest ? inventory.largest->bytes : 0},
                   {"available", inventory.available}}},
                 {"spill", config.spill.string()},
                 {"data_warnings", inventory.data_warnings},
                 {"rows", Json::array()}});
    for (const Listed& row : inventory.rows)
        json["rows"].push_back(json_of(row));
    return json;
}

void print_sums(const Inventory& inventory, const run::Config& config)
{
    const run::CellCounts& sum = inventory.all;
    std::string text;
    if (config.shard.count > 1)
        text = fmt::format("shard {}/{}: ", config.shard.index, config.shard.count);
    text += fmt::format("{}: {} stored in '{}', {} missing", base::counted(sum.cells, "cell"),
                        sum.stored, config.output.string(), sum.missing());
    double seconds = 0;
    for (const Listed& row : inventory.rows)
        seconds += std::isnan(row.seconds) ? 0 : row.seconds;
    if (seconds > 0)
        text += fmt::format(", encoding about {}", duration(seconds));
    if (sum.skipped > 0)
        text += fmt::format(", {} with nothing to project", sum.skipped);
    say("{}", text);
    if (inventory.largest)
        say("{}: at most {} for embeddings ({} on {}); {} are free",
            config.spill.empty() ? "memory" : fmt::format("file in '{}'", config.spill.string()),
            text_of(inventory.largest->bytes), inventory.largest->encoder, inventory.largest->task,
            text_of(inventory.available));
}

void print_problems(const Inventory& inventory, const run::Config& config)
{
    for (const Listed& row : inventory.rows)
        if (!row.problem.empty())
            say("{} on {} would fail: {}", row.encoder, row.task, row.problem);
        else if (!row.fits && config.spill.empty())
            say("{} on {} does not fit in memory: use --spill DIR (its embeddings take {}; an "
                "eighth of the free memory is kept for work on them)",
                row.encoder, row.task, text_of(row.bytes));
        else if (!row.fits)
            say("{} on {} does not fit into '{}': its embeddings take {}", row.encoder, row.task,
                config.spill.string(), text_of(row.bytes));
}

void print(const Inventory& inventory, const run::Config& config)
{
    report::TerminalStyle style = table_style();
    if (!style.folds) // a file has room for all columns
        style.width = std::numeric_limits<std::size_t>::max();
    emit("{}\n", report::to_terminal(table_of(inventory), style));
    print_sums(inventory, config);
    print_problems(inventory, config);
    for (const std::string& warning : inventory.data_warnings)
        say("{}", warning);
}

int exit_code_of(const Inventory& inventory)
{
    int code = 0;
    for (const Listed& row : inventory.rows)
        if (row.usage)
            return exit_usage;
        else if (!row.problem.empty() || !row.fits)
            code = exit_failed;
    return code;
}

} // namespace

int dry_run(const RunArguments& arguments, std::stop_token stop)
{
    if (arguments.format != "table" && arguments.format != "json")
        throw base::UsageError("--format: a dry run is a table or json");
    const OutputFile json("--json", arguments.json);
    const RunJob job(arguments, std::move(stop));
    json.check_writable();
    const run::Config& config = job.config();
    results::Store(config.output).check_creatable();
    const encoder::Logger log = [&](senteval_log_level level, std::string_view encoder,
                                    std::string_view line) {
        if (level >= SENTEVAL_LOG_WARNING && !arguments.quiet)
            note("{}: {}\n", encoder, line);
    };
    const Inventory inventory =
        run::take_inventory(config, job.plan(), job.units(),
                            run::doctor(config.data, arguments.allow_unverified), log, job.stop());
    if (!json.is_standard_output())
        print(inventory, config);
    if (const std::size_t rows = job.cells_of_stack(); rows > 0 && !arguments.quiet)
        note("{} of fusions and rerankers are made of these\n", base::counted(rows, "row"));
    if (!arguments.json.empty())
        json.write(json_text(document_of(inventory, config)));
    return exit_code_of(inventory);
}

} // namespace senteval::host
