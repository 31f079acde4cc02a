// versions.hpp -- the versions of an encoder that no file identifies, as a store has them: each is known by what it says.
#pragma once

#include "encoder/session.hpp"
#include "results/store.hpp"

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace senteval::run {

struct Version {
    encoder::Identity identity;
    bool is_settled = false; ///< the encoder was asked
    bool is_known = false;   ///< so what the store has of the version on the task is its own
};

/// The latest version in the store, unasked; of an encoder that files identify its identity. `store` may be nullptr.
[[nodiscard]] Version latest_version(const results::Store* store, encoder::Identity identity);

struct Asked {
    encoder::Session&
        session; ///< prepared for the task, where vectors depend on it; else to be prepared afterwards
    const encoder::Encoder& encoder;
    const results::Store* store; ///< nullptr: there is no earlier version
    std::stop_token stop;
    std::function<void(const std::string& what)> warn;
};

/// The version that is at work after `before`. Invariant: a version has one set of vectors for a few texts, those of its
/// first probe; another set is another version. Where vectors do not depend on prepare(), any task's texts serve, else
/// those of this one. One process at a time asks for a store. Throws as Session::embed() does, and where the probe
/// cannot be kept.
[[nodiscard]] Version settle(const Asked& asked,
                             const Version& before,
                             std::string_view task,
                             std::span<const text::Sentence> samples);

} // namespace senteval::run
