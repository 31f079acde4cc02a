#include "host/training_curve.hpp"

#include "base/csv.hpp"
#include "base/files.hpp"
#include "base/json.hpp"
#include "exchange/event_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <optional>
#include <vector>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;

/// What the trainer wrote beside the weights; -1: nothing.
double epoch_of(const fs::path& folder)
{
    std::ifstream file(folder / "trainer_state.json");
    const base::Json state = base::Json::parse(file, nullptr, false);
    return state.is_object() ? state.value("epoch", -1.0) : -1.0;
}

double posix_seconds(const std::string& date)
{
    std::tm time{};
    return strptime(date.c_str(), "%Y-%m-%dT%H:%M:%S", &time) == nullptr
               ? 0
               : static_cast<double>(timegm(&time));
}

} // namespace

std::int64_t step_of(const std::string& name)
{
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    return name.size() - digits - 1 < 18 ? std::stoll(name.substr(digits)) : -1;
}

void write_curve(const compare::Results& all,
                 const fs::path& training,
                 const fs::path& csv,
                 const fs::path& tensorboard)
{
    const std::size_t count = all.rows().size();
    std::vector<std::string> lines{"epoch,steps"}; // then a line for each row
    for (const compare::Row& row : all.rows()) {
        const std::string name = fs::path(row.label).filename().string();
        lines.push_back(fmt::format("{},{}", epoch_of(training / name), step_of(name)));
    }
    std::vector<exchange::Scalar> scalars;
    for (std::size_t task = 0; task < all.tasks().size(); ++task)
        for (const results::Metric& metric : all.metrics(task)) {
            const std::string tag =
                (all.tasks().size() > 1 ? all.tasks()[task] + "_" : "") + metric.path;
            std::vector<std::string> column(count);
            for (std::size_t row = 0; row < count; ++row) {
                const compare::Runs& runs = all.rows()[row].tasks[task];
                const auto value =
                    runs.empty() ? std::nullopt : metric.value_in(runs.front()->result.metrics);
                if (!value)
                    continue;
                column[row] = fmt::format("{}", *value / metric.scale());
                scalars.push_back({"senteval/" + tag,
                                   step_of(fs::path(all.rows()[row].label).filename().string()),
                                   *value / metric.scale(),
                                   posix_seconds(runs.front()->result.run.date)});
            }
            if (std::ranges::all_of(column, &std::string::empty))
                continue; // as of a part that the task has not
            lines.front() += "," + base::csv_field(tag);
            for (std::size_t row = 0; row < count; ++row)
                lines[row + 1] += "," + column[row];
        }
    if (!csv.empty())
        base::write_file_atomically(csv, fmt::format("{}\n", fmt::join(lines, "\n")));
    if (!tensorboard.empty())
        base::write_file_atomically(fs::path(tensorboard) /
                                        ("events.out.tfevents.0." + training.filename().string()),
                                    exchange::event_file(scalars));
}

} // namespace senteval::host
