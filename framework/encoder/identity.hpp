// identity.hpp -- who makes the vectors: what a result and a cached vector are told apart by.
#pragma once

#include "encoder/encoder.hpp"
#include "encoder/parameters.hpp"
#include "encoder/plugin.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace senteval::encoder {

/// Who an encoder with these parameters is. Reads the library with those that it brings along, and all
/// that path parameters name, files and whole folders, for their fingerprints: a model counts by its
/// content, not by where it lies. Throws core::Error naming what cannot be read, and core::Cancelled as soon
/// as `context` asks for a stop; its progress is told of bytes.
Identity identify(const Plugin& plugin,
                  const senteval_encoder& table,
                  const std::vector<Parameter>& parameters,
                  std::string label,
                  const CallContext& context = {});

/// Whether an instance has to be made before the identity is whole: Encoder::identity() then holds
/// what identify() found and what the instance states (senteval_identity in encoder.h).
bool states_identity(const senteval_encoder& table);

/// Whether its instances run code of the user's in the process that they are in.
bool runs_user_code(const senteval_encoder& table);

/// Adds what an instance states, a JSON text, to its identity. Throws core::Error where it is none.
void add_statement(Identity& identity, std::string_view json);

} // namespace senteval::encoder
