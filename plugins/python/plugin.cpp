// plugin.cpp -- the encoder `python` as a host sees it. It needs no Python to be loaded and listed: the
// interpreter, and the library that is linked to it (the bridge, a plugin itself), come with the first
// instance.
#include "python/description.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>

namespace senteval::python {
namespace {

[[noreturn]] void refuse(const std::string& what)
{
    const char* why = dlerror();
    throw sdk::Error(SENTEVAL_UNSUPPORTED, what + ": " + (why != nullptr ? why : "unknown reason"));
}

/// The folder of this library.
std::filesystem::path own_folder()
{
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&parameters), &info) == 0)
        throw sdk::Error(SENTEVAL_INTERNAL, "cannot find the folder of this library");
    return std::filesystem::path(info.dli_fname).parent_path();
}

const senteval_encoder* load_bridge()
{
    // For all to see: the extension modules of Debian's Python are linked to none.
    if (dlopen(SENTEVAL_LIBPYTHON, RTLD_NOW | RTLD_GLOBAL) == nullptr)
        refuse("this encoder needs Python's library (on Debian: apt "
               "install " SENTEVAL_LIBPYTHON_PACKAGE ")");
    const std::string path = own_folder() / "python" / "bridge.so";
    void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    void* const symbol = library != nullptr ? dlsym(library, SENTEVAL_PLUGIN_ENTRY_NAME) : nullptr;
    if (symbol == nullptr)
        refuse("cannot load the part of this encoder that is linked to Python");
    const auto entry = reinterpret_cast<senteval_plugin_entry_fn>(symbol);
    return entry(SENTEVAL_ABI_VERSION)->encoders[0];
}

/// Loaded once; where that fails, the next instance tries again.
const senteval_encoder& bridge()
{
    static const senteval_encoder* const table = load_bridge();
    return *table;
}

senteval_status create(const senteval_call* call,
                       const senteval_host* host,
                       const senteval_param* params,
                       std::size_t count,
                       senteval_instance** out) noexcept
{
    const senteval_encoder* table = nullptr;
    const senteval_status status = sdk::detail::guard(call, [&] { table = &bridge(); });
    return status != SENTEVAL_OK ? status : table->create(call, host, params, count, out);
}

// Of an instance, so the bridge is there.

void destroy(senteval_instance* instance) noexcept
{
    bridge().destroy(instance);
}

senteval_status prepare(const senteval_call* call,
                        senteval_instance* instance,
                        const senteval_task* task,
                        const senteval_batch* samples) noexcept
{
    return bridge().prepare(call, instance, task, samples);
}

senteval_status
dimension(const senteval_call* call, const senteval_instance* instance, std::size_t* out) noexcept
{
    return bridge().dimension(call, instance, out);
}

senteval_status batcher(const senteval_call* call,
                        senteval_instance* instance,
                        const senteval_batch* batch,
                        senteval_matrix* out) noexcept
{
    return bridge().batcher(call, instance, batch, out);
}

/// The bridge's.
const senteval_identity& bridge_identity()
{
    return *static_cast<const senteval_identity*>(
        bridge().get_extension(&bridge(), SENTEVAL_IDENTITY_EXTENSION));
}

senteval_status state_identity(const senteval_call* call,
                               senteval_instance* instance,
                               senteval_string* json) noexcept
{
    return bridge_identity().state(call, instance, json);
}

std::uint32_t ignores_prepare(const senteval_instance* instance) noexcept
{
    return bridge_identity().ignores_prepare(instance);
}

std::uint32_t capabilities(const senteval_instance* instance) noexcept
{
    return bridge_identity().capabilities(instance);
}

constexpr senteval_identity identity{sizeof(senteval_identity), 0, &state_identity,
                                     &ignores_prepare, &capabilities};

/// Asked without an instance, too.
const void* get_extension(const senteval_encoder*, const char* id) noexcept
{
    const std::string_view asked = id;
    return asked == SENTEVAL_IDENTITY_EXTENSION || asked == SENTEVAL_USER_CODE_EXTENSION ? &identity
                                                                                         : nullptr;
}

constexpr const senteval_param_spec* specs[] = {&parameters[0], &parameters[1], &parameters[2],
                                                &parameters[3], &parameters[4]};
static_assert(std::size(specs) == std::size(parameters));

constexpr senteval_encoder table{
    .struct_size = sizeof(senteval_encoder),
    .capabilities = descriptor.capabilities,
    .id = descriptor.id,
    .name = descriptor.name,
    .version = descriptor.version,
    .description = descriptor.description,
    .license = descriptor.license,
    .params = specs,
    .param_count = std::size(specs),
    .create = &create,
    .destroy = &destroy,
    .prepare = &prepare,
    .dimension = &dimension,
    .batcher = &batcher,
    .get_extension = &get_extension,
};
constexpr const senteval_encoder* encoders[] = {&table};
constexpr senteval_plugin plugin{sizeof(senteval_plugin), SENTEVAL_ABI_VERSION, encoders, 1};

} // namespace
} // namespace senteval::python

extern "C" SENTEVAL_EXPORT const senteval_plugin* senteval_plugin_entry(uint32_t host_abi_version)
{
    return SENTEVAL_ABI_MAJOR_OF(host_abi_version) == SENTEVAL_ABI_MAJOR ? &senteval::python::plugin
                                                                         : nullptr;
}
