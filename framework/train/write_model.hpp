// write_model.hpp -- a trained model to its file (paragram_model/model_file.hpp).
#pragma once

#include "paragram_model/architecture.hpp"
#include "train/corpus.hpp"
#include "train/sentence_encoder.hpp"
#include "train/start_vectors.hpp"
#include "train/training_record.hpp"

#include <filesystem>

namespace senteval::train {

/// All words of the start vectors but those with a blank, which no token is, and the unknown word. Replaces the
/// file at once. Throws core::Error.
void write_model_file(const std::filesystem::path& file,
                      const paragram::Architecture& architecture,
                      const ModelState& model,
                      const Vocabulary& vocabulary,
                      const StartVectors& vectors,
                      const TrainingRecord& record);

} // namespace senteval::train
