#include "run/store.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/fingerprint.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace senteval::run {
namespace {

namespace fs = std::filesystem;
using core::Json;

constexpr std::size_t shown_digits = 12;

std::string text_at(const Json& document, const char* pointer)
{
    return document.at(Json::json_pointer(pointer)).get<std::string>();
}

fs::path items_path(fs::path document_path)
{
    return document_path.replace_extension(".items");
}

/// Throws where something is missing that readers of documents take for granted.
void require_members(const Json& document)
{
    for (const char* member :
         {"/encoder/label", "/encoder/id", "/encoder/fingerprint", "/task/name", "/task/headline",
          "/protocol/fingerprint", "/data/files", "/metrics", "/run/seconds/total"})
        (void)document.at(Json::json_pointer(member));
}

/// The document at `path`, or nothing when it is not there, damaged, or its items are not its own.
std::optional<Cell> load_cell(const fs::path& path, std::string& problem)
{
    try {
        Cell cell;
        cell.document = Json::parse(core::MappedFile(path).bytes());
        const core::MappedFile items(items_path(path));
        if (core::fingerprint(items.bytes()) != text_at(cell.document, "/outcomes/fingerprint"))
            throw core::Error("its items are not those it was written with");
        cell.items = decode_items(items.bytes());
        require_members(cell.document);
        return cell;
    } catch (const std::exception& e) {
        problem = fmt::format("'{}' cannot be used: {}", path.string(), e.what());
        return std::nullopt;
    }
}

} // namespace

fs::path Store::path_of(const Json& document) const
{
    const std::string id = text_at(document, "/encoder/id");
    return folder_ /
           fmt::format("{}-{}", id.substr(id.rfind('.') + 1),
                       text_at(document, "/encoder/fingerprint").substr(0, shown_digits)) /
           fmt::format("{}-{}.json", text_at(document, "/task/name"),
                       text_at(document, "/protocol/fingerprint").substr(0, shown_digits));
}

void Store::check_writable() const
{
    const fs::path probe = folder_ / ".writable";
    try {
        core::write_file_atomically(probe, "");
    } catch (const core::Error& e) {
        throw core::UsageError(
            "the result store cannot be used: {}. Choose another with --output DIR", e.what());
    }
    std::error_code ignored;
    fs::remove(probe, ignored);
}

void Store::save(Cell& cell) const
{
    const fs::path path = path_of(cell.document);
    const std::string items = encode_items(cell.items);
    cell.document["outcomes"] = {{"file", items_path(path).filename().string()},
                                 {"count", cell.items.outcomes.rows.size()},
                                 {"fingerprint", core::fingerprint(items)}};
    core::write_file_atomically(items_path(path), items);
    core::write_file_atomically(path, core::to_text(cell.document, 2) + "\n");
}

std::optional<Json> Store::find(const Json& document) const
{
    const fs::path path = path_of(document);
    std::error_code error;
    std::string problem;
    if (!fs::exists(path, error))
        return std::nullopt;
    auto cell = load_cell(path, problem);
    return cell ? std::optional(std::move(cell->document)) : std::nullopt;
}

std::vector<Cell> Store::load_all(std::vector<std::string>& problems) const
{
    std::vector<fs::path> paths;
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder_, error), end; !error && at != end;
         at.increment(error))
        if (at->path().extension() == ".json")
            paths.push_back(at->path());
    std::sort(paths.begin(), paths.end());

    std::vector<Cell> cells;
    for (const fs::path& path : paths) {
        std::string problem;
        if (auto cell = load_cell(path, problem))
            cells.push_back(std::move(*cell));
        else
            problems.push_back(problem);
    }
    return cells;
}

} // namespace senteval::run
