#include "made_corpus.hpp"

#include "learn/random.hpp"

#include <fmt/format.h>

#include <stop_token>
#include <utility>

namespace senteval::test {

std::filesystem::path
write_vectors(const ScratchFolder& scratch, std::size_t words, std::size_t dimension)
{
    learn::Mt19937 random(7);
    std::string text;
    for (std::size_t word = 0; word < words; ++word) {
        text += fmt::format("w{}", word);
        for (std::size_t i = 0; i < dimension; ++i)
            text += fmt::format(" {:.4f}", static_cast<double>(random.next()) / 2147483648.0 - 1);
        text += '\n';
    }
    return scratch.write("vectors.txt", text);
}

MadeCorpus::MadeCorpus(std::size_t words, std::size_t dimension, std::size_t pairs)
    : vectors(std::make_unique<annex::StartVectors>(
          write_vectors(scratch, words, dimension), 1U, std::stop_token(), [](std::string_view) {}))
{
    learn::Mt19937 random(11);
    annex::CorpusBuilder builder(*vectors, evaluated);
    const auto phrase = [&] {
        std::string text;
        for (std::size_t i = random.next() % 6 + 1; i > 0; --i)
            text += fmt::format("w{} ", random.next() % words);
        return text;
    };
    while (builder.counts().kept < pairs) {
        const std::string first = phrase();
        builder.add(first, phrase());
    }
    corpus = builder.take();
}

annex::TrainSettings settings_of(paragram::Kind kind, std::size_t dimension)
{
    using paragram::Activation;
    using paragram::Kind;
    annex::TrainSettings settings;
    settings.architecture = {
        kind, kind == Kind::dan || kind == Kind::rnn ? Activation::tanh : Activation::identity,
        dimension, dimension, 1};
    settings.batch = 40;
    settings.epochs = 3;
    settings.optimiser = "adam,lr=0.01";
    settings.l2 = 1e-4;
    settings.l2_words = 1e-2;
    return settings;
}

annex::ModelState
trained(const MadeCorpus& made, const annex::TrainSettings& settings, annex::TrainOptions options)
{
    return annex::Trainer(made.corpus, *made.vectors, settings, std::move(options)).train();
}

} // namespace senteval::test
