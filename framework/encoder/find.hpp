// find.hpp -- from the name a user writes to an encoder of a plugin.
#pragma once

#include "encoder/plugin.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::encoder {

/// Loads a plugin, in this process or in another one. Throws as Plugin::load() does.
using PluginLoader =
    std::function<std::shared_ptr<const Plugin>(const std::filesystem::path& path)>;

struct FoundEncoder {
    std::shared_ptr<const Plugin> plugin;
    const senteval_encoder* encoder = nullptr;
    /// The parameter that names a model's folder and the folder's label, where the name was that of a folder.
    std::optional<std::pair<std::string, std::string>> folder = {};
    std::string label = {};
};

/// Folders of the bundled plugins, in the order they are searched: those of $SENTEVAL_PLUGIN_PATH
/// (separated by colons), plugins/ beside the program, and where an installation has them.
std::vector<std::filesystem::path> plugin_folders();

/// Whether a library lies where this program's own ones do: in the last two of those folders.
bool is_bundled(const std::filesystem::path& library);

/// Every library in those folders, by file name; the first of equal names counts.
std::vector<std::filesystem::path> bundled_plugins();

struct LoadedPlugins {
    std::vector<std::shared_ptr<const Plugin>> usable; ///< in the order of bundled_plugins()
    std::vector<std::string> problems;                 ///< why the others are not
};

/// Loads all bundled plugins; one that is broken does not stand in the way of the others.
LoadedPlugins load_bundled_plugins(const PluginLoader& load = &Plugin::load);

/// Finds the encoder `name`: a path ("./libmine.so", or "./libmine.so:second" where it has several), an encoder of a
/// bundled plugin ("borep"), both parts ("random:borep"), or a model's folder (model_folder.hpp). Relative paths
/// start from `base`. Throws base::UsageError, with the nearest name, or with what else there is.
FoundEncoder find_encoder(const std::string& name,
                          const std::filesystem::path& base,
                          const PluginLoader& load = &Plugin::load);

/// The plugin that `name` means: a path, or a bundled one by its file name.
std::shared_ptr<const Plugin> find_plugin(const std::string& name,
                                          const std::filesystem::path& base,
                                          const PluginLoader& load = &Plugin::load);

/// The library at a path that starts from `base` where it is relative. Throws base::UsageError where neither name nor
/// content are those of a library: users name scripts, addresses and models, too.
std::filesystem::path library_at(const std::string& path, const std::filesystem::path& base);

} // namespace senteval::encoder
