#include "annex/trained_words.hpp"

#include "annex/start_vectors.hpp"
#include "base/error.hpp"
#include "paragram_model/model_file.hpp"

#include <senteval/encoder.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace senteval::annex {

namespace {

StartVectors open_vectors(const std::filesystem::path& file)
{
    return {file, 1, std::stop_token(), {}};
}

/// Removes the unknown word, which is no word.
void erase_unknown(TrainedWords& words)
{
    const auto at = words.find(paragram::unknown_word);
    if (!at)
        return;
    const auto place = static_cast<std::ptrdiff_t>(*at);
    const auto width = static_cast<std::ptrdiff_t>(words.dimension);
    words.words.erase(words.words.begin() + place);
    if (!words.counts.empty())
        words.counts.erase(words.counts.begin() + place);
    for (auto* matrix : {&words.after, &words.before})
        if (!matrix->empty())
            matrix->erase(matrix->begin() + place * width, matrix->begin() + (place + 1) * width);
}

void read_model_parts(const paragram::ModelFile& model, TrainedWords& words)
{
    words.counts = model.counts();
    words.before = words.after; // but for those that training moved
    const paragram::InitialVectors initial = model.initial();
    for (std::size_t i = 0; i < initial.rows.size(); ++i)
        std::copy_n(initial.values.begin() + static_cast<std::ptrdiff_t>(i * words.dimension),
                    words.dimension,
                    words.before.begin() +
                        static_cast<std::ptrdiff_t>(initial.rows[i] * words.dimension));
}

double norm_of(std::span<const float> vector)
{
    double square = 0;
    for (const float value : vector)
        square += static_cast<double>(value) * static_cast<double>(value);
    return std::sqrt(square);
}

} // namespace

std::optional<std::size_t> TrainedWords::find(std::string_view word) const
{
    const auto at = std::ranges::find(words, word);
    return at == words.end()
               ? std::nullopt
               : std::optional<std::size_t>(static_cast<std::size_t>(at - words.begin()));
}

std::vector<std::size_t> TrainedWords::common(std::size_t most) const
{
    std::vector<std::size_t> places(words.size());
    std::iota(places.begin(), places.end(), std::size_t{0});
    if (!counts.empty()) {
        std::erase_if(places, [this](std::size_t place) { return counts[place] == 0; });
        std::ranges::stable_sort(
            places, [this](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
    }
    places.resize(std::min(places.size(), most));
    return places;
}

TrainedWords read_trained_words(const std::filesystem::path& file)
{
    const StartVectors vectors = open_vectors(file);
    TrainedWords words;
    words.dimension = vectors.dimension();
    words.after.resize(vectors.size() * words.dimension);
    for (std::size_t row = 0; row < vectors.size(); ++row) {
        words.words.emplace_back(vectors.word(row));
        vectors.read(row, std::span(words.after).subspan(row * words.dimension, words.dimension));
    }
    try {
        if (paragram::is_model(file))
            read_model_parts(paragram::ModelFile(file), words);
    } catch (const sdk::Error& error) {
        throw base::Error("{}", error.what());
    }
    erase_unknown(words);
    return words;
}

std::vector<Neighbour> neighbours_of(const TrainedWords& words,
                                     const std::vector<float>& matrix,
                                     std::size_t word,
                                     std::span<const std::size_t> candidates,
                                     std::size_t count)
{
    const auto query = words.row(matrix, word);
    const double norm = norm_of(query);
    std::vector<Neighbour> found;
    for (const std::size_t candidate : candidates) {
        const auto other = words.row(matrix, candidate);
        const double norms = norm * norm_of(other);
        if (candidate == word || !(norms > 0))
            continue;
        found.push_back(
            {candidate,
             std::inner_product(query.begin(), query.end(), other.begin(), 0.0) / norms});
    }
    std::ranges::stable_sort(
        found, [](const Neighbour& a, const Neighbour& b) { return a.cosine > b.cosine; });
    found.resize(std::min(found.size(), count));
    return found;
}

} // namespace senteval::annex
