// model_folder.hpp -- a folder in place of an encoder's name: the encoder that reads it, and the hub's cache.
#pragma once

#include "encoder/find.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace senteval::encoder {

/// The folder that `name` means: one that is there, or "ORGANISATION/MODEL" in the local cache of the Hugging Face hub
/// ($HF_HUB_CACHE, $HF_HOME/hub or ~/.cache/huggingface/hub), as downloaded last; nothing where there is neither. Throws
/// base::UsageError where the cache does not say which revision.
std::optional<std::filesystem::path> model_folder(const std::string& name,
                                                  const std::filesystem::path& base);

/// The bundled encoder whose model the folder is (senteval_folder in encoder.h), with the parameter that names it. Throws
/// base::UsageError where none knows it, and where several do.
FoundEncoder encoder_of_folder(const std::filesystem::path& folder, const PluginLoader& load);

} // namespace senteval::encoder
