#include "team/wire.hpp"

#include "core/error.hpp"
#include "core/files.hpp"

#include <cstdint>
#include <system_error>

namespace senteval::team {
namespace {

namespace fs = std::filesystem;
using core::Json;

Json binary(std::string_view bytes)
{
    return Json::binary({bytes.begin(), bytes.end()});
}

std::string text_of(const Json& binary)
{
    const auto& bytes = binary.get_binary();
    return {bytes.begin(), bytes.end()};
}

} // namespace

std::string to_bytes(const Json& message)
{
    std::string bytes;
    Json::to_cbor(message, bytes);
    return bytes;
}

Json from_bytes(std::string_view bytes)
{
    try {
        return Json::from_cbor(bytes);
    } catch (const Json::exception& e) {
        throw core::Error("a message of another process cannot be read: {}", e.what());
    }
}

Json to_message(const run::Cell& cell)
{
    return {{"document", cell.document}, {"items", binary(run::encode_items(cell.items))}};
}

run::Cell cell_from(const Json& message)
{
    return {message.at("document"), run::decode_items(text_of(message.at("items")))};
}

std::set<fs::path> FolderChanges::files() const
{
    std::set<fs::path> files;
    std::error_code error;
    if (folder_.empty())
        return files;
    for (fs::recursive_directory_iterator at(folder_, error), end; !error && at != end;
         at.increment(error))
        if (std::error_code gone; at->is_regular_file(gone))
            files.insert(at->path().lexically_relative(folder_));
    return files;
}

std::vector<fs::path> FolderChanges::made() const
{
    std::vector<fs::path> made;
    for (const fs::path& file : files())
        if (!before_.contains(file))
            made.push_back(file);
    return made;
}

Json files_message(const fs::path& folder, const std::vector<fs::path>& files)
{
    Json message = Json::object();
    for (const fs::path& file : files)
        try {
            message[file.generic_string()] = binary(core::MappedFile(folder / file).bytes());
        } catch (const core::Error&) { // made room for others in between
            continue;
        }
    return message;
}

void write_files(const fs::path& folder, const Json& files)
{
    for (const auto& [name, content] : files.items()) {
        const fs::path path = fs::path(name).lexically_normal();
        if (path.is_absolute() || path.empty() || *path.begin() == "..")
            throw core::Error("'{}' is no path of a cache", name);
        core::write_file_atomically(folder / path, text_of(content));
    }
}

} // namespace senteval::team
