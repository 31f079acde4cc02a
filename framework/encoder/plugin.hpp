// plugin.hpp -- a shared library with encoders, loaded and checked against the ABI.
#pragma once

#include <senteval/encoder.h>

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::encoder {

/// A broken rule.
struct TableFault {
    std::string_view rule;              ///< "1.5"
    std::string where;                  ///< "encoders[0].create"
    std::string what;                   ///< "is NULL"
    std::optional<std::size_t> encoder; ///< none: the table itself
    bool is_fatal = true;               ///< the encoder, or the table, cannot be used
};

/// The broken rules of a table of version 1.
std::vector<TableFault> table_faults(const senteval_plugin& table);

/// The entry point of a library, which is loaded with local symbol scope. Throws base::UsageError that says why there is
/// none.
senteval_plugin_entry_fn entry_of(const std::filesystem::path& library);

/// The process in which a call of a plugin began (rule 6.8 of encoder.h).
class ThisProcess {
public:
    /// Ends a process that the plugin forked, and in which its call returned, too.
    void must_be_this() const noexcept
    {
        if (getpid() != process_)
            _exit(0);
    }

private:
    pid_t process_ = getpid();
};

/// A loaded plugin. Its library stays in the process until the end: unloading is never safe.
class Plugin {
public:
    /// Loads and checks the table: entry symbol, ABI version, struct sizes, ids, required functions. Throws base::UsageError with the path and what is wrong, base::Error where
    /// its entry point throws.
    static std::shared_ptr<const Plugin> load(const std::filesystem::path& path);

    /// A plugin that is loaded in another process: its table without the functions.
    static std::shared_ptr<const Plugin> described(std::filesystem::path path,
                                                   std::shared_ptr<const senteval_plugin> table);

    /// Whether the functions of its table may be called.
    [[nodiscard]] bool is_loaded() const noexcept { return is_loaded_; }

    [[nodiscard]] const std::filesystem::path& path() const noexcept { return path_; }
    [[nodiscard]] std::span<const senteval_encoder* const> encoders() const noexcept;

    /// The encoder whose id is `name` or ends in ".name"; with an empty name, the only encoder.
    /// Throws base::UsageError that lists what there is.
    [[nodiscard]] const senteval_encoder& encoder(std::string_view name) const;

private:
    Plugin(std::filesystem::path path, std::shared_ptr<const senteval_plugin> table, bool is_loaded)
        : path_(std::move(path)), table_(std::move(table)), is_loaded_(is_loaded)
    {
    }

    std::filesystem::path path_;
    std::shared_ptr<const senteval_plugin> table_; ///< owns nothing where it is the library's
    bool is_loaded_;
};

/// The last part of an encoder's id: "glove" of "senteval.glove".
std::string_view short_name(const senteval_encoder& encoder);

} // namespace senteval::encoder
