#include "encoder/find.hpp"

#include "base/error.hpp"
#include "base/home.hpp"
#include "base/names.hpp"
#include "encoder/model_folder.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <utility>

namespace senteval::encoder {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view library_suffix = ".so";

bool is_path(std::string_view name)
{
    return name.find('/') != std::string_view::npos || name.ends_with(library_suffix) ||
           name.find(".so:") != std::string_view::npos;
}

/// "./lib.so:second" -> {"./lib.so", "second"}
std::pair<std::string, std::string> split_path(const std::string& name)
{
    const auto colon = name.rfind(':');
    if (colon == std::string::npos || name.find('/', colon) != std::string::npos)
        return {name, ""};
    return {name.substr(0, colon), name.substr(colon + 1)};
}

/// The bundled plugin whose file is called `name`.so.
std::optional<fs::path> bundled(std::string_view name)
{
    for (const fs::path& path : bundled_plugins())
        if (path.stem() == name)
            return path;
    return std::nullopt;
}

/// The encoder of that name or id in the bundled plugins.
std::optional<FoundEncoder> find_bundled(const std::string& name, const PluginLoader& load)
{
    auto paths = bundled_plugins();
    // The library of the encoder's name comes first: most encoders have one, and then no other is loaded. Foreign
    // ones come last.
    std::stable_partition(paths.begin(), paths.end(), &is_bundled);
    std::stable_partition(paths.begin(), paths.end(),
                          [&](const fs::path& path) { return path.stem() == name; });
    for (const fs::path& path : paths)
        try {
            auto plugin = load(path);
            for (const senteval_encoder* encoder : plugin->encoders())
                if (base::folded(name) == base::folded(short_name(*encoder)) || name == encoder->id)
                    return FoundEncoder{plugin, encoder};
        } catch (const base::UsageError&) { // is told where no plugin has the name
        }
    return std::nullopt;
}

constexpr std::string_view other_encoders =
    "A library of your own is named by its path, such as ./libmine.so, a downloaded model by its "
    "folder; 'python --set script=FILE.py' runs a script, 'process --set command=...' another "
    "program, 'http --set url=URL' asks a server";

[[noreturn]] void unknown(const std::string& name, const PluginLoader& load)
{
    const LoadedPlugins plugins = load_bundled_plugins(load);
    std::vector<std::string> names;
    for (const auto& plugin : plugins.usable)
        for (const senteval_encoder* encoder : plugin->encoders())
            names.emplace_back(short_name(*encoder));
    std::string others;
    for (const std::string& problem : plugins.problems)
        others += ". Besides, " + problem;
    throw base::UsageError("there is no encoder '{}'.{} Bundled are: {}. {}{}", name,
                           base::did_you_mean(name, names), fmt::join(names, ", "), other_encoders,
                           others);
}

} // namespace

std::vector<fs::path> plugin_folders()
{
    std::vector<fs::path> folders;
    if (const char* variable = std::getenv("SENTEVAL_PLUGIN_PATH")) {
        const std::string_view all = variable;
        for (std::size_t at = 0; at <= all.size();) {
            const std::size_t end = std::min(all.find(':', at), all.size());
            if (end > at)
                folders.emplace_back(all.substr(at, end - at));
            at = end + 1;
        }
    }
    const fs::path program = fs::read_symlink("/proc/self/exe").parent_path();
    folders.push_back(program / "plugins");
    folders.push_back((program / SENTEVAL_PLUGINS_FROM_PROGRAM).lexically_normal());
    return folders;
}

std::vector<fs::path> bundled_plugins()
{
    std::map<std::string, fs::path> by_name;
    for (const fs::path& folder : plugin_folders()) {
        std::error_code error;
        for (fs::directory_iterator at(folder, error), end; !error && at != end;
             at.increment(error))
            if (at->path().extension() == library_suffix)
                by_name.try_emplace(at->path().filename().string(), at->path());
    }
    std::vector<fs::path> plugins;
    plugins.reserve(by_name.size());
    for (auto& [name, path] : by_name)
        plugins.push_back(std::move(path));
    return plugins;
}

bool is_bundled(const fs::path& library)
{
    const auto folders = plugin_folders();
    return std::any_of(folders.end() - 2, folders.end(), [&](const fs::path& folder) {
        std::error_code ignored;
        return fs::equivalent(library.parent_path(), folder, ignored);
    });
}

LoadedPlugins load_bundled_plugins(const PluginLoader& load)
{
    LoadedPlugins plugins;
    for (const fs::path& path : bundled_plugins())
        try {
            plugins.usable.push_back(load(path));
        } catch (const base::UsageError& e) {
            plugins.problems.emplace_back(e.what());
        }
    return plugins;
}

FoundEncoder find_encoder(const std::string& name, const fs::path& base, const PluginLoader& load)
{
    if (is_path(name)) {
        if (const auto folder = model_folder(name, base))
            return encoder_of_folder(*folder, load);
        const auto [path, encoder] = split_path(name);
        auto plugin = load(library_at(path, base));
        return {plugin, &plugin->encoder(encoder)};
    }
    if (const auto colon = name.find(':'); colon != std::string::npos) {
        const auto path = bundled(name.substr(0, colon));
        if (!path)
            unknown(name, load);
        auto plugin = load(*path);
        return {plugin, &plugin->encoder(name.substr(colon + 1))};
    }
    if (auto found = find_bundled(name, load))
        return *std::move(found);
    if (const auto path = bundled(name)) {
        auto plugin = load(*path);
        return {plugin, &plugin->encoder("")};
    }
    if (const auto folder = model_folder(name, base))
        return encoder_of_folder(*folder, load);
    unknown(name, load);
}

std::shared_ptr<const Plugin>
find_plugin(const std::string& name, const fs::path& base, const PluginLoader& load)
{
    if (is_path(name) && !model_folder(name, base))
        return load(library_at(split_path(name).first, base));
    if (const auto path = bundled(name))
        return load(*path);
    return find_encoder(name, base, load).plugin;
}

fs::path library_at(const std::string& path, const fs::path& base)
{
    const fs::path given = base::expand_home(path);
    const fs::path library = given.is_absolute() ? given : base / given;
    char first[4] = {};
    std::ifstream(library).read(first, sizeof first);
    if (library.filename().string().find(library_suffix) == std::string::npos &&
        std::string_view(first, sizeof first) != "\177ELF")
        throw base::UsageError("'{}' is no library of encoders. {}", path, other_encoders);
    return library;
}

} // namespace senteval::encoder
