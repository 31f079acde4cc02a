// use_encoder.hpp -- Universal Sentence Encoder lite, from its files for TensorFlow.js.
#pragma once

#include "use/model.hpp"

#include <senteval/encoder.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace senteval::use {

/// Vectors of length 1, as the model's JavaScript program computes them; those of a text without tokens are what the last
/// layer makes of zeros, where that program fails.
class UseEncoder {
public:
    static constexpr sdk::Descriptor descriptor{
        .id = "senteval.use",
        .name = "Universal Sentence Encoder lite",
        .version = "1.0",
        .description = "The transformer of Cer et al. (2018) with 8000 pieces of words, from the "
                       "files of its TensorFlow.js model.",
        .license = "MIT",
        .capabilities = SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT |
                        SENTEVAL_CAP_DETERMINISTIC | SENTEVAL_CAP_PREPARE_IRRELEVANT,
    };
    static constexpr senteval_param_spec params[] = {sdk::path_param(
        "model", "Folder with model.json, the files of weights that it names, and vocab.json.")};

    static constexpr const char* folder_parameter = "model";
    /// Files of every TensorFlow.js model with a vocab.json: this encoder says why where it is another one.
    static std::string files_of(const char* folder);

    explicit UseEncoder(const sdk::Setup& setup);

    [[nodiscard]] std::size_t dimension() const noexcept { return network_.dimension(); }
    void prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch samples) const;
    void encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const;
    void count_known(sdk::Batch batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) const;

private:
    sdk::Host host_;
    std::filesystem::path folder_;
    Tokeniser tokeniser_;
    Network network_;
};

} // namespace senteval::use
