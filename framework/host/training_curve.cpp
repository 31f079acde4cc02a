#include "host/training_curve.hpp"

#include "base/csv.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "exchange/event_file.hpp"
#include "host/output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <optional>
#include <vector>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;

double posix_seconds(const std::string& date)
{
    std::tm time{};
    return strptime(date.c_str(), "%Y-%m-%dT%H:%M:%S", &time) == nullptr
               ? 0
               : static_cast<double>(timegm(&time));
}

/// A reader that follows a file sees what is appended, and not a new file in its place.
void append_events(const fs::path& file, const std::string& events)
{
    const std::string old = fs::exists(file) ? base::read_file(file) : "";
    if (old.empty() || !events.starts_with(old)) {
        base::write_file_atomically(file, events);
        return;
    }
    std::ofstream stream(file, std::ios::binary | std::ios::app);
    if (!(stream << std::string_view(events).substr(old.size()) << std::flush))
        throw base::Error("{}: it cannot be written", file.string());
}

} // namespace

std::int64_t step_of(const std::string& name)
{
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    return name.size() - digits - 1 < 18 ? std::stoll(name.substr(digits)) : -1;
}

TrainerState trainer_state_of(const fs::path& checkpoint)
{
    std::ifstream file(checkpoint / "trainer_state.json");
    const base::Json json = base::Json::parse(file, nullptr, false);
    TrainerState state;
    if (json.is_object() && json.contains("epoch") && json["epoch"].is_number())
        state.epoch = json["epoch"];
    if (json.is_object() && json.contains("global_step") && json["global_step"].is_number_integer())
        state.step = json["global_step"];
    return state;
}

void write_curve(const compare::Results& all,
                 const std::map<std::string, double>& epochs,
                 const std::string& csv,
                 const fs::path& tensorboard)
{
    const std::size_t count = all.rows().size();
    std::vector<std::string> lines{"epoch,steps"}; // then a line for each row
    for (const compare::Row& row : all.rows()) {
        const auto epoch = epochs.find(row.name());
        lines.push_back(
            fmt::format("{},{}", epoch == epochs.end() ? -1 : epoch->second, step_of(row.name())));
    }
    std::vector<exchange::Scalar> scalars;
    for (std::size_t task = 0; task < all.tasks().size(); ++task)
        for (const results::Metric& metric : all.metrics(task)) {
            const std::string tag =
                (all.tasks().size() > 1 ? all.tasks()[task] + "_" : "") + metric.path;
            std::vector<std::string> column(count);
            for (std::size_t row = 0; row < count; ++row) {
                const compare::Runs& runs = all.rows()[row].tasks[task];
                double sum = 0;
                for (const results::Cell* cell : runs)
                    sum += metric.value_in(cell->result.metrics).value_or(base::nan);
                if (runs.empty() || std::isnan(sum))
                    continue;
                const double mean = sum / static_cast<double>(runs.size()) / metric.scale();
                column[row] = fmt::format("{}", mean);
                scalars.push_back({"senteval/" + tag, step_of(all.rows()[row].name()), mean,
                                   posix_seconds(runs.front()->result.run.date)});
            }
            if (std::ranges::all_of(column, &std::string::empty))
                continue; // as of a part that the task has not
            lines.front() += "," + base::csv_field(tag);
            for (std::size_t row = 0; row < count; ++row)
                lines[row + 1] += "," + column[row];
        }
    OutputFile("--csv", csv).write(fmt::format("{}\n", fmt::join(lines, "\n")));
    if (!tensorboard.empty()) {
        std::ranges::stable_sort(scalars, {},
                                 [](const exchange::Scalar& one) { // what is new comes last
                                     return std::pair(one.seconds, one.step);
                                 });
        append_events(tensorboard, exchange::event_file(scalars));
    }
}

} // namespace senteval::host
