#include "transformer/head.hpp"

#include "model_files/files.hpp"
#include "model_files/safetensors.hpp"
#include "transformer/architecture.hpp"
#include "transformer/model_folder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string_view>
#include <utility>

namespace senteval::transformer {
namespace {

namespace fs = std::filesystem;
using model_files::Json;

struct Mode {
    std::string_view name; ///< since sentence-transformers 5.4
    std::string_view flag; ///< before, behind "pooling_mode_"
    Pooling pooling;
};
/// Pooling modes in the order in which old files join them.
constexpr std::array modes = {
    Mode{"cls", "cls_token", Pooling::cls},
    Mode{"max", "max_tokens", Pooling::max},
    Mode{"mean", "mean_tokens", Pooling::mean},
    Mode{"mean_sqrt_len_tokens", "mean_sqrt_len_tokens", Pooling::mean_sqrt_len},
    Mode{"weightedmean", "weightedmean_tokens", Pooling::weightedmean},
    Mode{"lasttoken", "lasttoken", Pooling::lasttoken},
};

/// One Transformer, one Pooling, and steps before and behind it. Returns the place of Pooling; where one is `chosen`, the
/// folder needs none, and its steps are behind it.
std::size_t check_order(const fs::path& file, const std::vector<Module>& modules, bool chosen)
{
    if (modules.empty() && fs::exists(file))
        base::refuse(file, "names no modules");
    const std::size_t pooling = static_cast<std::size_t>(
        std::ranges::find(modules, "Pooling", &Module::kind) - modules.begin());
    for (std::size_t i = 0; i < modules.size(); ++i) {
        const auto& [type, kind, folder] = modules[i];
        const bool is_step =
            kind == "Dense" || kind == "Normalize" || (kind == "Dropout" && i > pooling);
        const bool fits = i == 0 ? kind == "Transformer" : i == pooling || is_step;
        if (!fits || !type.starts_with("sentence_transformers."))
            refuse_model(file,
                         "has {} as module {}; Transformer, Pooling, and Dense and Normalize of "
                         "sentence_transformers before and behind it are computed here",
                         type, i);
    }
    if (pooling == modules.size() && !modules.empty() && !chosen)
        base::refuse(file, "has no Pooling; type --set pooling=mean, or another");
    return pooling == modules.size() ? 0 : pooling;
}

/// Throws std::invalid_argument where a step takes or gives anything but what there is at its place.
void check_stage(const Json& config, const char* stage)
{
    const auto from = model_files::member<std::string>(config, "module_input_name");
    const auto to = model_files::member<std::string>(config, "module_output_name");
    if (from.value_or("sentence_embedding") != stage || to.value_or(stage) != stage)
        throw std::invalid_argument(fmt::format("a module_input_name or module_output_name other "
                                                "than {}",
                                                stage));
}

} // namespace

Head::Head(const fs::path& folder,
           std::size_t width,
           const HeadChoices& choices,
           const sdk::Host& host)
    : width_(width)
{
    const std::vector<Module> modules = modules_of(folder);
    const std::size_t pooling =
        check_order(folder / "modules.json", modules, choices.pooling.has_value());
    const auto read_steps = [&](std::size_t begin, std::size_t end, const char* stage, Steps& steps,
                                std::size_t& inputs) {
        for (std::size_t i = begin; i < end; ++i) {
            const fs::path file = modules[i].folder / "config.json";
            if (modules[i].kind == "Dense" && !choices.has_dense)
                continue;
            if (modules[i].kind == "Dense") {
                steps.emplace_back(read_dense(modules[i].folder, inputs, stage));
                inputs = std::get<Dense>(steps.back()).linear.outputs();
            } else if (modules[i].folder != folder) { // which is the transformer's
                model_files::reading(file, [&] {
                    const Json config = model_files::read_json_if(file);
                    model_files::allow_keys(config, "module_input_name module_output_name dropout");
                    check_stage(config, stage);
                });
            }
            if (modules[i].kind == "Normalize")
                steps.emplace_back(Normalise{inputs});
        }
    };
    read_steps(1, pooling, "token_embeddings", token_steps_, width_);
    if (choices.pooling) {
        std::string_view rest = *choices.pooling;
        do {
            const std::size_t end = std::min(rest.find('+'), rest.size());
            add_mode(std::string(rest.substr(0, end)), "parameter 'pooling'");
            rest.remove_prefix(std::min(end + 1, rest.size()));
        } while (!rest.empty());
    } else if (!modules.empty()) {
        read_pooling(modules[pooling].folder / "config.json");
    } else {
        host.info(folder.string() + ": has no modules.json; the mean over tokens is taken");
        modes_.push_back(Pooling::mean);
    }
    dimension_ = pooled_width();
    read_steps(pooling + 1, modules.size(), "sentence_embedding", steps_, dimension_);
    const auto normalises = [](const auto& step) {
        return std::holds_alternative<Normalise>(step);
    };
    if (choices.normalises == false)
        std::erase_if(steps_, normalises);
    else if (choices.normalises == true && (steps_.empty() || !normalises(steps_.back())))
        steps_.emplace_back(Normalise{dimension_});
}

void Head::add_mode(const std::string& name, const fs::path& where)
{
    const auto found = std::ranges::find(modes, name, &Mode::name);
    if (found == modes.end())
        base::refuse(where,
                     "'{}' is no pooling; there are cls, max, mean, mean_sqrt_len_tokens, "
                     "weightedmean and lasttoken, joined by '+'",
                     name);
    modes_.push_back(found->pooling);
}

void Head::read_pooling(const fs::path& file)
{
    const Json config = model_files::read_json(file);
    model_files::reading(file, [&] {
        pools_prompt_ = model_files::member<bool>(config, "include_prompt").value_or(true);
        model_files::allow_keys(
            config, "word_embedding_dimension embedding_dimension pooling_mode include_prompt "
                    "pooling_mode_cls_token pooling_mode_max_tokens pooling_mode_mean_tokens "
                    "pooling_mode_mean_sqrt_len_tokens pooling_mode_weightedmean_tokens "
                    "pooling_mode_lasttoken");
        for (const char* const key : {"word_embedding_dimension", "embedding_dimension"})
            if (config.contains(key) && model_files::count_of(config, key) != width_)
                base::refuse(file, "says that tokens are {} wide, and they are {}",
                             config[key].dump(), width_);
        constexpr std::string_view prefix = "pooling_mode_";
        const Json mode = config.value("pooling_mode", Json());
        if (mode.is_null()) // versions of sentence-transformers differ where this is missing
            static_cast<void>(config.at("pooling_mode_mean_tokens"));
        if (mode.is_string())
            add_mode(mode, file);
        else
            for (const Json& name : mode)
                add_mode(name, file);
        for (const auto& [key, value] : config.items())
            if (mode.is_null() && key.starts_with(prefix) && value.get<bool>()) {
                const auto known = std::ranges::find(modes, key.substr(prefix.size()), &Mode::flag);
                if (known == modes.end())
                    refuse_model(file, "has {}, which is not computed here", key);
                modes_.push_back(known->pooling);
            }
        if (mode.is_null())
            std::ranges::sort(modes_);
        if (modes_.empty())
            base::refuse(file, "names no pooling; type --set pooling=mean, or another");
    });
}

Head::Dense Head::read_dense(const fs::path& folder, std::size_t inputs, const char* stage) const
{
    const fs::path file = folder / "config.json";
    const Json config = model_files::read_json(file);
    const model_files::Tensors tensors = model_files::Tensors::of_folder(folder);
    return model_files::reading(file, [&] {
        model_files::allow_keys(config, "in_features out_features bias activation_function "
                                        "module_input_name module_output_name use_residual");
        check_stage(config, stage);
        const std::string name = config.value("activation_function", "torch.nn.Tanh");
        const auto activation =
            name.starts_with("torch.") ? activation_by_name(name) : std::nullopt;
        if (!activation)
            base::refuse(file, "has the activation '{}', which is not supported", name);
        if (const std::size_t said = model_files::count_of(config, "in_features"); said != inputs)
            base::refuse(file, "needs vectors of {} elements, and gets {}", said, inputs);
        const std::size_t outputs = model_files::count_of(config, "out_features");
        const auto floats = [&](const char* tensor, const std::vector<std::size_t>& shape) {
            const model_files::Tensor& found = not_quantised(tensors.require(tensor));
            found.require_shape(shape);
            return found.floats();
        };
        const auto linear = [&](const char* weight, const std::vector<float>& bias) {
            return Linear(floats(weight, {outputs, inputs}), inputs, bias, Arithmetic::float32);
        };
        Dense dense{linear("linear.weight", config.value("bias", true)
                                                ? floats("linear.bias", {outputs})
                                                : std::vector<float>()),
                    *activation, std::nullopt, config.value("use_residual", false)};
        if (dense.adds_input && inputs != outputs)
            dense.residual = linear("residual.weight", {});
        tensors.refuse_left_over([](const std::string&) { return true; });
        return dense;
    });
}

void pool(Pooling mode,
          const float* tokens,
          std::size_t width,
          std::size_t count,
          std::size_t first,
          float* out)
{
    std::fill_n(out, width, mode == Pooling::max ? -INFINITY : 0.0F);
    const bool is_one = mode == Pooling::cls || mode == Pooling::lasttoken;
    const std::size_t begin = mode == Pooling::lasttoken ? count - 1 : first;
    float weights = 0.0F;
    for (std::size_t t = begin; t < (is_one ? begin + 1 : count); ++t) {
        const float weight = mode == Pooling::weightedmean ? static_cast<float>(t + 1) : 1.0F;
        weights += weight;
        for (std::size_t c = 0; c < width; ++c)
            out[c] = mode == Pooling::max ? std::max(out[c], tokens[t * width + c])
                                          : out[c] + weight * tokens[t * width + c];
    }
    const float divisor = mode == Pooling::max             ? 1.0F
                          : mode == Pooling::mean_sqrt_len ? std::sqrt(weights)
                                                           : weights;
    for (std::size_t c = 0; c < width; ++c)
        out[c] /= divisor;
}

void Head::pool(const float* tokens, std::size_t count, std::size_t first, float* out) const
{
    for (std::size_t i = 0; i < modes_.size(); ++i)
        transformer::pool(modes_[i], tokens, width_, count, first, out + i * width_);
}

std::vector<float> Head::apply(const Steps& steps, std::vector<float> rows, std::size_t count)
{
    for (const auto& step : steps) {
        if (const Dense* const dense = std::get_if<Dense>(&step)) {
            const std::size_t size = Linear::padded(count) * dense->linear.outputs();
            std::vector<float> result(size);
            dense->linear.apply(rows.data(), count, result.data());
            kernels().activate(dense->activation, result.data(), count * dense->linear.outputs());
            if (dense->residual) {
                std::vector<float> projected(size);
                dense->residual->apply(rows.data(), count, projected.data());
                rows = std::move(projected);
            }
            if (dense->adds_input)
                std::transform(result.begin(), result.end(), rows.begin(), result.begin(),
                               std::plus<>());
            rows = std::move(result);
            continue;
        }
        const std::size_t width = std::get<Normalise>(step).width;
        for (std::size_t i = 0; i < count; ++i) {
            float* const row = &rows[i * width];
            double squares = 0.0;
            for (std::size_t c = 0; c < width; ++c)
                squares += static_cast<double>(row[c]) * row[c];
            const auto length = static_cast<float>(std::max(std::sqrt(squares), 1e-12));
            for (std::size_t c = 0; c < width; ++c)
                row[c] /= length;
        }
    }
    return rows;
}

} // namespace senteval::transformer
