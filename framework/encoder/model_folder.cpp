#include "encoder/model_folder.hpp"

#include "base/error.hpp"
#include "base/files.hpp"
#include "base/home.hpp"
#include "encoder/identity.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <vector>

namespace senteval::encoder {
namespace {

namespace fs = std::filesystem;

fs::path hub_cache()
{
    if (const char* const folder = std::getenv("HF_HUB_CACHE"))
        return folder;
    if (const char* const home = std::getenv("HF_HOME"))
        return fs::path(home) / "hub";
    return base::expand_home("~/.cache/huggingface/hub");
}

/// The folder of a model in the hub's cache: of the revision that its branch "main" names, or of the only one.
fs::path snapshot_of(const fs::path& model)
{
    std::error_code none;
    if (const fs::path main = model / "refs/main"; fs::is_regular_file(main, none)) {
        std::string revision = base::read_file(main);
        revision.erase(revision.find_last_not_of(" \r\n") + 1);
        return model / "snapshots" / revision;
    }
    std::vector<fs::path> snapshots;
    for (const auto& entry : fs::directory_iterator(model / "snapshots", none))
        snapshots.push_back(entry.path());
    if (snapshots.size() != 1)
        throw base::UsageError("'{}' has {} revisions and no refs/main: name the folder of one of "
                               "its snapshots",
                               model.string(), snapshots.size());
    return snapshots.front();
}

/// "models--ORGANISATION--MODEL/snapshots/REVISION" is called MODEL.
std::string label_of(const fs::path& folder)
{
    if (folder.parent_path().filename() != "snapshots")
        return folder.filename().string();
    const std::string name = folder.parent_path().parent_path().filename().string();
    return name.substr(name.rfind("--") + 2);
}

} // namespace

std::optional<fs::path> model_folder(const std::string& name, const fs::path& base)
{
    if (name.empty())
        return std::nullopt;
    std::error_code none;
    const fs::path given = base::expand_home(name);
    const fs::path folder = given.is_absolute() ? given : base / given;
    if (fs::is_directory(folder, none))
        return fs::canonical(folder);
    const auto slash = name.find('/');
    if (slash == 0 || slash == std::string::npos || name.find('/', slash + 1) != std::string::npos)
        return std::nullopt;
    const fs::path model =
        hub_cache() / fmt::format("models--{}--{}", name.substr(0, slash), name.substr(slash + 1));
    if (!fs::is_directory(model, none))
        return std::nullopt;
    return snapshot_of(model);
}

FoundEncoder encoder_of_folder(const fs::path& folder, const PluginLoader& load)
{
    std::vector<FoundEncoder> found;
    std::vector<std::string> names;
    for (const auto& plugin : load_bundled_plugins(load).usable)
        for (const senteval_encoder* encoder : plugin->encoders()) {
            const senteval_folder* const folders =
                is_bundled(plugin->path()) ? folders_of(*encoder) : nullptr;
            if (folders == nullptr || folders->files(folder.c_str()) == nullptr)
                continue;
            found.push_back({plugin, encoder, std::pair(folders->parameter, folder.string()),
                             label_of(folder)});
            names.emplace_back(short_name(*encoder));
        }
    if (found.empty())
        throw base::UsageError(
            "'{}' is a folder, but no model that is known here: it has no "
            "config.json of a transformer, no table of static embeddings, and no model.json "
            "with vocab.json of Universal Sentence Encoder lite. "
            "Python code runs by '--encoder python --set script=FILE', a server, "
            "as of GGUF files, by '--encoder http --set url=URL'",
            folder.string());
    if (found.size() > 1)
        throw base::UsageError("'{}' is a model of several encoders, {}: say which, as in "
                               "'--encoder {} --set model={}'",
                               folder.string(), fmt::join(names, " and "), names.front(),
                               folder.string());
    return found.front();
}

} // namespace senteval::encoder
