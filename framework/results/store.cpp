#include "results/store.hpp"

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/fingerprint.hpp"
#include "results/document.hpp"

#include <algorithm>
#include <string_view>
#include <system_error>
#include <utility>

namespace senteval::results {
namespace {

namespace fs = std::filesystem;
using base::Json;

constexpr std::size_t shown_digits = 12;

std::string text_at(const Json& document, const char* pointer)
{
    return document.at(Json::json_pointer(pointer)).get<std::string>();
}

fs::path items_path(fs::path document_path)
{
    return document_path.replace_extension(".items");
}

/// Throws where the document is of another version, which did not describe its metrics.
void require_schema(const Json& document)
{
    const std::string schema = text_at(document, "/schema");
    if (schema != result_schema && schema != imported_schema)
        throw base::Error("it is a '{}', made by another version of this program: run it (or "
                          "import it) again with this one",
                          schema);
}

/// They become parts of paths, and lines of tables.
void require_names(const Json& document)
{
    for (const char* member :
         {"/encoder/id", "/encoder/fingerprint", "/task/name", "/protocol/fingerprint"}) {
        const std::string name = text_at(document, member);
        if (name.empty() || std::any_of(name.begin(), name.end(), [](unsigned char c) {
                return c < 0x20 || c == '/' || c == 0x7f;
            }))
            throw base::Error("what stands at {} is no name", member);
    }
}

bool is_list_of_texts(const Json& value)
{
    return value.is_array() &&
           std::ranges::all_of(value, [](const Json& one) { return one.is_string(); });
}

/// Of the parts that are not in the fingerprint, what readers take for granted.
void require_kinds(const Json& document)
{
    if (!document.at("encoder").at("label").is_string())
        throw base::Error("what stands at /encoder/label is no name");
    const Json& run = document.at("run");
    for (const auto& [phase, seconds] : run.at("seconds").items())
        if (!seconds.is_number() || !(seconds.get<double>() >= 0))
            throw base::Error("what stands at /run/seconds/{} is no time", phase);
    const auto require = [&](const char* name, bool (*is_right)(const Json&)) {
        if (run.contains(name) && !is_right(run.at(name)))
            throw base::Error("what stands at /run/{} is not of its kind", name);
    };
    for (const char* name : {"date", "kernels", "machine", "compiler", "abi", "blas", "processor"})
        require(name, [](const Json& value) { return value.is_string(); });
    for (const char* name : {"threads", "sentences_encoded", "sentences_from_cache"})
        require(name, [](const Json& value) { return value.is_number_unsigned(); });
    require("warnings", is_list_of_texts);
}

/// Numbers as values: other programs write 70 for 70.0.
Json by_value(Json json)
{
    if (json.is_number())
        return json.get<double>();
    if (json.is_structured())
        for (Json& member : json)
            member = by_value(std::move(member));
    return json;
}

/// Of all that tells of the result: what was found, of whom, on what and how. What the row is called by may be
/// chosen anew.
std::string fingerprint_of_findings(const Json& document)
{
    Json findings = by_value(document);
    for (const char* other : {"schema", "program", "run", "outcomes"})
        findings.erase(other);
    findings.at("encoder").erase("label");
    const nlohmann::json in_one_order = findings; // each program writes members in its own
    return base::fingerprint(base::to_text(Json(in_one_order)));
}

/// Throws where the findings are no longer what was written: a metric would be believed that the program
/// never found, or that it found with other settings.
void require_unchanged(const Json& document)
{
    if (document.at("outcomes").at("findings") != fingerprint_of_findings(document))
        throw base::Error(
            "it is not what was written, but was edited or damaged since: compute it again, or "
            "put back what was there");
}

Json read_document(const fs::path& path)
{
    Json document = base::parse_json(base::MappedFile(path).bytes());
    if (!document.is_object())
        throw base::Error("it holds no JSON object, as results are");
    require_schema(document);
    require_unchanged(document);
    require_names(document);
    require_kinds(document);
    return document;
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

constexpr const char* of_results = ".json";
constexpr const char* of_costs = ".cost";

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

/// The document at `path`, or nothing when it is not there, damaged, or its items are not its own.
std::optional<Cell> load_cell(const fs::path& path, std::string& problem)
{
    try {
        Cell cell;
        cell.document = read_document(path);
        const base::MappedFile items(items_path(path));
        if (base::fingerprint(items.bytes()) != text_at(cell.document, "/outcomes/fingerprint"))
            throw base::Error("its items are not those it was written with");
        cell.items = decode_items(items.bytes());
        return cell;
    } catch (const Json::exception& e) {
        problem = fmt::format("'{}' cannot be used: it is not made as results are ({}): compute it "
                              "again, or put back what was there",
                              path.string(), e.what());
    } catch (const std::exception& e) {
        problem = fmt::format("'{}' cannot be used: {}", path.string(), e.what());
    }
    return std::nullopt;
}

std::string folder_of(const Json& document)
{
    const std::string id = text_at(document, "/encoder/id");
    return fmt::format("{}-{}", id.substr(id.rfind('.') + 1),
                       text_at(document, "/encoder/fingerprint").substr(0, shown_digits));
}

/// In the store.
fs::path cost_path_in(const Json& cost)
{
    const std::string where = fmt::format("{} {}", cost.at("computer").get<std::string>(),
                                          cost.at("threads").get<unsigned>());
    return fs::path(folder_of(cost)) /
           (base::fingerprint(where).substr(0, shown_digits) + of_costs);
}

/// Null where it is not there, or damaged.
Json load_cost(const fs::path& path)
{
    try {
        Json cost = base::parse_json(base::MappedFile(path).bytes());
        const bool is_whole =
            is_cost(cost) && path.parent_path().parent_path() / cost_path_in(cost) == path;
        return is_whole ? cost : Json();
    } catch (const std::exception&) {
        return {};
    }
}

[[noreturn]] void refuse_store(std::string_view why)
{
    throw base::UsageError(
        "the result store cannot be used: {}. Choose another folder as output (--output DIR)", why);
}

} // namespace

fs::path Store::path_of(const Json& document) const
{
    return folder_ / folder_of(document) /
           fmt::format("{}-{}.json", text_at(document, "/task/name"),
                       text_at(document, "/protocol/fingerprint").substr(0, shown_digits));
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
    const fs::path path = path_of(cell.document);
    const std::string items = encode_items(cell.items);
    cell.document["outcomes"] = {{"file", items_path(path).filename().string()},
                                 {"count", cell.items.outcomes.rows.size()},
                                 {"fingerprint", base::fingerprint(items)}};
    cell.document["outcomes"]["findings"] = fingerprint_of_findings(cell.document);
    base::write_file_atomically(items_path(path), items);
    base::write_file_atomically(path, base::to_text(cell.document, 2) + "\n");
}

std::optional<Cell> Store::find(const Json& document) const
{
    const fs::path path = path_of(document);
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

std::vector<Json> Store::documents() const
{
    std::vector<Json> documents;
    for (const fs::path& path : documents_in(folder_))
        try {
            documents.push_back(read_document(path));
        } catch (const std::exception&) {
            continue;
        }
    return documents;
}

fs::path Store::cost_path_of(const Json& cost) const
{
    return folder_ / cost_path_in(cost);
}

void Store::save_cost(const Json& cost) const
{
    base::write_file_atomically(cost_path_of(cost), base::to_text(cost, 2) + "\n");
}

bool Store::has_cost(const Json& cost) const
{
    return !load_cost(cost_path_of(cost)).is_null();
}

std::vector<Json> Store::costs() const
{
    std::vector<Json> all;
    for (const fs::path& path : documents_in(folder_, of_costs))
        if (Json cost = load_cost(path); !cost.is_null())
            all.push_back(std::move(cost));
    return all;
}

std::vector<std::string> damaged_costs(const fs::path& store)
{
    std::vector<std::string> all;
    for (const fs::path& path : documents_in(store, of_costs))
        if (load_cost(path).is_null())
            all.push_back(fmt::format("'{}' is no whole measurement and left out: 'senteval run "
                                      "--cost' measures again",
                                      path.string()));
    return all;
}

void Store::remove(const Json& document) const
{
    const fs::path path = path_of(document);
    fs::remove(path);
    fs::remove(items_path(path));
    std::error_code not_empty;
    fs::remove(path.parent_path(), not_empty);
}

} // namespace senteval::results
