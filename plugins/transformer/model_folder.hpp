// model_folder.hpp -- what both encoders read of a model's folder beside its weights.
#pragma once

#include "model_files/tokeniser.hpp"
#include "transformer/network.hpp"

#include <senteval/encoder.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace senteval::transformer {

struct Module {
    std::string type;
    std::string kind; ///< its last component
    std::filesystem::path folder;
};

/// Modules in the order in which they run, which is that of modules.json; none where there is no such file.
std::vector<Module> modules_of(const std::filesystem::path& folder);

/// The folder of the transformer itself, by modules.json, else `folder`.
std::filesystem::path transformer_folder(const std::filesystem::path& folder);

/// Whether the folder is of a model that judges pairs of texts.
bool is_cross_encoder(const std::filesystem::path& folder);

/// What a folder says of the texts that its transformer reads.
struct TextSettings {
    std::optional<std::size_t> most_tokens;
    bool lowers = false;
    bool surrounds = true; ///< with special tokens
};

/// Of sentence_bert_config.json, or of the first that is there of its older names. `purpose`: what its keys may say that
/// the transformer is for.
TextSettings text_settings_of(const std::filesystem::path& folder,
                              const model_files::Json& purpose);

/// The limit of tokens that tokenizer_config.json names.
std::optional<std::size_t> own_limit_of(const std::filesystem::path& folder);

/// Throws sdk::Error where a tokenizer has ids that the network has no vector for, or is cut short.
void require_vocabulary(const std::filesystem::path& folder,
                        const model_files::Tokeniser& tokeniser,
                        const Network& network);

/// Throws sdk::Error where a limit leaves no token beside `special` ones.
void require_room(const std::filesystem::path& folder, std::size_t limit, std::size_t special);

/// Of the parameter `arithmetic`. Throws sdk::Error where the processor has it not.
Arithmetic arithmetic_from(const sdk::Params& params);

/// Computes texts in packs of a few: `add(i, packed)` appends a text's tokens, and `compute(packed, first)` is called
/// for the texts from `first` on.
template <typename Add, typename Compute>
void in_packs(std::size_t count, Add&& add, Compute&& compute)
{
    constexpr std::size_t tokens_at_once = 512;
    Packed packed;
    for (std::size_t i = 0; i < count; ++i) {
        Packed one;
        add(i, one);
        if (!packed.ids.empty() && packed.ids.size() + one.ids.size() > tokens_at_once) {
            compute(packed, i - packed.lengths.size());
            packed = {};
        }
        packed.ids.insert(packed.ids.end(), one.ids.begin(), one.ids.end());
        packed.types.insert(packed.types.end(), one.types.begin(), one.types.end());
        packed.lengths.push_back(one.ids.size());
    }
    if (!packed.ids.empty())
        compute(packed, count - packed.lengths.size());
}

} // namespace senteval::transformer
