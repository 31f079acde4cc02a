#include "host/dry_run.hpp"

#include "core/byte_text.hpp"
#include "core/counted.hpp"
#include "core/json.hpp"
#include "host/dry_run_table.hpp"
#include "host/exit_codes.hpp"
#include "host/output.hpp"
#include "host/output_file.hpp"
#include "host/run_job.hpp"
#include "host/team_run.hpp"
#include "host/terminal.hpp"
#include "run/forecast.hpp"
#include "run/store.hpp"
#include "team/makespan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace senteval::host {
namespace {

/// A sentence, on lines that a terminal has room for.
template <typename... Args>
void say(fmt::format_string<Args...> format, Args&&... args)
{
    emit("{}\n", wrapped_for_reading(fmt::format(format, std::forward<Args>(args)...), 2));
}

using core::Json;
using run::Prospect;

/// The whole run, of all processes.
struct Sum {
    std::size_t cells = 0;
    std::size_t stored = 0;
    std::size_t replaced = 0;
    std::size_t skipped = 0;
    std::size_t to_do = 0;
    std::size_t failing = 0; ///< cells
    std::size_t sentences = 0;
    std::size_t cached = 0;
    run::Expected time;
    std::set<std::string> pace_unknown;      ///< encoders
    std::set<std::string> dimension_unknown; ///< likewise
    const Prospect* largest = nullptr;       ///< that holds most memory
    const Prospect* largest_file = nullptr;  ///< that takes most of the disk
};

/// What the run takes on one process, or on several that share it as the scheduler has it.
void add_time(Sum& sum, const run::Forecast& forecast, const RunJob& job, std::size_t processes)
{
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> vectors;
    std::vector<team::TimedPiece> pieces;
    run::Expected whole;
    for (const Prospect& prospect : forecast.prospects) {
        if (prospect.to_do() == 0)
            continue;
        const run::Unit& unit = job.units()[prospect.unit];
        const double encode = prospect.encode.value_or(0);
        const auto number = vectors.try_emplace({unit.encoder, unit.task}, vectors.size());
        const double fit = prospect.fit.seconds;
        const team::UnitCost cost = unit_cost(job, unit, prospect.to_do(), encode + fit);
        pieces.push_back({{unit.encoder, number.first->second, cost.seconds, 0, 0, prospect.to_do(),
                           cost.divisible, cost.fit_jobs},
                          encode,
                          fit});
        constexpr double encoding_factor = 1.3;
        whole.add(encode, encoding_factor);
        whole.seconds += prospect.fit.seconds;
        whole.low += prospect.fit.low;
        whole.high += prospect.fit.high;
    }
    const double seconds = team::simulate(pieces, forecast.load, processes).seconds;
    const double scale = whole.seconds > 0 ? seconds / whole.seconds : 1;
    sum.time = {seconds, whole.low * scale, whole.high * scale};
}

Sum sum_of(const run::Forecast& forecast, const RunJob& job, std::size_t processes)
{
    Sum sum;
    for (const Prospect& one : forecast.prospects) {
        sum.cells += one.cells;
        sum.stored += one.stored;
        sum.replaced += one.replaced;
        sum.skipped += one.skipped;
        sum.to_do += one.to_do();
        if (!one.problem.empty())
            sum.failing += one.cells - one.stored;
        if (one.to_do() == 0)
            continue;
        sum.sentences += one.to_encode;
        sum.cached += one.cached;
        if (!one.encode)
            sum.pace_unknown.insert(one.encoder);
        if (!one.dimension)
            sum.dimension_unknown.insert(one.encoder);
        if (!sum.largest || one.bytes_in_memory() > sum.largest->bytes_in_memory())
            sum.largest = &one;
        if (!sum.largest_file || one.bytes_in_file() > sum.largest_file->bytes_in_file())
            sum.largest_file = &one;
    }
    add_time(sum, forecast, job, processes);
    return sum;
}

class DryRun {
public:
    DryRun(const RunJob& job,
           const run::Config& config,
           run::Forecast forecast,
           std::size_t processes)
        : config_(config),
          forecast_(std::move(forecast)),
          processes_(processes),
          sum_(sum_of(forecast_, job, processes))
    {
    }

    [[nodiscard]] Json document() const
    {
        Json prospects = Json::array();
        for (const Prospect& one : forecast_.prospects)
            prospects.push_back(to_json(one));
        const run::Shard& shard = config_.shard;
        Json json = {{"dry_run", true},
                     {"shard", {{"index", shard.index}, {"count", shard.count}}},
                     {"processes", processes_},
                     {"threads", config_.threads},
                     {"cells", sum_.cells},
                     {"stored", sum_.stored},
                     {"replaced", sum_.replaced},
                     {"skipped", sum_.skipped},
                     {"to_do", sum_.to_do},
                     {"sentences", sum_.sentences},
                     {"cached", sum_.cached},
                     {"seconds",
                      {{"expected", sum_.time.seconds},
                       {"low", sum_.time.low},
                       {"high", sum_.time.high},
                       {"encoding_unknown", sum_.pace_unknown},
                       {"dimension_unknown", sum_.dimension_unknown},
                       {"learned_from", forecast_.fits_known},
                       {"left_out", forecast_.fits_limited}}},
                     {"bytes",
                      {{"most", sum_.largest ? sum_.largest->bytes_in_memory() : 0},
                       {"most_in_file", sum_.largest ? sum_.largest_file->bytes_in_file() : 0},
                       {"available", forecast_.available_memory},
                       {"available_to_spill", forecast_.available_disk}}},
                     {"spill", config_.spill.string()},
                     {"doubts", forecast_.doubts}};
        json["prospects"] = std::move(prospects);
        return json;
    }

    void print(const std::string& format) const
    {
        if (format == "csv") {
            emit_data(as_csv(forecast_.prospects));
            return;
        }
        emit("{}\n", format == "markdown" ? as_markdown(forecast_.prospects)
                                          : as_columns(forecast_.prospects));
        print_work();
        print_other_builds();
        if (sum_.to_do > 0) {
            print_time();
            print_memory();
        }
        for (const Prospect& one : forecast_.prospects)
            if (!one.problem.empty())
                say("{} on {} would fail: {}", one.encoder, one.task, one.problem);
        for (const std::string& doubt : forecast_.doubts)
            say("{}", doubt);
        if (const std::string warning = warning_of_halves(config_); !warning.empty())
            say("{}", warning);
    }

    [[nodiscard]] int exit_code() const
    {
        int code = 0;
        for (const Prospect& one : forecast_.prospects)
            if (one.usage)
                return exit_usage;
            else if (!one.problem.empty() || one.fits == false)
                code = exit_failed;
        return code;
    }

private:
    void print_work() const
    {
        const run::Shard& shard = config_.shard;
        const std::string part =
            shard.count > 1 ? fmt::format("shard {}/{}: ", shard.index, shard.count) : "";
        std::string text = part + core::counted(sum_.cells, "cell");
        if (config_.overwrite != run::Overwrite::always)
            text +=
                fmt::format(", {} of them stored in '{}'", sum_.stored, config_.output.string());
        if (sum_.skipped > 0)
            text += fmt::format(", {} with nothing to project", sum_.skipped);
        if (sum_.failing > 0)
            text += fmt::format(", {} would fail", sum_.failing);
        text += fmt::format(": {} to compute, {} to encode", sum_.to_do,
                            core::counted(sum_.sentences, "sentence"));
        if (!config_.cache.empty())
            text += fmt::format(", beside {} in the cache", sum_.cached);
        say("{}", text);
        if (sum_.replaced > 0)
            say("{} of these cells {} in '{}' and would be computed again: --resume keeps {}",
                sum_.replaced, sum_.replaced == 1 ? "is" : "are", config_.output.string(),
                sum_.replaced == 1 ? "it" : "them");
    }

    /// Nobody expects results of two builds side by side.
    void print_other_builds() const
    {
        std::map<std::string, std::vector<std::string>> where;
        std::map<std::string, std::size_t> count;
        for (const Prospect& one : forecast_.prospects)
            for (const auto& [build, cells] : one.other_builds) {
                where[build].push_back(fmt::format("{} on {}", one.encoder, one.task));
                count[build] += cells;
            }
        for (const auto& [build, prospects] : where)
            say("{} of another build ({}) would stay: {}", core::counted(count[build], "cell"),
                build, fmt::join(prospects, ", "));
    }

    [[nodiscard]] std::string experience() const
    {
        if (forecast_.fits_known > 0)
            return fmt::format("; from {} of this machine",
                               core::counted(forecast_.fits_known, "result"));
        std::string text = "; no result in the store tells how fast this machine is";
        if (forecast_.fits_limited > 0)
            text += fmt::format(" ({} of --limit, too few items to tell)",
                                core::counted(forecast_.fits_limited, "result"));
        return text;
    }

    void print_time() const
    {
        std::string on = core::counted(config_.threads, "thread");
        if (processes_ > 1)
            on += fmt::format(" of each of {} processes", processes_);
        const bool is_known = sum_.pace_unknown.empty() && sum_.dimension_unknown.empty();
        std::string text =
            fmt::format("time: {} on {}, an estimate",
                        is_known ? in_words(sum_.time.seconds) : at_least(sum_.time.seconds), on);
        if (sum_.time.low >= 1)
            text += fmt::format(", probably between {} and {}", in_words(sum_.time.low),
                                in_words(sum_.time.high));
        else if (sum_.time.high >= 1)
            text += fmt::format(", probably at most {}", in_words(sum_.time.high));
        text += experience();
        if (!sum_.dimension_unknown.empty())
            text += fmt::format("; without {}, of unknown dimension",
                                fmt::join(sum_.dimension_unknown, ", "));
        if (!sum_.pace_unknown.empty())
            text += fmt::format("; without encoding by {}, of unknown pace",
                                fmt::join(sum_.pace_unknown, ", "));
        say("{}", text);
    }

    void print_memory() const
    {
        const bool spills = !config_.spill.empty();
        const std::string each = processes_ > 1 ? " in each process" : "";
        if (sum_.largest->dimension)
            say("memory: at most {} for {} ({} on {}){}, beside what encoders hold; {} are free",
                text_of(sum_.largest->bytes_in_memory()),
                spills ? "features" : "vectors and features", sum_.largest->encoder,
                sum_.largest->task, each, text_of(forecast_.available_memory));
        if (spills && sum_.largest_file->dimension)
            say("file: at most {} for vectors ({} on {}){}; {} are free in '{}'",
                text_of(sum_.largest_file->bytes_in_file()), sum_.largest_file->encoder,
                sum_.largest_file->task, each, text_of(forecast_.available_disk),
                config_.spill.string());
        for (const Prospect& one : forecast_.prospects)
            print_want_of_room(one);
    }

    void print_want_of_room(const Prospect& one) const
    {
        const std::string vectors = text_of(one.vectors.value_or(0));
        if (one.fits == false && !one.is_spilled)
            say("{} on {} does not fit in memory: use --spill DIR (its vectors take {}; an eighth "
                "of what is free is left to what is done with them)",
                one.encoder, one.task, vectors);
        else if (one.fits == false)
            say("{} on {} does not fit into '{}': its vectors take {}", one.encoder, one.task,
                config_.spill.string(), vectors);
        else if (one.is_tight)
            say("{} on {} may run out of memory: {} with its features{}", one.encoder, one.task,
                text_of(one.bytes_in_memory()), one.is_spilled ? "" : "; use --spill DIR");
    }

    /// Of what is left out of it nothing is known.
    static std::string at_least(double seconds)
    {
        constexpr double shortest = 0.01; // of any run
        return "at least " + (seconds < 1 ? fmt::format("{:.2f} s", std::max(seconds, shortest))
                                          : in_words(seconds));
    }

    static std::string text_of(std::uint64_t bytes)
    {
        return core::byte_text(static_cast<double>(bytes));
    }

    const run::Config& config_;
    run::Forecast forecast_;
    std::size_t processes_;
    Sum sum_;
};

} // namespace

int dry_run(const RunArguments& arguments, const team::Transport* team, std::stop_token stop)
{
    const OutputFile json("--json", arguments.json);
    const RunJob job(arguments, std::move(stop));
    json.check_writable();
    run::Config config = job.config();
    run::Store(config.output).check_creatable();
    config.threads =
        team != nullptr ? threads_for(job, *team) : run::evaluate_options(config).threads;
    const encoder::Logger log = [&](senteval_log_level level, std::string_view encoder,
                                    std::string_view line) {
        if (level >= SENTEVAL_LOG_WARNING && !arguments.quiet)
            note("{}: {}\n", encoder, line);
    };
    const DryRun dry(job, config,
                     run::forecast(config, job.plan(), job.units(),
                                   run::doctor(config.data, arguments.allow_unverified), log,
                                   job.stop()),
                     team != nullptr ? team->size() : 1);
    if (!json.is_standard_output())
        dry.print(arguments.format);
    if (!arguments.json.empty())
        json.write(json_text(dry.document()));
    return dry.exit_code();
}

} // namespace senteval::host
