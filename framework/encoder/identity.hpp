// identity.hpp -- the identity of an encoder, for results and the cache.
#pragma once

#include "encoder/encoder.hpp"
#include "encoder/parameters.hpp"
#include "encoder/plugin.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::encoder {

/// The identity of an encoder with these parameters. Fingerprints the library, linked_libraries() of it, and all files
/// and folders that path parameters name: a model counts by its content, not by its path. Throws base::Error
/// that names what cannot be read, and base::Cancelled. Progress counts bytes.
Identity identify(const Plugin& plugin,
                  const senteval_encoder& table,
                  const std::vector<Parameter>& parameters,
                  std::string label,
                  const CallContext& context = {});

/// The libraries that a library is linked with, as `ldd` finds them, without those in /lib* and /usr/lib*: a model that
/// is a library of its own changes vectors as the encoder does. Sorted, each once. What is opened at run time is not
/// among them. Throws base::Error where there is no `ldd`.
std::vector<std::filesystem::path> linked_libraries(const std::filesystem::path& library);

/// Whether an instance has to be made before the identity is complete: Encoder::identity() then holds
/// what identify() found and what the instance states (senteval_identity in encoder.h).
bool states_identity(const senteval_encoder& table);

/// The encoder's table of SENTEVAL_FOLDER_EXTENSION, or nullptr: also where the plugin is only described.
const senteval_folder* folders_of(const senteval_encoder& table);

/// Whether its instances run code of the user in their own process.
bool runs_user_code(const senteval_encoder& table);

/// Adds what an instance states, a JSON text, to its identity. Throws base::Error where it is none.
void add_statement(Identity& identity, std::string_view json);

} // namespace senteval::encoder
