#include "train/train_settings.hpp"

#include "core/error.hpp"
#include "core/names.hpp"
#include "learn/optimizer.hpp"

#include <cmath>

namespace senteval::train {

core::Json to_json(const TrainSettings& settings)
{
    const paragram::Architecture& architecture = settings.architecture;
    return {{"model", core::name_in(paragram::kind_names, architecture.kind)},
            {"activation", core::name_in(paragram::activation_names, architecture.activation)},
            {"inputs", architecture.inputs},
            {"outputs", architecture.outputs},
            {"layers", architecture.layers},
            {"margin", settings.margin},
            {"negatives", core::name_in(negatives_names, settings.negatives)},
            {"batch", settings.batch},
            {"epochs", settings.epochs},
            {"optimiser", settings.optimiser},
            {"clip", settings.clip},
            {"l2", settings.l2},
            {"l2_words", settings.l2_words},
            {"fixed_words", settings.fixed_words},
            {"objective", settings.scores.empty() ? "margin" : "similarity"},
            {"lowest_score", settings.scores.lowest},
            {"highest_score", settings.scores.highest},
            {"hidden", settings.scores.empty() ? 0 : settings.hidden},
            {"seed", settings.seed}};
}

void require_possible(const TrainSettings& settings, std::size_t pairs)
{
    const learn::Optimizer optimiser(settings.optimiser);
    if (optimiser.method() != learn::Method::adam && optimiser.method() != learn::Method::adagrad)
        throw core::UsageError("--optim: '{}' is none of adam and adagrad", settings.optimiser);
    if (settings.batch < 2)
        throw core::UsageError("--batch: a batch of {} pairs has no negative examples",
                               settings.batch);
    if (settings.l2_words * optimiser.base_rate() >= 1)
        throw core::UsageError(
            "--l2-words: {} times the rate {} is not below 1: every step would throw the words "
            "beyond where they began",
            settings.l2_words, optimiser.base_rate());
    if (pairs < 2)
        throw core::UsageError("--pairs: there {} to train on; two are needed at least",
                               pairs == 1 ? "is one pair" : "is no pair");
    if (settings.fixed_words && settings.architecture.kind == paragram::Kind::word)
        throw core::UsageError("--fixed-words: the model 'word' has nothing else to train");
}

/// Adam and AdaGrad divide the first gradient by its own size: what is left is the rate.
double first_step(const TrainSettings& settings, std::span<const float> values)
{
    const learn::Optimizer optimiser(settings.optimiser);
    double squares = 0;
    for (const float value : values)
        squares += static_cast<double>(value) * static_cast<double>(value);
    if (squares == 0 || optimiser.initial_square() > 0)
        return 0;
    return optimiser.base_rate() / std::sqrt(squares / static_cast<double>(values.size()));
}

} // namespace senteval::train
