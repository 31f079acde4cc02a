// table_text.hpp -- what a plugin's table says, as bytes: so that a process can tell another what is in
// a library that only the one has loaded.
#pragma once

#include "encoder/plugin.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace senteval::isolation {

std::string table_text(const encoder::Plugin& plugin);

/// A plugin of that path with the same table, but for its functions: none may be called but
/// get_extension. What an encoder lacks is null. Throws core::Error where the text is no table.
std::shared_ptr<const encoder::Plugin> described_plugin(const std::filesystem::path& path,
                                                        std::string_view text);

} // namespace senteval::isolation
