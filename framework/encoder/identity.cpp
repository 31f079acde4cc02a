#include "encoder/identity.hpp"

#include "base/descriptor.hpp"
#include "base/error.hpp"
#include "base/files.hpp"
#include "base/fingerprint.hpp"
#include "base/lines.hpp"
#include "core/value.hpp"
#include "encoder/find.hpp"

#include <senteval/child.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

namespace senteval::encoder {
namespace {

namespace fs = std::filesystem;

/// Several values of one key become a list.
void add_value(base::Json& object, const std::string& key, const base::Json& value)
{
    if (!object.contains(key)) {
        object[key] = value;
        return;
    }
    base::Json& present = object[key];
    if (!present.is_array())
        present = base::Json::array({present});
    present.push_back(value);
}

/// Does not depend on the order of keys.
std::string sorted_text(const base::Json& json)
{
    return nlohmann::json(json).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

struct ModelFile {
    std::string name; ///< below its folder, with '/' between the parts
    fs::path path;
    std::uintmax_t size = 0;
};

/// A file, or all files below a folder, to be read for `key`.
struct Content {
    std::string key;
    fs::path folder; ///< empty where it is a file
    std::vector<ModelFile> files;
};

/// The files that vectors depend on. Listed before they are read, so that progress knows the total.
class Contents {
public:
    explicit Contents(const CallContext& context) : context_(context) {}

    void add_file(const std::string& key, const fs::path& path)
    {
        contents_.push_back({key, {}, {file_at(path, path.filename().string())}});
    }

    void add_folder(const std::string& key, const fs::path& path)
    {
        contents_.push_back({key, path, files_of(path)});
    }

    /// Adds these files of a folder, one name a line.
    void add_model(const std::string& key, const fs::path& path, std::string_view names)
    {
        std::vector<ModelFile> files;
        while (!names.empty()) {
            const std::string name(base::take_line(names));
            files.push_back(file_at(path / name, name));
        }
        contents_.push_back({key, path, std::move(files)});
    }

    /// Key -> fingerprint, or a list of them.
    base::Json read()
    {
        base::Json prints = base::Json::object();
        for (const Content& content : contents_)
            for (const ModelFile& file : content.files)
                total_ += file.size;
        for (const Content& content : contents_)
            add_value(prints, content.key, print_of(content));
        return prints;
    }

private:
    static ModelFile file_at(const fs::path& path, std::string name)
    {
        std::error_code unreadable; // the reading will say so
        const auto size = fs::file_size(path, unreadable);
        return {std::move(name), path, unreadable ? 0 : size};
    }

    void check_stop() const
    {
        if (context_.stop.stop_requested())
            throw base::Cancelled();
    }

    std::string print_of(const ModelFile& file)
    {
        check_stop();
        const std::uint64_t before = done_;
        std::string print = base::fingerprint_file(file.path, [this](std::uint64_t bytes) {
            check_stop();
            report(done_ + bytes);
        });
        report(before + file.size);
        return print;
    }

    /// Every regular file below `folder`, by name in the order of bytes. Links are followed, but none to a
    /// folder that it lies in. Without Python's caches and Git's data.
    [[nodiscard]] std::vector<ModelFile> files_of(const fs::path& folder) const
    {
        std::vector<ModelFile> files;
        std::vector<fs::path> inside{fs::weakly_canonical(folder)}; // from the outermost folder on
        std::error_code error;
        for (fs::recursive_directory_iterator at(
                 folder, fs::directory_options::follow_directory_symlink, error);
             !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
            check_stop();
            std::error_code gone; // a link that leads nowhere is no file
            const fs::path base = at->path().filename();
            if (at->is_directory(gone)) {
                inside.resize(static_cast<std::size_t>(at.depth()) + 1);
                inside.push_back(fs::weakly_canonical(at->path(), gone));
                if (base == "__pycache__" || base == ".git" ||
                    std::find(inside.begin(), inside.end() - 1, inside.back()) != inside.end() - 1)
                    at.disable_recursion_pending();
            } else if (at->is_regular_file(gone)) {
                files.push_back(
                    file_at(at->path(), at->path().lexically_relative(folder).generic_string()));
            }
        }
        if (error)
            throw base::Error("cannot read folder '{}': {}", folder.string(), error.message());
        std::ranges::sort(files, {}, &ModelFile::name);
        return files;
    }

    std::string print_of(const Content& content)
    {
        if (content.folder.empty())
            return print_of(content.files.front());
        std::string all;
        for (const ModelFile& file : content.files)
            all += fmt::format("{} {} {}\n", file.name.size(), file.name, print_of(file));
        return base::fingerprint(all);
    }

    void report(std::uint64_t done)
    {
        done_ = std::min(done, total_); // a file may have grown since
        if (context_.progress)
            context_.progress(done_, total_);
    }

    const CallContext& context_;
    std::vector<Content> contents_;
    std::uint64_t done_ = 0;
    std::uint64_t total_ = 0;
};

std::string output_of_ldd(const fs::path& library)
{
    const base::Descriptor output(memfd_create("ldd", MFD_CLOEXEC));
    try {
        sdk::Child(
            {.words = {"ldd", library.string()},
             .descriptors = {{output.number(), STDOUT_FILENO}, {output.number(), STDERR_FILENO}}})
            .wait(std::chrono::hours(1));
    } catch (const std::system_error& e) {
        throw base::Error("the libraries of '{}' are not known: {}", library.string(), e.what());
    }
    return base::read_file(fmt::format("/proc/self/fd/{}", output.number()));
}

bool is_of_system(const fs::path& file)
{
    const std::string top = std::next(file.begin())->string();
    return top.starts_with("lib") ||
           (top == "usr" && std::next(file.begin(), 2)->string().starts_with("lib"));
}

} // namespace

std::vector<fs::path> linked_libraries(const fs::path& library)
{
    std::error_code error;
    std::set<fs::path> found;
    const std::string output = output_of_ldd(fs::absolute(library, error));
    for (std::string_view rest = output; !rest.empty();) {
        const std::string_view line = base::take_line(rest);
        const auto begin = line.find("=> /"); // "libmodel.so => /folder/libmodel.so (0x...)"
        const auto end = line.rfind(" (0x");
        if (begin == std::string_view::npos || end == std::string_view::npos || end < begin)
            continue;
        const fs::path file = fs::weakly_canonical(line.substr(begin + 3, end - begin - 3), error);
        if (fs::is_regular_file(file, error) && !is_of_system(file))
            found.insert(file);
    }
    return {found.begin(), found.end()};
}

namespace {

/// The files of a model's folder that count; nullptr where the encoder does not say.
const char*
names_of_model(const senteval_encoder& table, const std::string& key, const fs::path& path)
{
    const senteval_folder* const folders = folders_of(table);
    if (path.empty() || folders == nullptr || key != folders->parameter)
        return nullptr;
    return folders->files(path.c_str());
}

} // namespace

Identity identify(const Plugin& plugin,
                  const senteval_encoder& table,
                  const std::vector<Parameter>& parameters,
                  std::string label,
                  const CallContext& context)
{
    Identity identity;
    identity.label = std::move(label);
    identity.id = table.id;
    identity.version = table.version;
    Contents contents(context);
    contents.add_file("library", plugin.path());
    if (!is_bundled(plugin.path()))
        for (const fs::path& linked : linked_libraries(plugin.path()))
            contents.add_file("library", linked);
    base::Json effective = base::Json::object();
    for (const Parameter& parameter : parameters) {
        add_value(identity.parameters, parameter.key, parameter.value);
        if (!parameter.changes_vectors)
            continue;
        std::error_code none; // a path without a file counts by its name
        const fs::path path =
            parameter.type == SENTEVAL_TYPE_PATH ? parameter.value.get<std::string>() : "";
        if (!path.empty() && fs::is_regular_file(path, none))
            contents.add_file(parameter.key, path);
        else if (const char* names = names_of_model(table, parameter.key, path))
            contents.add_model(parameter.key, path, names);
        else if (!path.empty() && fs::is_directory(path, none))
            contents.add_folder(parameter.key, path);
        else
            add_value(effective, parameter.key, parameter.value);
    }
    identity.files = contents.read();
    identity.fingerprint = base::fingerprint(sorted_text({{"id", identity.id},
                                                          {"version", identity.version},
                                                          {"parameters", effective},
                                                          {"files", identity.files}}));
    return identity;
}

namespace {

template <typename Struct>
const Struct* asked(const senteval_encoder& table, const char* id)
{
    return table.get_extension == nullptr
               ? nullptr
               : static_cast<const Struct*>(table.get_extension(&table, id));
}

} // namespace

Extensions extensions_of(const senteval_encoder& table)
{
    const auto* vocabulary = asked<senteval_vocabulary>(table, SENTEVAL_VOCABULARY_EXTENSION);
    const auto* roles = asked<senteval_roles>(table, SENTEVAL_ROLES_EXTENSION);
    const auto* identity = asked<senteval_identity>(table, SENTEVAL_IDENTITY_EXTENSION);
    Extensions found;
    if (vocabulary != nullptr && SENTEVAL_HAS(vocabulary, senteval_vocabulary, count_known))
        found.count_known = vocabulary->count_known;
    if (roles != nullptr && SENTEVAL_HAS(roles, senteval_roles, encode))
        found.encode = roles->encode;
    if (identity != nullptr && SENTEVAL_HAS(identity, senteval_identity, ignores_prepare)) {
        found.state = identity->state;
        found.ignores_prepare = identity->ignores_prepare;
    }
    if (identity != nullptr && SENTEVAL_HAS(identity, senteval_identity, capabilities))
        found.capabilities = identity->capabilities;
    return found;
}

std::uint32_t claims_of(const senteval_encoder& table,
                        const Extensions& extensions,
                        const senteval_instance* instance)
{
    std::uint32_t claims = table.capabilities;
    if (extensions.capabilities != nullptr)
        claims &= extensions.capabilities(instance);
    if (extensions.ignores_prepare != nullptr && extensions.ignores_prepare(instance) != 0)
        claims |= SENTEVAL_CAP_PREPARE_IRRELEVANT;
    return claims;
}

base::Json read_statement(senteval_string text)
{
    constexpr std::size_t most_bytes = std::size_t{1} << 20U;
    if (text.size > most_bytes)
        throw base::Error("the identity that it states has {} bytes; at most {} are allowed",
                          text.size, most_bytes);
    if (text.data == nullptr && text.size > 0)
        throw base::Error("the identity that it states is NULL, and its size {}", text.size);
    try {
        base::Json statement = base::parse_json({text.data, text.size});
        (void)similarity_of(statement);
        return statement;
    } catch (const base::UsageError&) {
        throw;
    } catch (const base::Error& e) {
        throw base::Error("the identity that it states is not JSON: {}", e.what());
    }
}

std::optional<Similarity> similarity_of(const base::Json& statement)
{
    constexpr auto key = "similarity";
    if (!statement.is_object() || !statement.contains(key))
        return std::nullopt;
    return core::Value::of_json(statement.at(key), key, "the identity that it states", {})
        .choice(similarity_names);
}

bool states_identity(const senteval_encoder& table)
{
    return extensions_of(table).state != nullptr;
}

const senteval_folder* folders_of(const senteval_encoder& table)
{
    return asked<senteval_folder>(table, SENTEVAL_FOLDER_EXTENSION);
}

bool runs_user_code(const senteval_encoder& table)
{
    return asked<void>(table, SENTEVAL_USER_CODE_EXTENSION) != nullptr;
}

Kind kind_of(const senteval_encoder& table)
{
    if (asked<void>(table, SENTEVAL_RANKER_EXTENSION) != nullptr)
        return Kind::ranker;
    return asked<void>(table, SENTEVAL_RERANKER_EXTENSION) != nullptr ? Kind::reranker
                                                                      : Kind::encoder;
}

void add_statement(Identity& identity, senteval_string json)
{
    identity.stated = read_statement(json);
    if (constexpr auto key = "unseen";
        identity.stated.is_object() && identity.stated.contains(key)) {
        identity.unseen =
            base::to_text(identity.stated.at(key)) == R"("server")" ? "server" : "program";
        identity.stated.erase(key); // how it is known, not what it is
        if (identity.stated.empty()) {
            identity.stated = {};
            return;
        }
    }
    identity.fingerprint =
        base::fingerprint(identity.fingerprint + "\n" + sorted_text(identity.stated));
}

} // namespace senteval::encoder
