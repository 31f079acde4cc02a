#include "results/merge.hpp"

#include "base/error.hpp"

#include <optional>
#include <utility>

namespace senteval::results {
namespace {

namespace fs = std::filesystem;

/// The parts in which two computations of one cell agree.
base::Json substance_of(Result result)
{
    result.run = {};
    result.encoder.label = ""; // a name that each run is free to choose
    result.encoder.since = "";
    result.outcomes.findings = ""; // a fingerprint of members, which are compared themselves
    return to_json(result);
}

/// The first path at which two results differ, such as "/metrics/acc"; empty where they do not.
std::string difference(const Result& a, const Result& b)
{
    const base::Json steps = base::Json::diff(substance_of(a), substance_of(b));
    return steps.empty() ? "" : steps.front().at("path").get<std::string>();
}

void add(Cell cell, const fs::path& from, const Store& into, Merged& merged)
{
    const std::optional<Cell> present = into.find(cell.result);
    if (!present) {
        into.save(cell);
        ++merged.added;
        return;
    }
    const std::string where = difference(present->result, cell.result);
    if (where.empty()) {
        ++merged.same;
        return;
    }
    merged.conflicts.push_back(fmt::format(
        "'{}' and '{}' are the same encoder, task and protocol and differ in {}",
        into.path_of(cell.result).string(), Store(from).path_of(cell.result).string(), where));
}

} // namespace

Merged merge(std::span<const fs::path> stores, const Store& into)
{
    for (const fs::path& store : stores)
        if (!fs::is_directory(store))
            throw base::UsageError("there is no result store '{}'", store.string());
    into.check_writable();
    Merged merged;
    for (const fs::path& store : stores) {
        const std::size_t before = merged.problems.size();
        auto cells = Store(store).load_all(merged.problems);
        const bool is_other =
            cells.empty() && merged.problems.size() == before && !fs::is_empty(store);
        if (is_other) // a shard may have had nothing to do
            throw base::UsageError("'{}' is no result store: there is no result in it",
                                   store.string());
        if (cells.empty())
            merged.empty.push_back(store);
        std::vector<std::string> left_out; // as in a comparison
        for (const Cost& cost : Store(store).costs(left_out))
            if (!into.has_cost(cost))
                into.save_cost(cost);
        for (Cell& cell : cells)
            add(std::move(cell), store, into, merged);
        std::error_code without_cells;
        for (const auto& files : {Store(store).probes(), Store(store).rankings()})
            for (const fs::path& file : files)
                fs::copy_file(file, into.folder() / file.lexically_relative(store),
                              fs::copy_options::skip_existing, without_cells);
    }
    return merged;
}

} // namespace senteval::results
