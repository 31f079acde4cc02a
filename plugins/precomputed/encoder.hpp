// encoder.hpp -- vectors that somebody made before, in a file.
#pragma once

#include "precomputed/rows.hpp"

#include <senteval/encoder.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::precomputed {

/// Looks every sentence up by its text, and its role where the file has roles, byte for byte as `senteval sentences`
/// writes it. A task with a sentence that has no finite vector fails before it begins.
class Encoder {
public:
    static constexpr sdk::Descriptor descriptor{
        .id = "senteval.precomputed",
        .name = "Precomputed vectors",
        .version = "1.0",
        .description = "Vectors of sentences that were encoded elsewhere, from an NPY or text "
                       "file; 'senteval sentences' writes what there is to encode.",
        .license = "MIT",
        .capabilities = SENTEVAL_CAP_CONCURRENT_BATCHER | SENTEVAL_CAP_BATCH_INVARIANT |
                        SENTEVAL_CAP_DETERMINISTIC | SENTEVAL_CAP_PREPARE_IRRELEVANT,
    };
    static constexpr senteval_param_spec params[] = {
        sdk::path_param("vectors",
                        "NPY file (rows x dimension; float16, float32 or float64), or text with "
                        "a row per line."),
        sdk::path_param("sentences",
                        "File with the sentence of each row, one per line, or as JSON lines that "
                        "begin with {\"text\":; without it each line "
                        "of a text file begins with its sentence and a tab (or a blank, after a "
                        "first line 'ROWS DIMENSION').",
                        0),
    };

    explicit Encoder(const sdk::Setup& setup);

    [[nodiscard]] std::size_t dimension() const noexcept { return vectors_.rows().dimension(); }
    void prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch samples);
    void encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const
    {
        encode_as(call, sdk::Role::as_is, batch, out);
    }
    void encode_as(sdk::Call& call, sdk::Role role, sdk::Batch batch, sdk::Matrix out) const;

private:
    void
    require_finite(std::size_t row, std::string_view sentence, std::vector<float>& values) const;
    void require_all(const sdk::Call& call, const sdk::Task& task, sdk::Batch samples) const;

    std::optional<std::string> sentences_; ///< the file
    SentenceRows vectors_;
};

} // namespace senteval::precomputed
