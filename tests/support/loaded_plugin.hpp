// loaded_plugin.hpp -- an encoder plugin, loaded without the host.
#pragma once

#include <senteval/encoder.h>

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace senteval::test {

/// A loaded library; it stays loaded until the process ends. Throws std::runtime_error where
/// dlopen() fails or there is no entry point.
class LoadedPlugin {
public:
    explicit LoadedPlugin(const std::filesystem::path& library);

    [[nodiscard]] const senteval_plugin* table(std::uint32_t version = SENTEVAL_ABI_VERSION) const
    {
        return entry_(version);
    }
    /// The encoder with that id. Throws std::runtime_error where there is none.
    [[nodiscard]] const senteval_encoder& encoder(std::string_view id) const;

private:
    senteval_plugin_entry_fn entry_ = nullptr;
};

} // namespace senteval::test
