#include "results/store.hpp"

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/fingerprint.hpp"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

namespace senteval::results {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t shown_digits = 12;

constexpr const char* of_results = ".json";
constexpr const char* of_costs = ".cost";
constexpr const char* of_probes = ".probe";
constexpr const char* of_rankings = ".ranking";

fs::path items_path(fs::path document_path)
{
    return document_path.replace_extension(".items");
}

fs::path rankings_path(fs::path document_path)
{
    return document_path.replace_extension(of_rankings);
}

std::string made_of(const Result& result)
{
    return base::fingerprint(result.encoder.fingerprint + result.protocol.fingerprint +
                             base::to_text(result.data.files));
}

Result read_result(const fs::path& path)
{
    Result result = from_json(base::parse_json(base::MappedFile(path).bytes()));
    if (result.outcomes == OutcomesRecord())
        throw base::Error("'/outcomes' is not there");
    return result;
}

std::vector<fs::path> folders_in(const fs::path& folder)
{
    std::vector<fs::path> folders;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (std::error_code ignored; at->is_directory(ignored))
            folders.push_back(at->path());
    std::sort(folders.begin(), folders.end());
    return folders;
}

/// Every file of that kind in the encoders' folders of a store, in order.
std::vector<fs::path> documents_in(const fs::path& store, const char* kind = of_results)
{
    std::vector<fs::path> paths;
    for (const fs::path& encoder : folders_in(store)) {
        std::error_code error;
        for (fs::directory_iterator at(encoder, error), end; !error && at != end;
             at.increment(error))
            if (at->path().extension() == kind)
                paths.push_back(at->path());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

/// The result at `path`, or nothing when it is not there, damaged, or its items are not its own.
std::optional<Cell> load_cell(const fs::path& path, std::string& problem)
{
    try {
        Cell cell{read_result(path), {}};
        const base::MappedFile items(items_path(path));
        if (base::fingerprint(items.bytes()) != cell.result.outcomes.fingerprint)
            throw base::Error("its items have changed since it was written");
        cell.items = decode_items(items.bytes());
        return cell;
    } catch (const std::exception& e) {
        problem = fmt::format("'{}' cannot be used: {}", path.string(), e.what());
    }
    return std::nullopt;
}

std::string folder_name(const Identity& encoder)
{
    return fmt::format("{}-{}", encoder.id.substr(encoder.id.rfind('.') + 1),
                       encoder.fingerprint.substr(0, shown_digits));
}

fs::path cost_path_of(const fs::path& store, const Cost& cost)
{
    const std::string where = fmt::format("{} {}", cost.where, cost.threads);
    return store / folder_name(cost.encoder) /
           (base::fingerprint(where).substr(0, shown_digits) + of_costs);
}

/// Nothing where it is not there, or damaged.
std::optional<Cost> load_cost(const fs::path& path)
{
    try {
        Cost cost = cost_from_json(base::parse_json(base::MappedFile(path).bytes()));
        const bool is_at_home = cost_path_of(path.parent_path().parent_path(), cost) == path;
        return is_at_home ? std::optional(std::move(cost)) : std::nullopt;
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

[[noreturn]] void refuse_store(std::string_view why)
{
    throw base::UsageError(
        "the result store cannot be used: {}. Choose another folder as output (--output DIR)", why);
}

} // namespace

fs::path Store::folder_of(const Identity& encoder) const
{
    return folder_ / folder_name(encoder);
}

std::vector<fs::path> Store::probes() const
{
    return documents_in(folder_, of_probes);
}

std::vector<fs::path> Store::rankings() const
{
    return documents_in(folder_, of_rankings);
}

fs::path Store::path_of(const Result& result) const
{
    return folder_of(result.encoder) /
           fmt::format("{}-{}.json", result.task.name,
                       result.protocol.fingerprint.substr(0, shown_digits));
}

void Store::check_writable() const
{
    const fs::path probe = folder_ / ".writable";
    try {
        base::write_file_atomically(probe, "");
    } catch (const base::Error& e) {
        refuse_store(e.what());
    }
    std::error_code ignored;
    fs::remove(probe, ignored);
}

void Store::check_creatable() const
{
    try {
        base::check_folder(folder_);
    } catch (const base::Error& e) {
        refuse_store(e.what());
    }
}

void Store::save(Cell& cell) const
{
    require_possible(cell.result);
    const fs::path path = path_of(cell.result);
    const std::string items = encode_items(cell.items);
    cell.result.outcomes = {items_path(path).filename().string(), cell.items.outcomes.rows.size(),
                            base::fingerprint(items),
                            fingerprint_of_findings(to_json(cell.result))};
    base::write_file_atomically(items_path(path), items);
    base::write_file_atomically(path, base::to_text(to_json(cell.result), 2) + "\n");
}

void Store::save_rankings(const Result& result, const Rankings& rankings, std::size_t depth) const
{
    base::write_file_atomically(rankings_path(path_of(result)),
                                encode_rankings({made_of(result), depth, rankings}));
}

std::optional<Rankings> Store::rankings(const Result& result, std::size_t depth) const
{
    try {
        const base::MappedFile file(rankings_path(path_of(result)));
        KeptRankings kept = decode_rankings(file.bytes());
        if (kept.made_of == made_of(result) && kept.depth >= depth)
            return std::move(kept.rankings);
    } catch (const base::Error&) { // not there, or damaged: made anew
    }
    return std::nullopt;
}

std::optional<Cell> Store::find(const Result& result) const
{
    const fs::path path = path_of(result);
    std::error_code error;
    std::string problem;
    return fs::exists(path, error) ? load_cell(path, problem) : std::nullopt;
}

std::vector<Cell> Store::load_all(std::vector<std::string>& problems) const
{
    std::vector<Cell> cells;
    for (const fs::path& path : documents_in(folder_)) {
        std::string problem;
        if (auto cell = load_cell(path, problem))
            cells.push_back(std::move(*cell));
        else
            problems.push_back(problem);
    }
    return cells;
}

std::vector<Result> Store::records() const
{
    std::vector<Result> results;
    for (const fs::path& path : documents_in(folder_))
        try {
            results.push_back(read_result(path));
        } catch (const std::exception&) {
            continue;
        }
    return results;
}

void Store::save_cost(const Cost& cost) const
{
    base::write_file_atomically(cost_path_of(folder_, cost),
                                base::to_text(to_json(cost), 2) + "\n");
}

bool Store::has_cost(const Cost& cost) const
{
    return load_cost(cost_path_of(folder_, cost)).has_value();
}

std::vector<Cost> Store::costs(std::vector<std::string>& problems) const
{
    std::vector<Cost> all;
    for (const fs::path& path : documents_in(folder_, of_costs))
        if (auto cost = load_cost(path))
            all.push_back(std::move(*cost));
        else
            problems.push_back(fmt::format("'{}' is an incomplete measurement and left out: "
                                           "'senteval run --cost' measures again",
                                           path.string()));
    return all;
}

void Store::remove(const Result& result) const
{
    const fs::path path = path_of(result);
    fs::remove(path);
    fs::remove(items_path(path));
    fs::remove(rankings_path(path));
    const auto is_probe = [](const auto& file) { return file.path().extension() == of_probes; };
    std::error_code in_use;
    if (std::all_of(fs::directory_iterator(path.parent_path()), {}, is_probe))
        fs::remove_all(path.parent_path(), in_use);
}

} // namespace senteval::results
