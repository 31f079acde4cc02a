#include "learn/optimizer.hpp"

#include "base/error.hpp"
#include "base/names.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace senteval::learn {

namespace {

constexpr double required = std::numeric_limits<double>::quiet_NaN();
constexpr double unbounded = std::numeric_limits<double>::infinity();

struct Key {
    const char* name;
    double initial; ///< torch's default; `required` where there is none
    double upper = unbounded;
};

struct Spec {
    const char* name;
    Method method;
    std::vector<Key> keys;
};

const std::vector<Spec>& specs()
{
    static const std::vector<Spec> all{
        {"adadelta", Method::adadelta, {{"lr", 1.0}, {"rho", 0.9, 1}, {"eps", 1e-6}}},
        {"adagrad",
         Method::adagrad,
         {{"lr", 1e-2}, {"lr_decay", 0}, {"eps", 1e-10}, {"initial_accumulator_value", 0}}},
        {"adam", Method::adam, {{"lr", 1e-3}, {"eps", 1e-8}}},
        {"adamax", Method::adamax, {{"lr", 2e-3}, {"eps", 1e-8}}},
        {"asgd",
         Method::asgd,
         // t0, after which torch averages, changes nothing of the weights themselves
         {{"lr", 1e-2}, {"lambd", 1e-4}, {"alpha", 0.75}, {"t0", 1e6}}},
        {"rmsprop",
         Method::rmsprop,
         {{"lr", 1e-2}, {"alpha", 0.99, 1}, {"eps", 1e-8}, {"momentum", 0}}},
        {"rprop", Method::rprop, {{"lr", 1e-2}}},
        {"sgd",
         Method::sgd,
         {{"lr", required}, {"momentum", 0}, {"dampening", 0, 1}, {"nesterov", 0, 1}}},
    };
    return all;
}

const Spec& find_spec(std::string_view name)
{
    std::vector<std::string> names;
    for (const Spec& spec : specs()) {
        if (name == spec.name)
            return spec;
        names.emplace_back(spec.name);
    }
    throw base::UsageError("unknown optimiser '{}' (there are {}).{}", name, fmt::join(names, ", "),
                           base::did_you_mean(name, names));
}

std::size_t find_key(const Spec& spec, std::string_view key)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < spec.keys.size(); ++i) {
        if (key == spec.keys[i].name)
            return i;
        names.emplace_back(spec.keys[i].name);
    }
    if (key == "weight_decay")
        throw base::UsageError("optimiser option 'weight_decay' is not for the user: the L2 "
                               "strength is searched by the validation");
    throw base::UsageError("unknown option '{}' of optimiser {} (there are {}).{}", key, spec.name,
                           fmt::join(names, ", "), base::did_you_mean(key, names));
}

double parse_value(const Key& key, std::string_view text)
{
    double value = 0;
    const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc() || end != digits.data() + digits.size() || digits.empty())
        throw base::UsageError("optimiser option '{}={}' is not a number", key.name, text);
    const bool is_epsilon = key.name == std::string_view("eps"); // what keeps 0 / 0 away
    if (is_epsilon && !(value > 0))
        throw base::UsageError("optimiser option 'eps={}' is out of range: above 0", text);
    if (!(value >= 0 && value <= key.upper && std::isfinite(value)))
        throw base::UsageError("optimiser option '{}={}' is out of range: at least 0{}", key.name,
                               text, key.upper < unbounded ? " and at most 1" : "");
    return value;
}

/// base to the power exponent. That of libm may differ in its last bit between processors.
double power(double base, std::size_t exponent)
{
    double result = 1;
    for (; exponent > 0; exponent /= 2, base *= base)
        if (exponent % 2 == 1)
            result *= base;
    return result;
}

/// The power of torch's ASGD by roots, which are the same everywhere.
double to_the_power(double base, double exponent)
{
    if (exponent == 0.75)
        return std::sqrt(base) * std::sqrt(std::sqrt(base));
    return std::pow(base, exponent);
}

} // namespace

Optimizer::Optimizer(std::string_view text)
{
    const std::size_t comma = text.find(',');
    const Spec& spec = find_spec(text.substr(0, comma));
    method_ = spec.method;
    for (std::size_t i = 0; i < spec.keys.size(); ++i)
        options_[i] = spec.keys[i].initial;

    for (std::string_view rest = comma == text.npos ? "" : text.substr(comma + 1); !rest.empty();) {
        const std::string_view option = rest.substr(0, rest.find(','));
        const std::size_t equals = option.find('=');
        if (equals == option.npos)
            throw base::UsageError("optimiser option '{}' must be written key=value", option);
        const std::size_t key = find_key(spec, option.substr(0, equals));
        options_[key] = parse_value(spec.keys[key], option.substr(equals + 1));
        rest.remove_prefix(std::min(rest.size(), option.size() + 1));
    }
    for (std::size_t i = 0; i < spec.keys.size(); ++i)
        if (std::isnan(options_[i]))
            throw base::UsageError("optimiser {} needs {}, as in \"{},{}=0.1\"", spec.name,
                                   spec.keys[i].name, spec.name, spec.keys[i].name);
    if (method_ == Method::sgd && options_[3] != 0 && (options_[1] == 0 || options_[2] != 0))
        throw base::UsageError("sgd with nesterov needs a momentum above 0 and no dampening");
}

float Optimizer::initial_square() const noexcept
{
    return method_ == Method::adagrad ? static_cast<float>(options_[3])
           : method_ == Method::rprop
               ? static_cast<float>(options_[0]) // the size of the first steps
               : 0.0F;
}

StepConstants Optimizer::constants(std::size_t step) const
{
    constexpr double beta1 = 0.9;
    constexpr double beta2 = 0.999;
    const auto t = static_cast<double>(step);
    const auto f = [](double x) { return static_cast<float>(x); };
    const auto& o = options_;
    switch (method_) {
    case Method::adadelta:
        return {.rate = f(o[0]),
                .square_decay = f(o[1]),
                .square_gain = f(1 - o[1]),
                .epsilon = f(o[2])};
    case Method::adagrad:
        return {.rate = f(o[0] / (1 + (t - 1) * o[1])), .epsilon = f(o[2])};
    case Method::adam:
        return {.rate = f(o[0] / (1 - power(beta1, step))),
                .decay = f(beta1),
                .gain = f(1 - beta1),
                .square_decay = f(beta2),
                .square_gain = f(1 - beta2),
                .square_scale = f(1 / std::sqrt(1 - power(beta2, step))),
                .epsilon = f(o[1])};
    case Method::adamax:
        return {.rate = f(o[0] / (1 - power(beta1, step))),
                .decay = f(beta1),
                .gain = f(1 - beta1),
                .square_decay = f(beta2),
                .epsilon = f(o[1])};
    case Method::asgd:
        return {.rate = f(o[0] / to_the_power(1 + o[1] * o[0] * (t - 1), o[2])), .shrink = f(o[1])};
    case Method::rprop:
        return {};
    case Method::rmsprop:
        return {.rate = f(o[0]),
                .decay = f(o[3]),
                .gain = 1,
                .square_decay = f(o[1]),
                .square_gain = f(1 - o[1]),
                .epsilon = f(o[2])};
    case Method::sgd:
        // The first step's momentum buffer is the gradient itself, whatever the dampening.
        return {.rate = f(o[0]),
                .decay = f(o[1]),
                .gain = step == 1 ? 1.0F : f(1 - o[2]),
                .nesterov = o[3] != 0};
    }
    return {};
}

} // namespace senteval::learn
