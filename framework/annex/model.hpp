// model.hpp -- a trained model in memory, which encodes sentences as the encoder `paragram` does with its file, and
// that file (paragram_model/model_file.hpp).
#pragma once

#include "annex/corpus.hpp"
#include "annex/start_vectors.hpp"
#include "paragram_model/composition.hpp"
#include "paragram_model/training_record.hpp"

#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

namespace senteval::annex {

/// Values of all trained parameters.
struct ModelState {
    std::vector<float> words;      ///< vocabulary x inputs
    std::vector<float> parameters; ///< as parameters_of() lists them

    friend bool operator==(const ModelState&, const ModelState&) = default;
};

/// Words that are not in the training pairs have their start vectors. Not thread-safe.
class SentenceEncoder {
public:
    SentenceEncoder(const paragram::Architecture& architecture,
                    const ModelState& model,
                    const Vocabulary& vocabulary,
                    const StartVectors& vectors);

    [[nodiscard]] std::size_t dimension() const noexcept
    {
        return composition_.architecture().outputs;
    }

    /// `out` has dimension() values. A sentence without tokens is a mean of zeros, or zeros.
    void encode(std::string_view sentence, std::span<float> out);

private:
    void append_vector(std::string_view token);

    const ModelState& model_;
    const Vocabulary& vocabulary_;
    const StartVectors& vectors_;
    paragram::Composition<float> composition_;
    paragram::Packing packing_;
    std::vector<float> inputs_; ///< of the tokens
    std::vector<float> mean_;
};

/// All words of the start vectors but those with a blank, which no token is, and the unknown word. Replaces the
/// file at once. Throws base::Error.
void write_model_file(const std::filesystem::path& file,
                      const paragram::Architecture& architecture,
                      const ModelState& model,
                      const Vocabulary& vocabulary,
                      const StartVectors& vectors,
                      const paragram::TrainingRecord& record);

} // namespace senteval::annex
