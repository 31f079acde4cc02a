// identity.hpp -- the identity of an encoder, for results and the cache.
#pragma once

#include "encoder/encoder.hpp"
#include "encoder/parameters.hpp"
#include "encoder/plugin.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

// ---- What an encoder offers and states beside its table: one reader, for runs and for `check` ----

/// Functions of its extensions; null where there is none, or the struct is too small to hold it.
struct Extensions {
    decltype(senteval_vocabulary::count_known) count_known = nullptr;
    decltype(senteval_roles::encode) encode = nullptr;
    decltype(senteval_identity::state) state = nullptr;
    decltype(senteval_identity::ignores_prepare) ignores_prepare = nullptr;
    decltype(senteval_identity::capabilities) capabilities = nullptr;
};
Extensions extensions_of(const senteval_encoder& table);

/// Whether an instance has to be made before the identity is complete: Encoder::identity() then holds
/// what identify() found and what the instance states (senteval_identity in encoder.h).
bool states_identity(const senteval_encoder& table);

/// The encoder's table of SENTEVAL_FOLDER_EXTENSION, or nullptr: also where the plugin is only described.
const senteval_folder* folders_of(const senteval_encoder& table);

/// Whether its instances run code of the user in their own process.
bool runs_user_code(const senteval_encoder& table);

/// What an encoder gives: vectors of texts, scores of documents, or scores of pairs.
enum class Kind { encoder, ranker, reranker };
Kind kind_of(const senteval_encoder& table);

/// The SENTEVAL_CAP_* that an instance says it keeps.
std::uint32_t claims_of(const senteval_encoder& table,
                        const Extensions& extensions,
                        const senteval_instance* instance);

/// How near two sentence vectors are. Distances count negatively, so that more is always nearer.
enum class Similarity { cosine, dot, euclidean, manhattan };
inline constexpr std::array<std::pair<std::string_view, Similarity>, 4> similarity_names{{
    {"cosine", Similarity::cosine},
    {"dot", Similarity::dot},
    {"euclidean", Similarity::euclidean},
    {"manhattan", Similarity::manhattan},
}};

/// What an instance states. Throws base::Error where that is no JSON text, is too large, or names no similarity.
base::Json read_statement(senteval_string text);

/// The similarity that a statement names, if it does. Throws base::UsageError where there is none of that name.
std::optional<Similarity> similarity_of(const base::Json& statement);

/// Adds what an instance states, a JSON text, to its identity. Throws base::Error where it is none.
void add_statement(Identity& identity, senteval_string json);

} // namespace senteval::encoder
