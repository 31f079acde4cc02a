#include "transformer/head.hpp"

#include "model_files/files.hpp"
#include "model_files/safetensors.hpp"
#include "transformer/architecture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
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

struct Module {
    std::string type;
    std::string kind; ///< its last component
    fs::path folder;
};

/// Modules in the order in which they run, which is that of the file; none where there is no modules.json.
std::vector<Module> modules_of(const fs::path& folder)
{
    const fs::path file = folder / "modules.json";
    const Json list = model_files::read_json_if(file);
    return model_files::reading(file, [&] {
        std::vector<Module> modules;
        for (const Json& entry : list) {
            const std::string type = entry.at("type");
            if (type.starts_with("pylate."))
                refuse_model(file, "is of a ColBERT model ({}), with a vector for each token",
                             type);
            modules.push_back(
                {type, type.substr(type.rfind('.') + 1),
                 folder / fs::path(entry.at("path").get<std::string>()).relative_path()});
        }
        return modules;
    });
}

/// One Transformer, one Pooling, and then others. A pooling that is `chosen` needs none in the folder.
void check_order(const fs::path& file, const std::vector<Module>& modules, bool chosen)
{
    if (modules.empty() && fs::exists(file))
        base::refuse(file, "names no modules");
    for (std::size_t i = 0; i < modules.size(); ++i) {
        const auto& [type, kind, folder] = modules[i];
        const bool follows = kind == "Dense" || kind == "Normalize" || kind == "Dropout";
        const bool fits = i == 0   ? kind == "Transformer"
                          : i == 1 ? kind == "Pooling" || (chosen && follows)
                                   : follows;
        if (!fits || !type.starts_with("sentence_transformers."))
            refuse_model(file,
                         "has {} as module {}; Transformer, Pooling, then Dense and Normalize of "
                         "sentence_transformers, in this order, are computed here",
                         type, i);
    }
    if (modules.size() == 1 && !chosen)
        base::refuse(file, "has no Pooling; type --set pooling=mean, or another");
}

} // namespace

fs::path transformer_folder(const fs::path& folder)
{
    for (const Module& module : modules_of(folder))
        if (module.kind == "Transformer")
            return module.folder;
    return folder;
}

Head::Head(const fs::path& folder,
           std::size_t width,
           const HeadChoices& choices,
           const sdk::Host& host)
    : width_(width)
{
    const std::vector<Module> modules = modules_of(folder);
    check_order(folder / "modules.json", modules, choices.pooling.has_value());
    if (choices.pooling) {
        std::string_view rest = *choices.pooling;
        do {
            const std::size_t end = std::min(rest.find('+'), rest.size());
            add_mode(std::string(rest.substr(0, end)), "parameter 'pooling'");
            rest.remove_prefix(std::min(end + 1, rest.size()));
        } while (!rest.empty());
    } else if (!modules.empty()) {
        read_pooling(modules[1].folder / "config.json");
    } else {
        host.info(folder.string() + ": has no modules.json; the mean over tokens is taken");
        modes_.push_back(Pooling::mean);
    }
    dimension_ = pooled_width();
    for (const Module& module : modules)
        if (module.kind == "Dense")
            read_dense(module.folder);
        else if (module.kind == "Normalize")
            steps_.emplace_back(Normalise());
    const auto normalises = [](const auto& step) {
        return std::holds_alternative<Normalise>(step);
    };
    if (choices.normalises == false)
        std::erase_if(steps_, normalises);
    else if (choices.normalises == true && (steps_.empty() || !normalises(steps_.back())))
        steps_.emplace_back(Normalise());
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
        for (const char* const key : {"word_embedding_dimension", "embedding_dimension"})
            if (const auto said = model_files::member<std::size_t>(config, key);
                said && *said != width_)
                base::refuse(file, "says that tokens are {} wide, and config.json that they are {}",
                             *said, width_);
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

void Head::read_dense(const fs::path& folder)
{
    const fs::path file = folder / "config.json";
    const Json config = model_files::read_json(file);
    const auto activation = model_files::reading(file, [&] {
        const std::string name = config.at("activation_function");
        const auto found = activation_by_name(name);
        if (!found)
            base::refuse(file, "has the activation '{}', which is not supported", name);
        if (const std::size_t inputs = config.at("in_features"); inputs != dimension_)
            base::refuse(file, "needs vectors of {} elements, and gets {}", inputs, dimension_);
        return *found;
    });
    const model_files::Tensors tensors = model_files::Tensors::of_folder(folder);
    const model_files::Tensor& weights = not_quantised(tensors.require("linear.weight"));
    const auto [outputs, has_bias] = model_files::reading(file, [&] {
        return std::pair{config.at("out_features").get<std::size_t>(), config.value("bias", true)};
    });
    weights.require_shape({std::max<std::size_t>(outputs, 1), dimension_});
    std::vector<float> bias;
    if (has_bias) {
        const model_files::Tensor& offsets = not_quantised(tensors.require("linear.bias"));
        offsets.require_shape({outputs});
        bias = offsets.floats();
    }
    steps_.emplace_back(
        Dense{Linear(weights.floats(), dimension_, bias, Arithmetic::float32), activation});
    dimension_ = outputs;
}

void Head::pool(const float* tokens, std::size_t count, float* out) const
{
    for (const Pooling mode : modes_) {
        std::fill_n(out, width_, mode == Pooling::max ? -INFINITY : 0.0F);
        const bool is_one = mode == Pooling::cls || mode == Pooling::lasttoken;
        const std::size_t begin = mode == Pooling::lasttoken ? count - 1 : 0;
        float weights = 0.0F;
        for (std::size_t t = begin; t < (is_one ? begin + 1 : count); ++t) {
            const float weight = mode == Pooling::weightedmean ? static_cast<float>(t + 1) : 1.0F;
            weights += weight;
            for (std::size_t c = 0; c < width_; ++c)
                out[c] = mode == Pooling::max ? std::max(out[c], tokens[t * width_ + c])
                                              : out[c] + weight * tokens[t * width_ + c];
        }
        const float divisor = mode == Pooling::max             ? 1.0F
                              : mode == Pooling::mean_sqrt_len ? std::sqrt(weights)
                                                               : weights;
        for (std::size_t c = 0; c < width_; ++c)
            out[c] /= divisor;
        out += width_;
    }
}

std::vector<float> Head::finish(std::vector<float> pooled, std::size_t count) const
{
    std::size_t width = pooled_width();
    for (const auto& step : steps_) {
        if (const Dense* const dense = std::get_if<Dense>(&step)) {
            std::vector<float> result(Linear::padded(count) * dense->linear.outputs());
            dense->linear.apply(pooled.data(), count, result.data());
            pooled = std::move(result);
            width = dense->linear.outputs();
            kernels().activate(dense->activation, pooled.data(), count * width);
            continue;
        }
        for (std::size_t i = 0; i < count; ++i) {
            float* const row = &pooled[i * width];
            double squares = 0.0;
            for (std::size_t c = 0; c < width; ++c)
                squares += static_cast<double>(row[c]) * row[c];
            const auto length = static_cast<float>(std::max(std::sqrt(squares), 1e-12));
            for (std::size_t c = 0; c < width; ++c)
                row[c] /= length;
        }
    }
    return pooled;
}

} // namespace senteval::transformer
