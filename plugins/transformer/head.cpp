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
using model_files::refuse;

struct Mode {
    std::string_view name; ///< since sentence-transformers 5.4
    std::string_view flag; ///< before, behind "pooling_mode_"
    Pooling pooling;
};
/// In the order in which old files join them.
constexpr std::array modes = {
    Mode{"cls", "cls_token", Pooling::cls},
    Mode{"max", "max_tokens", Pooling::max},
    Mode{"mean", "mean_tokens", Pooling::mean},
    Mode{"mean_sqrt_len_tokens", "mean_sqrt_len_tokens", Pooling::mean_sqrt_len},
    Mode{"weightedmean", "weightedmean_tokens", Pooling::weightedmean},
    Mode{"lasttoken", "lasttoken", Pooling::lasttoken},
};

struct Module {
    std::string type; ///< its last component
    fs::path folder;
};

/// In the order in which they run; none where there is no modules.json.
std::vector<Module> modules_of(const fs::path& folder)
{
    const fs::path file = folder / "modules.json";
    if (!fs::exists(file))
        return {};
    Json list = model_files::read_json(file);
    return model_files::reading(file, [&] {
        std::vector<std::pair<int, Module>> numbered;
        for (const Json& entry : list) {
            const std::string type = entry.at("type");
            if (type.starts_with("pylate."))
                refuse_model(file, "is of a ColBERT model ({}), with a vector for each token",
                             type);
            numbered.push_back(
                {entry.at("idx").get<int>(),
                 {type.substr(type.rfind('.') + 1),
                  folder / fs::path(entry.at("path").get<std::string>()).relative_path()}});
        }
        std::ranges::stable_sort(numbered, {}, [](const auto& module) { return module.first; });
        std::vector<Module> modules;
        for (auto& [number, module] : numbered)
            modules.push_back(std::move(module));
        return modules;
    });
}

} // namespace

fs::path transformer_folder(const fs::path& folder)
{
    for (const Module& module : modules_of(folder))
        if (module.type == "Transformer")
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
    const auto pooling = std::ranges::find(modules, "Pooling", &Module::type);
    if (choices.pooling) {
        for (std::string_view rest = *choices.pooling; !rest.empty();) {
            const std::size_t end = std::min(rest.find('+'), rest.size());
            add_mode(std::string(rest.substr(0, end)), "parameter 'pooling'");
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    } else if (pooling != modules.end()) {
        read_pooling(pooling->folder / "config.json");
    } else {
        host.info(folder.string() +
                  ": has no pooling in modules.json; the mean over tokens is taken");
    }
    if (modes_.empty())
        modes_.push_back(Pooling::mean);
    dimension_ = pooled_width();
    for (const Module& module : modules)
        read_module(module.folder, module.type);
    const auto normalises = [](const auto& step) {
        return std::holds_alternative<Normalise>(step);
    };
    if (choices.normalises == false)
        std::erase_if(steps_, normalises);
    else if (choices.normalises == true && (steps_.empty() || !normalises(steps_.back())))
        steps_.emplace_back(Normalise());
}

void Head::read_module(const fs::path& folder, const std::string& type)
{
    if (type == "Dense")
        read_dense(folder);
    else if (type == "Normalize")
        steps_.emplace_back(Normalise());
    else if (type != "Transformer" && type != "Pooling" && type != "Dropout")
        refuse_model(folder.parent_path() / "modules.json",
                     "has a module {}; Transformer, Pooling, Dense and Normalize are computed here",
                     type);
}

void Head::add_mode(const std::string& name, const fs::path& where)
{
    const auto found = std::ranges::find(modes, name, &Mode::name);
    if (found == modes.end())
        refuse(where,
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
                refuse(file, "says that tokens are {} wide, and config.json that they are {}",
                       *said, width_);
        if (const auto mode = config.find("pooling_mode");
            mode != config.end() && mode->is_string())
            return add_mode(*mode, file);
        else if (mode != config.end())
            for (const Json& name : *mode)
                add_mode(name, file);
        else
            for (const Mode& known : modes)
                if (config.value("pooling_mode_" + std::string(known.flag), false))
                    modes_.push_back(known.pooling);
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
            refuse(file, "has the activation '{}', which is not supported", name);
        if (const std::size_t inputs = config.at("in_features"); inputs != dimension_)
            refuse(file, "wants vectors of {} elements, and gets {}", inputs, dimension_);
        return *found;
    });
    const model_files::Tensors tensors = model_files::Tensors::of_folder(folder);
    const model_files::Tensor& weights = tensors.require("linear.weight");
    const std::size_t outputs =
        model_files::reading(file, [&] { return config.at("out_features").get<std::size_t>(); });
    weights.require_shape({std::max<std::size_t>(outputs, 1), dimension_});
    std::vector<float> bias;
    if (const model_files::Tensor* const found = tensors.find("linear.bias")) {
        found->require_shape({outputs});
        bias = found->floats();
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
