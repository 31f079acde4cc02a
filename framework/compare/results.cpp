#include "compare/results.hpp"

#include "base/distinct_names.hpp"
#include "base/names.hpp"
#include "compare/row_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace senteval::compare {
namespace {

/// When the encoder first had these vectors, as far as the result tells.
const std::string& date_of(const results::Result& result)
{
    return result.encoder.since.empty() ? result.run.date : result.encoder.since;
}

std::string earliest_date(const Row& row)
{
    std::string earliest;
    for (const Runs& runs : row.tasks)
        for (const results::Cell* cell : runs)
            if (const auto& date = date_of(cell->result); earliest.empty() || date < earliest)
                earliest = date;
    return earliest;
}

/// Label of the row with the whole vectors; of other rows their own.
std::string family_of(const Row& row)
{
    std::string label = row.label;
    const std::string part = " " + row.projection;
    if (const auto at = label.rfind(part); row.is_variant() && at != std::string::npos)
        label.erase(at, part.size());
    return label;
}

/// All results of an encoder.
struct EncoderCells {
    base::Named name; ///< as its latest result has it
    std::string fingerprint;
    std::string date;                ///< of the latest
    std::string since;               ///< of the earliest
    std::vector<std::string> labels; ///< all that it was called
    std::map<std::string, std::vector<const results::Cell*>> by_projection;

    void add(const results::Cell& cell)
    {
        const results::EncoderRecord& encoder = cell.result.encoder;
        if (labels.empty() || date_of(cell.result) < since)
            since = date_of(cell.result);
        if (labels.empty() || date < cell.result.run.date) {
            name = {encoder.label, encoder.parameters};
            date = cell.result.run.date;
        }
        name.further = {fmt::format("({:.19})", since)}; // to the second
        if (encoder.id == "callback")                    // its version is the user's
            name.further.insert(name.further.begin(), encoder.version);
        fingerprint = encoder.fingerprint;
        add_distinct(std::vector{encoder.label}, labels);
        by_projection[cell.result.protocol.projection()].push_back(&cell);
    }
};

} // namespace

std::vector<std::string> data_warnings_of(const Runs& runs)
{
    std::vector<std::string> warnings;
    for (const results::Cell* cell : runs)
        add_distinct(cell->result.data.doubts, warnings);
    return warnings;
}

void add_distinct(std::span<const std::string> texts, std::vector<std::string>& all)
{
    for (const std::string& text : texts)
        if (std::ranges::find(all, text) == all.end())
            all.push_back(text);
}

std::string training_overlap(const Runs& runs)
{
    for (const results::Cell* cell : runs)
        if (const results::Overlap& overlap = cell->result.overlap; overlap.items > 0)
            return fmt::format("{} of {}", overlap.items, overlap.of);
    return {};
}

std::vector<results::Caution> cautions_of(const Runs& runs)
{
    std::vector<results::Caution> cautions;
    for (const results::Cell* cell : runs)
        for (const results::Caution& caution : cell->result.cautions)
            if (std::ranges::find(cautions, caution.code, &results::Caution::code) ==
                cautions.end())
                cautions.push_back(caution);
    return cautions;
}

std::size_t index_of(const Results& results, const std::string& task)
{
    const auto& tasks = results.tasks();
    return static_cast<std::size_t>(std::find(tasks.begin(), tasks.end(), task) - tasks.begin());
}

Results::Results(std::vector<results::Cell> cells) : cells_(std::move(cells))
{
    drop_other_data();
    drop_copies();
    for (const results::Cell& cell : cells_)
        add_distinct(std::vector{cell.result.task.name}, tasks_);
    describe_metrics();

    std::vector<EncoderCells> encoders;        // by first appearance
    std::map<std::string, std::size_t> places; // in them, by fingerprint
    for (const results::Cell& cell : cells_) {
        const auto [at, is_new] =
            places.try_emplace(cell.result.encoder.fingerprint, encoders.size());
        if (is_new)
            encoders.emplace_back();
        encoders[at->second].add(cell);
    }
    std::ranges::stable_sort(encoders, {}, &EncoderCells::since);
    for (std::size_t at = 0; at < encoders.size(); ++at)
        places[encoders[at].fingerprint] = at;
    std::vector<base::Named> named;
    std::ranges::transform(encoders, std::back_inserter(named), &EncoderCells::name);
    const auto names = base::distinct_names(named);
    for (std::size_t at = 0; at < names.size(); ++at) {
        const auto& labels = encoders[at].labels;
        if (labels.size() > 1)
            notes_.push_back({fmt::format("'{}' are one encoder, the same in every file and "
                                          "parameter: all of its results stand here as those of "
                                          "'{}'.",
                                          fmt::join(labels, "' and '"), names[at])});
    }
    for (const results::Cell& cell : cells_) {
        const std::size_t at = places.at(cell.result.encoder.fingerprint);
        const std::string projection = cell.result.protocol.projection();
        const std::string label = projection.empty() ? names[at] : names[at] + " " + projection;
        if (const auto node = encoders[at].by_projection.extract(projection)) // its first cell
            add_rows_of(node.mapped(), label);
    }
    show();
}

std::vector<const Row*> Results::rows_called(const std::string& name) const
{
    for (const Row& row : rows_)
        if (row.label == name)
            return {&row};
    std::vector<const Row*> found;
    for (const Row& row : rows_)
        if (row.encoder == name)
            found.push_back(&row);
    return found;
}

std::vector<Note> Results::notes() const
{
    std::vector<Note> notes = notes_;
    std::vector<std::string> shown; // of the tasks that were kept
    std::copy_if(tasks_.begin(), tasks_.end(), std::back_inserter(shown),
                 [&](const std::string& task) { return shown_once_.contains(task); });
    if (!shown.empty() && rows_.size() > 1)
        notes.push_back(
            {fmt::format("{}: what rows of one encoder differ by does not concern {}: the result "
                         "stands once, in "
                         "the first of these rows.",
                         fmt::join(shown, ", "), shown.size() == 1 ? "this task" : "these tasks")});
    return notes;
}

void Results::drop_copies()
{
    using Key = std::tuple<std::string, std::string, std::string>;
    std::map<Key, std::size_t> kept; // index into `unique`
    std::vector<results::Cell> unique;
    for (results::Cell& cell : cells_) {
        const results::Protocol& protocol = cell.result.protocol;
        const std::string of_one_seed =
            cell.result.task.name + base::to_text(protocol.settings_without_seed());
        const auto [at, is_new] =
            kept.try_emplace({cell.result.encoder.fingerprint,
                              protocol.deterministic ? of_one_seed : protocol.fingerprint,
                              settings_of(cell)["data"]},
                             unique.size());
        if (is_new) {
            unique.push_back(std::move(cell));
            continue;
        }
        if (results::Cell& other = unique[at->second]; other.result.run.date < cell.result.run.date)
            std::swap(other, cell);
    }
    cells_ = std::move(unique);
}

void Results::drop_other_data()
{
    using Key = std::tuple<std::string, std::string, std::string, std::string>;
    const auto key_of = [](const results::Cell& cell) {
        Settings settings = settings_of(cell);
        return Key{cell.result.encoder.fingerprint, cell.result.task.name, settings["data"],
                   settings["limit"]};
    };
    struct Latest {
        std::string date;
        std::string label;
        base::Json files;
        std::size_t dropped = 0; ///< results of other files
    };
    std::map<Key, Latest> latest;
    for (const results::Cell& cell : cells_) {
        const std::string& date = cell.result.run.date;
        const auto [at, is_new] = latest.try_emplace(key_of(cell));
        if (is_new || at->second.date < date)
            at->second = {date, cell.result.encoder.label, cell.result.data.files};
    }
    std::erase_if(cells_, [&](const results::Cell& cell) {
        Latest& kept = latest[key_of(cell)];
        const bool is_older = cell.result.data.files != kept.files;
        kept.dropped += is_older ? 1U : 0U;
        return is_older;
    });
    for (const auto& [key, kept] : latest)
        if (kept.dropped > 0)
            notes_.push_back({fmt::format(
                "{} of '{}': results of other data files than the latest, of {}, are left out: {}.",
                std::get<1>(key), kept.label, kept.date, kept.dropped)});
}

void Results::describe_metrics()
{
    metrics_.resize(tasks_.size());
    parts_.resize(tasks_.size());
    for (const results::Cell& cell : cells_) {
        const results::TaskRecord& task = cell.result.task;
        const std::size_t at = index_of(*this, task.name);
        parts_[at] = task.part_of();
        auto& known = metrics_[at];
        if (known.empty())
            known.push_back(task.headline_metric());
        for (const results::Metric& metric : task.metrics)
            if (results::find_metric(known, metric.path) == nullptr)
                known.push_back(metric);
    }
}

void Results::add_rows_of(const std::vector<const results::Cell*>& encoder,
                          const std::string& label)
{
    const auto keys = varying_settings(encoder);
    std::vector<const results::Cell*> whole; // trained on all there is
    std::copy_if(encoder.begin(), encoder.end(), std::back_inserter(whole),
                 [](const results::Cell* cell) { return cell->result.protocol.resample() == 0; });
    for (const Settings& signature : row_signatures(whole, keys)) {
        Row row;
        row.encoder = label;
        const results::Result& first = encoder.front()->result;
        row.projection = first.protocol.projection();
        row.settings = signature;
        row.variant = describe(signature);
        row.label = label_of(label, signature);
        row.dimension = first.scored_dimension();
        row.bytes = first.bytes_of_vector();
        row.tasks.resize(tasks_.size());
        row.resampled.resize(tasks_.size());
        for (const results::Cell* cell : encoder) {
            if (!agrees(restricted(*cell, keys), signature))
                continue;
            auto& runs = cell->result.protocol.resample() == 0 ? row.tasks : row.resampled;
            runs[index_of(*this, cell->result.task.name)].push_back(cell);
        }
        const auto order = [](const results::Cell* cell) {
            const results::Protocol& protocol = cell->result.protocol;
            return std::pair(protocol.resample(), protocol.seed().value_or(0));
        };
        for (auto* tasks : {&row.tasks, &row.resampled})
            for (Runs& runs : *tasks)
                std::ranges::sort(runs, {}, order);
        kept_.push_back(std::move(row));
    }
}

void Results::show()
{
    std::set<const results::Cell*> placed;
    rows_ = kept_;
    shown_once_.clear();
    for (Row& row : rows_)
        for (auto* tasks : {&row.tasks, &row.resampled})
            for (Runs& runs : *tasks)
                std::erase_if(runs, [&](const results::Cell* cell) {
                    const bool stands_above = !placed.insert(cell).second;
                    if (stands_above)
                        shown_once_.insert(cell->result.task.name);
                    return stands_above;
                });
    std::erase_if(rows_, [](const Row& row) {
        return std::ranges::all_of(row.tasks, [](const Runs& runs) { return runs.empty(); });
    });
    std::map<std::string, std::string> dates; // by family
    for (const Row& row : rows_)
        if (auto& date = dates[family_of(row)]; date.empty() || earliest_date(row) < date)
            date = earliest_date(row);
    const auto place = [&](const Row& row) {
        const auto pattern = std::ranges::find_if(order_, [&](const std::string& any) {
            return base::matches(row.label, any) || base::matches(row.encoder, any);
        });
        const std::string family = family_of(row);
        std::pair<std::int64_t, std::int64_t> smallness; // from large to small
        if (row.is_variant())
            smallness = {-static_cast<std::int64_t>(row.bytes),
                         -static_cast<std::int64_t>(row.dimension)};
        return std::tuple(pattern - order_.begin(), dates.at(family), family, row.is_variant(),
                          smallness, row.label);
    };
    std::ranges::stable_sort(rows_, {}, place);
}

std::string Row::name() const
{
    for (const Runs& runs : tasks)
        if (!runs.empty())
            return runs.front()->result.encoder.label;
    return encoder;
}

void Results::place_rows(std::span<const std::size_t> order)
{
    std::vector<Row> placed;
    for (const std::size_t row : order)
        placed.push_back(std::move(rows_[row]));
    rows_ = std::move(placed);
}

KnownTask Results::known(const std::string& task) const
{
    const auto at = known_.find(task);
    return at == known_.end() ? KnownTask() : at->second;
}

std::vector<const results::Cell*> Results::cells() const
{
    std::set<const results::Cell*> shown;
    for (const Row& row : rows_)
        for (const Runs& runs : row.tasks)
            shown.insert(runs.begin(), runs.end());
    std::vector<const results::Cell*> cells;
    const auto add_shown = [&](const auto& some) {
        for (const results::Cell& cell : some)
            if (shown.contains(&cell))
                cells.push_back(&cell);
    };
    add_shown(cells_);
    add_shown(joined_);
    return cells;
}

} // namespace senteval::compare
