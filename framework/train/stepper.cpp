#include "train/stepper.hpp"

#include "learn/denormals.hpp"
#include "train/weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace senteval::train {

namespace {

/// Words whose gradients are gathered together.
constexpr std::size_t gathered = 16;

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
      pace_(team_.capacity()),
      head_(head_of(settings)),
      objective_(objective_of(settings, head_, team_)),
      words_(corpus.vocabulary.size(),
             settings.architecture.inputs,
             objective_.parts(),
             optimiser_.initial_square(),
             word_penalty(settings, optimiser_)),
      parameters_(parameters_of(settings, head_, optimiser_.initial_square())),
      batches_(window)
{
    std::ranges::copy(vectors.unknown(), words_.initial(unknown).begin());
    for (Word word = 1; word < corpus.vocabulary.size(); ++word)
        vectors.read(corpus.vocabulary.rows[word], words_.initial(word));
    words_.begin();
    for (unsigned member = 0; member < team_.capacity(); ++member) {
        makers_.emplace_back(corpus.vocabulary.size(), settings.architecture);
        for (std::size_t part = 0; part < words_.parts(); ++part) {
            const std::size_t floats = gathered * words_.columns(part).count();
            row_gradients_.push_back(core::make_float_block(floats));
            std::fill_n(row_gradients_.back().get(), floats, 0.0F);
        }
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

template <typename Function>
void Stepper::for_pieces(unsigned member, const Batch& batch, const Function& each) const
{
    const std::size_t words = settings_.fixed_words ? 0 : batch.words.size();
    const auto [first, last] = share(member, words, 1);
    for (std::size_t part = 0; part < words_.parts(); ++part)
        if (!objective_.is_by_parts())
            each(Piece{part, first, last});
        else if (objective_.owns(member, part))
            each(Piece{part, 0, words});
}

std::span<const BatchLoss> Stepper::run(std::span<const std::uint32_t> pairs)
{
    losses_.clear();
    const std::size_t batches = (pairs.size() + settings_.batch - 1) / settings_.batch;
    team_.use(pace_.members());
    const auto begin = Clock::now();
    team_.run([&](unsigned member) { work(member, batches, pairs); });
    if (batches == window)
        pace_.took(Clock::now() - begin);
    steps_ += batches;
    return losses_;
}

void Stepper::work(unsigned member, std::size_t batches, std::span<const std::uint32_t> pairs)
{
    const learn::FlushDenormals flush;
    for (std::size_t at = member; at < batches; at += team_.size()) {
        const std::size_t begin = at * settings_.batch;
        makers_[member].make(corpus_,
                             pairs.subspan(begin, std::min(settings_.batch, pairs.size() - begin)),
                             batches_[at]);
    }
    team_.sync();
    if (member == 0)
        for (std::size_t at = 0; at < batches; ++at)
            objective_.reserve(batches_[at]);
    team_.sync();
    for (std::size_t at = 0; at < batches; ++at)
        step(member, batches_[at], steps_ + at + 1);
}

void Stepper::step(unsigned member, const Batch& batch, std::uint64_t number)
{
    const bool has_penalty = settings_.l2_words > 0;
    if (has_penalty) {
        for_pieces(member, batch, [&](const Piece& piece) {
            for (std::size_t place = piece.first; place < piece.last; ++place)
                words_.catch_up(batch.words[place], number - 1, piece.part);
        });
        team_.sync();
    }
    const std::uint64_t coin = (std::uint64_t{settings_.seed} << 48U) ^ (number << 20U);
    objective_.compute(member, batch, words_.matrices(), parameters_.values(), coin);
    if (member == 0)
        losses_.push_back({objective_.loss(), objective_.separation()});
    if (settings_.clip > 0)
        update_clipped(member, batch, number);
    else
        update(member, batch, number);
    // A member that goes on reads its own parts of the words, and parameters and penalties where there are any.
    if (!objective_.is_by_parts() || parameters_.size() > 0 || has_penalty)
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

void Stepper::update_word(std::size_t part,
                          Word word,
                          std::uint64_t number,
                          const learn::StepConstants& constants,
                          const float* gradient)
{
    words_.update(word, part, optimiser_.method(), constants, gradient);
    if (part == 0)
        words_.note(word, number);
}

void Stepper::update_words(unsigned member,
                           const Batch& batch,
                           std::uint64_t number,
                           const Piece& piece)
{
    const learn::StepConstants constants = optimiser_.constants(number);
    const std::size_t stride = words_.columns(piece.part).count();
    float* const gradients = row_gradients_[member * words_.parts() + piece.part].get();
    for (std::size_t first = piece.first; first < piece.last; first += gathered) {
        const std::size_t last = std::min(first + gathered, piece.last);
        objective_.word_gradients(batch, first, last, piece.part, gradients, stride);
        for (std::size_t place = first; place < last; ++place) {
            words_.prefetch(batch.words[std::min(place + 3, piece.last - 1)], piece.part);
            update_word(piece.part, batch.words[place], number, constants,
                        gradients + (place - first) * stride);
        }
    }
}

void Stepper::update(unsigned member, const Batch& batch, std::uint64_t number)
{
    for_pieces(member, batch,
               [&](const Piece& piece) { update_words(member, batch, number, piece); });
    const auto [from, to] = share(member, parameters_.padded(), core::line_floats);
    gather_parameter_gradient(batch, from, to);
    parameters_.update(from, to, optimiser_.method(), optimiser_.constants(number));
}

/// All of the gradient must be there before its norm is known.
void Stepper::update_clipped(unsigned member, const Batch& batch, std::uint64_t number)
{
    const std::size_t stride = core::padded(words_.dimension());
    const std::size_t words = settings_.fixed_words ? 0 : batch.words.size();
    if (member == 0 && words * stride > word_gradients_size_) {
        word_gradients_size_ = words * stride;
        word_gradients_ = core::make_float_block(word_gradients_size_);
        std::fill_n(word_gradients_.get(), word_gradients_size_, 0.0F);
    }
    if (member == 0)
        squares_.resize(words);
    team_.sync();
    const auto gradient_of = [&](std::size_t place) {
        return word_gradients_.get() + place * stride;
    };
    for_pieces(member, batch, [&](const Piece& piece) {
        if (piece.first < piece.last)
            objective_.word_gradients(batch, piece.first, piece.last, piece.part,
                                      gradient_of(piece.first) + words_.columns(piece.part).first,
                                      stride);
    });
    team_.sync();
    const auto [first, last] = share(member, words, 1);
    for (std::size_t place = first; place < last; ++place)
        squares_[place] = square_of({gradient_of(place), stride});
    const auto [from, to] = share(member, parameters_.padded(), core::line_floats);
    gather_parameter_gradient(batch, from, to);
    team_.sync();
    if (member == 0)
        parameters_.clip(settings_.clip);
    double square = 0;
    for (const double one : squares_)
        square += one;
    const double norm = std::sqrt(square);
    const auto factor = static_cast<float>(norm > settings_.clip ? settings_.clip / norm : 1.0);
    const learn::StepConstants constants = optimiser_.constants(number);
    for_pieces(member, batch, [&](const Piece& piece) {
        for (std::size_t place = piece.first; place < piece.last; ++place) {
            float* const gradient = gradient_of(place) + words_.columns(piece.part).first;
            for (std::size_t i = 0; i < words_.columns(piece.part).count(); ++i)
                gradient[i] *= factor;
            update_word(piece.part, batch.words[place], number, constants, gradient);
        }
    });
    team_.sync();
    parameters_.update(from, to, optimiser_.method(), constants);
}

ModelState Stepper::state()
{
    ModelState state;
    const std::size_t width = words_.dimension();
    state.words.resize(words_.words() * width);
    for (Word word = 0; word < words_.words(); ++word) {
        words_.catch_up(word, steps_);
        words_.read(word, std::span(state.words).subspan(word * width, width));
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

std::size_t Stepper::saved_bytes()
{
    return words_.saved_bytes() + parameters_.state().size_bytes();
}

void Stepper::save(const std::function<void(std::string_view)>& sink)
{
    words_.save(sink);
    const auto state = parameters_.state();
    sink({reinterpret_cast<const char*>(state.data()), state.size_bytes()});
}

void Stepper::load(std::string_view bytes, std::uint64_t steps)
{
    words_.load(bytes.substr(0, words_.saved_bytes()));
    bytes.remove_prefix(words_.saved_bytes());
    std::memcpy(parameters_.state().data(), bytes.data(), bytes.size());
    steps_ = steps;
}

} // namespace senteval::train
