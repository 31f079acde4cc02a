#include "encoder/plugin.hpp"

#include "base/error.hpp"
#include "base/names.hpp"

#include <dlfcn.h>

#include <vector>

namespace senteval::encoder {
namespace {

namespace fs = std::filesystem;

/// The entry point threw, which it must not (rule 4.1).
class EntryError : public base::Error {
public:
    using base::Error::Error;
};

void check_table(const senteval_plugin* table)
{
    if (table == nullptr)
        throw base::UsageError(
            "it does not support version {} of the ABI (its entry point returned no table)",
            SENTEVAL_ABI_MAJOR);
    const unsigned major = SENTEVAL_ABI_MAJOR_OF(table->abi_version);
    if (major != SENTEVAL_ABI_MAJOR)
        throw base::UsageError("it was built for version {} of the ABI, this program supports "
                               "version {}: build it again with this program's SDK",
                               major, SENTEVAL_ABI_MAJOR);
    for (const TableFault& fault : table_faults(*table))
        if (fault.is_fatal)
            throw base::UsageError("{} {} (rule {} of encoder.h)", fault.where, fault.what,
                                   fault.rule);
}

const senteval_plugin* call_entry(const fs::path& path)
{
    const auto entry = entry_of(path);
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

senteval_plugin_entry_fn entry_of(const fs::path& library)
{
    // Never unloaded: threads and thread-local destructors of a plugin may outlive any handle.
    void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == nullptr)
        throw base::UsageError("it cannot be loaded as a shared library ({})", dlerror());
    void* const symbol = dlsym(handle, SENTEVAL_PLUGIN_ENTRY_NAME);
    if (symbol == nullptr)
        throw base::UsageError("it has no symbol '{}': is it an encoder, and is it exported?",
                               SENTEVAL_PLUGIN_ENTRY_NAME);
    return reinterpret_cast<senteval_plugin_entry_fn>(symbol);
}

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
    } catch (const base::UsageError& e) {
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
