#include "results/merge.hpp"

#include "base/error.hpp"

#include <optional>
#include <utility>

namespace senteval::results {
namespace {

namespace fs = std::filesystem;
using base::Json;

/// What two computations of one cell agree in.
Json substance_of(Json document)
{
    document.erase("run");
    document.at("encoder").erase("label"); // a name that each run is free to choose
    document["outcomes"].erase(
        "findings"); // a fingerprint of members, which are compared themselves
    return document;
}

/// Where two documents differ first, such as "/metrics/acc"; empty where they do not.
std::string difference(const Json& a, const Json& b)
{
    const Json steps = Json::diff(substance_of(a), substance_of(b));
    return steps.empty() ? "" : steps.front().at("path").get<std::string>();
}

void add(Cell cell, const fs::path& from, const Store& into, Merged& merged)
{
    const std::optional<Cell> present = into.find(cell.document);
    if (!present) {
        into.save(cell);
        ++merged.added;
        return;
    }
    const std::string where = difference(present->document, cell.document);
    if (where.empty()) {
        ++merged.same;
        return;
    }
    merged.conflicts.push_back(fmt::format(
        "'{}' and '{}' are the same encoder, task and protocol and differ in {}",
        into.path_of(cell.document).string(), Store(from).path_of(cell.document).string(), where));
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
        for (const Json& cost : Store(store).costs())
            if (!into.has_cost(cost))
                into.save_cost(cost);
        for (Cell& cell : cells)
            add(std::move(cell), store, into, merged);
    }
    return merged;
}

} // namespace senteval::results
