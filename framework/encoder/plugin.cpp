#include "encoder/plugin.hpp"

#include "base/error.hpp"
#include "base/names.hpp"

#include <boost/dll/shared_library.hpp>

#include <dlfcn.h>

#include <vector>

namespace senteval::encoder {
namespace {

namespace dll = boost::dll;
namespace fs = std::filesystem;

class TableError : public base::Error {
public:
    using base::Error::Error;
};

/// What the entry point threw, which it must not (rule 4.1).
class EntryError : public base::Error {
public:
    using base::Error::Error;
};

void check_table(const senteval_plugin* table)
{
    if (table == nullptr)
        throw TableError(
            "it does not speak version {} of the ABI (its entry point returned no table)",
            SENTEVAL_ABI_MAJOR);
    const unsigned major = SENTEVAL_ABI_MAJOR_OF(table->abi_version);
    if (major != SENTEVAL_ABI_MAJOR)
        throw TableError(
            "it was built for version {} of the ABI, this program speaks version {}: build "
            "it again with this program's SDK",
            major, SENTEVAL_ABI_MAJOR);
    for (const TableFault& fault : table_faults(*table))
        if (fault.is_fatal)
            throw TableError("{} {} (rule {} of encoder.h)", fault.where, fault.what, fault.rule);
}

/// The system loader's message, without Boost's words around it.
std::string_view loader_message(std::string_view what)
{
    constexpr std::string_view before = "dlerror system message: ";
    const auto begin = what.find(before);
    const auto end = what.rfind(')');
    return begin == std::string_view::npos || end == std::string_view::npos
               ? what
               : what.substr(begin + before.size(), end - begin - before.size());
}

dll::shared_library open_library(const fs::path& path)
{
    try {
        // Never unloaded: threads and thread-local destructors of a plugin may outlive any handle.
        const auto mode = dll::load_mode::rtld_now | dll::load_mode::rtld_local |
                          static_cast<dll::load_mode::type>(RTLD_NODELETE);
        return dll::shared_library(boost::filesystem::path(path.string()), mode);
    } catch (const std::exception& e) {
        throw TableError("it cannot be loaded as a shared library ({})", loader_message(e.what()));
    }
}

const senteval_plugin* call_entry(const fs::path& path)
{
    const dll::shared_library library = open_library(path);
    if (!library.has(SENTEVAL_PLUGIN_ENTRY_NAME))
        throw TableError("it has no symbol '{}': is it an encoder, and is the symbol exported?",
                         SENTEVAL_PLUGIN_ENTRY_NAME);
    const auto& entry =
        library.get<const senteval_plugin*(std::uint32_t)>(SENTEVAL_PLUGIN_ENTRY_NAME);
    try {
        return entry(SENTEVAL_ABI_VERSION);
    } catch (const std::exception& e) {
        throw EntryError("{}", e.what());
    } catch (...) {
        throw EntryError("something that is no std::exception");
    }
}

std::vector<std::string> names_of(std::span<const senteval_encoder* const> encoders)
{
    std::vector<std::string> names;
    for (const senteval_encoder* encoder : encoders)
        names.emplace_back(short_name(*encoder));
    return names;
}

} // namespace

std::shared_ptr<const Plugin> Plugin::load(const fs::path& path)
{
    std::error_code error;
    const fs::path full = fs::absolute(path, error);
    if (!fs::exists(full, error))
        throw base::UsageError("encoder library '{}' does not exist", full.string());
    const ThisProcess process; // a library's constructors run here
    try {
        const senteval_plugin* const table = call_entry(full);
        process.must_be_this();
        check_table(table);
        const std::shared_ptr<const senteval_plugin> not_owned(std::shared_ptr<void>(), table);
        return std::shared_ptr<const Plugin>(new Plugin(full, not_owned, true));
    } catch (const EntryError& e) {
        process.must_be_this();
        throw base::Error("'{}' is not a usable encoder plugin: its {}() threw {}", full.string(),
                          SENTEVAL_PLUGIN_ENTRY_NAME, e.what());
    } catch (const TableError& e) {
        throw base::UsageError("'{}' is not a usable encoder plugin: {}", full.string(), e.what());
    }
}

std::shared_ptr<const Plugin> Plugin::described(fs::path path,
                                                std::shared_ptr<const senteval_plugin> table)
{
    return std::shared_ptr<const Plugin>(new Plugin(std::move(path), std::move(table), false));
}

std::span<const senteval_encoder* const> Plugin::encoders() const noexcept
{
    return {table_->encoders, table_->encoder_count};
}

const senteval_encoder& Plugin::encoder(std::string_view name) const
{
    const auto names = names_of(encoders());
    if (name.empty() && names.size() == 1)
        return *encoders().front();
    for (std::size_t e = 0; e < names.size(); ++e)
        if (name == encoders()[e]->id || name == names[e])
            return *encoders()[e];
    if (name.empty())
        throw base::UsageError("'{}' contains several encoders: {}. Name one, as in '{}:{}'",
                               path_.string(), fmt::join(names, ", "), path_.filename().string(),
                               names.front());
    throw base::UsageError("'{}' contains no encoder '{}' (it has {}).{}", path_.string(), name,
                           fmt::join(names, ", "), base::did_you_mean(name, names));
}

std::string_view short_name(const senteval_encoder& encoder)
{
    const std::string_view id = encoder.id;
    return id.substr(id.rfind('.') + 1);
}

} // namespace senteval::encoder
