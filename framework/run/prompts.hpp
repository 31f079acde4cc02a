// prompts.hpp -- what an encoder that takes instructions is given in front of the texts of a task.
#pragma once

#include "encoder/identity.hpp"
#include "encoder/prompted.hpp"
#include "results/result.hpp"

#include <string_view>

namespace senteval::run {

/// "text", "query" or "document".
std::string_view name_of(text::Role role);

/// By role, for a task of MTEB's that says its `prompt`, where the encoder has a template: the parameter `instruction`, or
/// `instruction_template` in config_sentence_transformers.json of a folder among its parameters. A prompt of that file for
/// the task wins; documents have no other. A role that has a prefix of the user's keeps it.
encoder::Prompts prompts_for(const encoder::Identity& encoder, const results::TaskRecord& task);

} // namespace senteval::run
