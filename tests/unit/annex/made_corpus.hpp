// made_corpus.hpp -- small training sets, made for tests.
#pragma once

#include "annex/corpus.hpp"
#include "annex/start_vectors.hpp"
#include "annex/trainer.hpp"
#include "support/support.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace senteval::test {

/// A file of word vectors w0, w1, ... with values that look random.
std::filesystem::path
write_vectors(const ScratchFolder& scratch, std::size_t words, std::size_t dimension);

/// Vectors, and pairs of phrases of one to six of their words.
struct MadeCorpus {
    MadeCorpus(std::size_t words, std::size_t dimension, std::size_t pairs);

    ScratchFolder scratch;
    std::unique_ptr<annex::StartVectors> vectors;
    annex::EvaluatedSentences evaluated;
    annex::Corpus corpus;
};

/// A short training that learns.
annex::TrainSettings settings_of(paragram::Kind kind, std::size_t dimension = 6);

annex::ModelState trained(const MadeCorpus& made,
                          const annex::TrainSettings& settings,
                          annex::TrainOptions options = {});

} // namespace senteval::test
