#include "tasks/protocols/settings.hpp"

#include "learn/logistic_regression.hpp"

#include <string_view>

namespace senteval::tasks {
namespace {

std::string_view name_of_activation(learn::Activation activation)
{
    switch (activation) {
    case learn::Activation::sigmoid:
        return "sigmoid";
    case learn::Activation::tanh:
        return "tanh";
    case learn::Activation::relu:
        break;
    }
    return "relu";
}

} // namespace

core::Json to_json(const learn::Settings& settings)
{
    core::Json json = {{"classifier", settings.classifier}};
    if (settings.classifier == "logreg-newton") {
        json["max_iterations"] = settings.max_iterations;
        json["tolerance"] = learn::LogisticRegression::tolerance;
        return json;
    }
    if (settings.classifier == "mlp") {
        json["nhid"] = settings.nhid;
        json["dropout"] = settings.dropout;
        json["activation"] = name_of_activation(settings.activation);
    }
    json["optim"] = settings.optim;
    json["batch_size"] = settings.batch_size;
    json["tenacity"] = settings.tenacity;
    json["epoch_size"] = settings.epoch_size;
    json["max_epoch"] = settings.max_epoch;
    json["loss_reduction"] = settings.loss_reduction == learn::LossReduction::mean ? "mean" : "sum";
    return json;
}

core::Json to_json(std::span<const embedding::Normalisation> normalisations)
{
    if (normalisations.size() == 1)
        return embedding::name(normalisations[0]);
    core::Json names = core::Json::array();
    for (const embedding::Normalisation kind : normalisations)
        names.push_back(embedding::name(kind));
    return names;
}

void add_choice(core::Json& details,
                std::span<const embedding::Normalisation> normalisations,
                std::size_t chosen)
{
    if (normalisations.size() > 1)
        details["normalise"] = embedding::name(normalisations[chosen]);
}

} // namespace senteval::tasks
