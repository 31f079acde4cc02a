#include "support/loaded_plugin.hpp"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace senteval::test {

LoadedPlugin::LoadedPlugin(const std::filesystem::path& library)
{
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == nullptr)
        throw std::runtime_error(dlerror());
    entry_ = reinterpret_cast<senteval_plugin_entry_fn>(dlsym(handle, SENTEVAL_PLUGIN_ENTRY_NAME));
    if (entry_ == nullptr)
        throw std::runtime_error(library.string() + " has no entry point");
}

const senteval_encoder& LoadedPlugin::encoder(std::string_view id) const
{
    const senteval_plugin* plugin = table();
    for (std::size_t i = 0; i < plugin->encoder_count; ++i)
        if (plugin->encoders[i]->id == id)
            return *plugin->encoders[i];
    throw std::runtime_error("the plugin has no encoder " + std::string(id));
}

} // namespace senteval::test
