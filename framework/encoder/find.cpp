#include "encoder/find.hpp"

#include "base/error.hpp"
#include "base/home.hpp"
#include "base/names.hpp"
#include "encoder/model_folder.hpp"

#include <boost/dll/runtime_symbol_info.hpp>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <regex>
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

fs::path resolved(const std::string& path, const fs::path& base)
{
    const fs::path given = base::expand_home(path);
    return given.is_absolute() ? given : base / given;
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
    // Most encoders have a library of their name: then no other is loaded. What does not come with the
    // program is loaded last.
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

// ---- Names that are no encoder ----

/// "--encoder python --set script=m.py"
std::string typed(std::string_view door,
                  std::string_view encoder,
                  std::string_view key,
                  const std::string& value)
{
    if (door == list_door)
        return fmt::format("{} {}", door, encoder);
    std::string word = value;
    if (word.find_first_of(" '\"\\$`&|;<>()*?!#") != std::string::npos)
        word = fmt::format("'{}'", std::regex_replace(word, std::regex("'"), R"('\'')"));
    return fmt::format("{} {} --set {}={}", door, encoder, key, word);
}

std::string all_doors(std::string_view door)
{
    return fmt::format(
        "A library of your own is named by its path, such as ./libmine.so; a "
        "downloaded model is {}; a script {}; another program {}; a server {}",
        typed(door, "transformer", "model", "FOLDER"), typed(door, "python", "script", "FILE.py"),
        typed(door, "process", "command", "node embed.mjs"), typed(door, "http", "url", "URL"));
}

/// "python:m.py": the key of what the only encoder of a library reads; empty where it has an encoder of that name.
std::string key_of(const Plugin& plugin, std::string_view name)
{
    const auto encoders = plugin.encoders();
    if (encoders.size() != 1 || name == encoders[0]->id || name == short_name(*encoders[0]))
        return {};
    for (std::size_t p = 0; p < encoders[0]->param_count; ++p)
        if ((encoders[0]->params[p]->flags & SENTEVAL_PARAM_REQUIRED) != 0)
            return encoders[0]->params[p]->key;
    return {};
}

/// The encoder that takes a file of that kind, and the key.
std::pair<std::string_view, std::string_view> encoder_of_file(const fs::path& file)
{
    struct Kind {
        std::string_view extension, encoder, key;
    };
    static constexpr Kind kinds[] = {{".py", "python", "script"},
                                     {".txt", "glove", "vectors"},
                                     {".vec", "glove", "vectors"},
                                     {".bin", "fasttext", "model"},
                                     {".npy", "precomputed", "vectors"}};
    for (const Kind& kind : kinds)
        if (file.extension() == kind.extension)
            return {kind.encoder, kind.key};
    char first[2] = {};
    if (std::error_code ignored; fs::is_regular_file(file, ignored))
        std::ifstream(file).read(first, sizeof first);
    return std::string_view(first, sizeof first) == "#!" ? std::pair{"process", "command"}
                                                         : std::pair{"", ""};
}

[[noreturn]] void
unknown(const std::string& name, std::string_view door, const LoadedPlugins& plugins)
{
    std::vector<std::string> names;
    for (const auto& plugin : plugins.usable)
        for (const senteval_encoder* encoder : plugin->encoders())
            names.emplace_back(short_name(*encoder));
    std::string others;
    for (const std::string& problem : plugins.problems)
        others += ". Besides, " + problem;
    throw base::UsageError("there is no encoder '{}'.{} Bundled are: {}. {}{}", name,
                           base::did_you_mean(name, names), fmt::join(names, ", "), all_doors(door),
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
    const fs::path program = boost::dll::program_location().parent_path().string();
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

FoundEncoder find_encoder(const std::string& name,
                          const fs::path& base,
                          const PluginLoader& load,
                          std::string_view door)
{
    if (is_path(name)) {
        if (const auto folder = model_folder(name, base))
            return encoder_of_folder(*folder, load);
        refuse_other_doors(name, base, door);
        const auto [path, encoder] = split_path(name);
        auto plugin = load(resolved(path, base));
        return {plugin, &plugin->encoder(encoder)};
    }
    if (const auto colon = name.find(':'); colon != std::string::npos) {
        refuse_other_doors(name, base, door);
        const auto path = bundled(name.substr(0, colon));
        if (!path)
            unknown(name, door, load_bundled_plugins(load));
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
    refuse_other_doors(name, base, door);
    unknown(name, door, load_bundled_plugins(load));
}

std::shared_ptr<const Plugin> find_plugin(const std::string& name,
                                          const fs::path& base,
                                          const PluginLoader& load,
                                          std::string_view door)
{
    if (is_path(name) && !model_folder(name, base)) {
        refuse_other_doors(name, base, door);
        return load(resolved(split_path(name).first, base));
    }
    if (const auto path = bundled(name))
        return load(*path);
    return find_encoder(name, base, load, door).plugin;
}

void refuse_other_doors(const std::string& name, const fs::path& base, std::string_view door)
{
    const auto refuse = [&](std::string_view what, const std::string& type) {
        throw base::UsageError("'{}' {}. Type: {}", name, what, type);
    };
    if (name.empty())
        return;
    if (name.starts_with("http://") || name.starts_with("https://"))
        refuse("is the address of a server",
               typed(door, "http", "url", name) + (door == list_door ? "" : " --set model=NAME"));
    if (const auto colon = name.find(':'); colon != std::string::npos)
        if (const auto path = bundled(name.substr(0, colon)); path && is_bundled(*path))
            if (const auto key = key_of(*Plugin::load(*path), name.substr(colon + 1)); !key.empty())
                refuse(fmt::format("is no name: '{}' is a parameter", key),
                       typed(door, path->stem().string(), key, name.substr(colon + 1)));
    const std::string file = split_path(name).first;
    const fs::path path = resolved(file, base);
    std::error_code ignored;
    const bool is_there = fs::exists(path, ignored);
    const bool is_library = path.filename().string().find(".so") != std::string::npos;
    if (path.extension() == ".gguf")
        refuse("is of the format GGUF, which another program serves",
               typed(door, "http", "url", "URL"));
    if (path.extension() == ".safetensors" && is_there)
        refuse("is one file of a model", fmt::format("{} {}/", door, path.parent_path().string()));
    if (const auto [encoder, key] = encoder_of_file(path); !is_library && !encoder.empty())
        refuse(is_there ? "is no library" : "is no library, and not there",
               typed(door, encoder, key, is_there ? file : file.substr(file.rfind(' ') + 1)));
    if (is_library || is_there || !is_path(name))
        return;
    if (std::ranges::count(name, '/') == 1 &&
        std::isalnum(static_cast<unsigned char>(name[0])) != 0)
        throw base::UsageError("'{}' is neither here nor in the hub's local cache. Download the "
                               "folder of the model, and name that",
                               name);
    throw base::UsageError("'{}' is not there. {}", name, all_doors(door));
}

} // namespace senteval::encoder
