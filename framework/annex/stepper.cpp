#include "annex/stepper.hpp"

#include "annex/rows.hpp"
#include "annex/weights.hpp"
#include "numeric/denormals.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::annex {

namespace {

/// Penalties of the words are steps of plain gradient descent at the optimiser's rate.
double word_penalty(const TrainSettings& settings, const learn::Optimizer& optimiser)
{
    return settings.l2_words * optimiser.base_rate();
}

double square_of(std::span<const float> values)
{
    double square = 0;
    for (const float value : values)
        square += static_cast<double>(value) * static_cast<double>(value);
    return square;
}

std::optional<SimilarityHead<float>> head_of(const TrainSettings& settings)
{
    if (settings.scores.empty())
        return std::nullopt;
    return SimilarityHead<float>(settings.architecture.outputs, settings.hidden, settings.scores);
}

Objective<float> objective_of(const TrainSettings& settings,
                              const std::optional<SimilarityHead<float>>& head,
                              Team& team)
{
    if (head)
        return Objective<float>(settings.architecture, *head, team);
    return Objective<float>(settings.architecture, settings.margin, settings.negatives, team);
}

/// The head's stand behind the model's.
ParameterState parameters_of(const TrainSettings& settings,
                             const std::optional<SimilarityHead<float>>& head,
                             float initial_square)
{
    std::vector<paragram::Parameter> parameters = paragram::parameters_of(settings.architecture);
    std::vector<float> initial = settings.universal.empty()
                                     ? initial_weights(settings.architecture, settings.seed)
                                     : settings.universal;
    const bool is_drawn_to_initial =
        !settings.universal.empty() || settings.architecture.kind == paragram::Kind::identity_rnn;
    const std::vector<float> origin = is_drawn_to_initial ? initial : std::vector<float>();
    const std::size_t of_model = initial.size();
    if (head) {
        for (paragram::Parameter parameter : head->parameters()) {
            parameter.offset += of_model;
            parameters.push_back(std::move(parameter));
        }
        const std::vector<float> of_head = initial_weights(*head, settings.seed);
        initial.insert(initial.end(), of_head.begin(), of_head.end());
    }
    return {std::move(parameters), initial, initial_square, origin};
}

} // namespace

Stepper::Stepper(const Corpus& corpus,
                 const StartVectors& vectors,
                 const TrainSettings& settings,
                 unsigned threads)
    : corpus_(corpus),
      settings_(settings),
      optimiser_(settings.optimiser),
      team_(threads),
      head_(head_of(settings)),
      objective_(objective_of(settings, head_, team_)),
      words_(corpus.vocabulary.size(),
             settings.architecture.inputs,
             optimiser_.initial_square(),
             word_penalty(settings, optimiser_)),
      parameters_(parameters_of(settings, head_, optimiser_.initial_square())),
      batches_(window)
{
    std::ranges::copy(vectors.unknown(), words_.initial(unknown).begin());
    for (Word word = 1; word < corpus.vocabulary.size(); ++word)
        vectors.read(corpus.vocabulary.rows[word], words_.initial(word));
    words_.begin();
    for (unsigned member = 0; member < team_.size(); ++member) {
        makers_.emplace_back(corpus.vocabulary.size(), settings.architecture);
        gradients_.push_back(core::make_float_block(core::padded(words_.dimension())));
    }
}

std::pair<std::size_t, std::size_t>
Stepper::share(unsigned member, std::size_t count, std::size_t unit) const
{
    const std::size_t units = (count + unit - 1) / unit;
    const auto edge = [&](std::size_t part) {
        return std::min(count, units * part / team_.size() * unit);
    };
    return {edge(member), edge(member + 1)};
}

std::span<const BatchLoss> Stepper::run(std::span<const std::uint32_t> pairs)
{
    losses_.clear();
    const std::size_t batches = (pairs.size() + settings_.batch - 1) / settings_.batch;
    team_.run([&](unsigned member) { work(member, batches, pairs); });
    steps_ += batches;
    return losses_;
}

void Stepper::work(unsigned member, std::size_t batches, std::span<const std::uint32_t> pairs)
{
    const numeric::FlushDenormals flush;
    for (std::size_t at = member; at < batches; at += team_.size()) {
        const std::size_t begin = at * settings_.batch;
        makers_[member].make(corpus_,
                             pairs.subspan(begin, std::min(settings_.batch, pairs.size() - begin)),
                             batches_[at]);
    }
    team_.sync();
    if (member == 0)
        for (std::size_t at = 0; at < batches; ++at) {
            objective_.reserve(batches_[at]);
            squares_.resize(std::max(squares_.size(), batches_[at].words.size()));
        }
    team_.sync();
    for (std::size_t at = 0; at < batches; ++at)
        step(member, batches_[at], steps_ + at + 1);
}

void Stepper::step(unsigned member, const Batch& batch, std::uint64_t number)
{
    const auto [first, last] = share(member, settings_.fixed_words ? 0 : batch.words.size(), 1);
    if (settings_.l2_words > 0) {
        for (std::size_t place = first; place < last; ++place)
            words_.catch_up(batch.words[place], number - 1);
        team_.sync();
    }
    const std::uint64_t coin = (std::uint64_t{settings_.seed} << 48U) ^ (number << 20U);
    objective_.compute(member, batch, words_.matrix(), parameters_.values(), coin);
    if (member == 0)
        losses_.push_back({objective_.loss(), objective_.separation()});
    const auto [from, to] = share(member, parameters_.padded(), core::line_floats);
    gather_parameter_gradient(batch, from, to);
    const float factor = settings_.clip > 0 ? clip(member, batch, first, last) : 1.0F;
    const learn::StepConstants constants = optimiser_.constants(number);
    float* const gradient = gradients_[member].get();
    for (std::size_t place = first; place < last; ++place) {
        prefetch_row(words_.row(batch.words[std::min(place + 3, last - 1)]).data(),
                     3 * core::padded(words_.dimension()) * sizeof(float));
        objective_.word_gradient(member, batch, place, gradient);
        for (std::size_t i = 0; factor != 1 && i < words_.dimension(); ++i)
            gradient[i] *= factor;
        words_.update(batch.words[place], number, optimiser_.method(), constants, gradient);
    }
    parameters_.update(from, to, optimiser_.method(), constants);
    team_.sync();
}

void Stepper::gather_parameter_gradient(const Batch& batch, std::size_t first, std::size_t last)
{
    const std::size_t end = std::min(last, parameters_.size());
    if (first >= end)
        return;
    objective_.parameter_gradient(batch, first, end, parameters_.gradient() + first);
    parameters_.add_penalty(first, end, static_cast<float>(settings_.l2));
}

/// Clips the gradient of the parameters; the factor by which that of the words is to be. All of it must be there
/// before its norm is known.
float Stepper::clip(unsigned member, const Batch& batch, std::size_t first, std::size_t last)
{
    float* const gradient = gradients_[member].get();
    for (std::size_t place = first; place < last; ++place) {
        objective_.word_gradient(member, batch, place, gradient);
        squares_[place] = square_of({gradient, words_.dimension()});
    }
    team_.sync();
    double square = 0;
    for (std::size_t place = 0; place < batch.words.size() && !settings_.fixed_words; ++place)
        square += squares_[place];
    if (member == 0)
        parameters_.clip(settings_.clip);
    team_.sync();
    const double norm = std::sqrt(square);
    return static_cast<float>(norm > settings_.clip ? settings_.clip / norm : 1.0);
}

ModelState Stepper::state()
{
    ModelState state;
    const std::size_t width = words_.dimension();
    state.words.resize(words_.words() * width);
    for (Word word = 0; word < words_.words(); ++word) {
        words_.catch_up(word, steps_);
        std::ranges::copy(words_.row(word),
                          state.words.begin() + static_cast<std::ptrdiff_t>(word * width));
    }
    const auto of_model =
        parameters_.values().first(paragram::parameter_count(settings_.architecture));
    state.parameters.assign(of_model.begin(), of_model.end());
    return state;
}

bool Stepper::is_finite() const
{
    const auto values = parameters_.values();
    return std::ranges::all_of(values, [](float value) { return std::isfinite(value * value); }) &&
           words_.is_finite();
}

std::vector<std::span<char>> Stepper::memory() noexcept
{
    auto parts = words_.memory();
    parts.push_back(parameters_.memory());
    parts.emplace_back(reinterpret_cast<char*>(&steps_), sizeof steps_);
    return parts;
}

} // namespace senteval::annex
