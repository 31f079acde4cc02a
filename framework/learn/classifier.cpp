#include "learn/classifier.hpp"

#include "core/error.hpp"
#include "core/names.hpp"
#include "learn/logistic_regression.hpp"
#include "learn/network_classifier.hpp"

#include <array>
#include <string>
#include <vector>

namespace senteval::learn {

const Kernels& find_kernels(std::string_view name)
{
    std::vector<std::string> names{"auto"};
    if (name == "auto")
        return kernels();
    for (const Kernels* const one : available_kernels()) {
        if (name == one->name)
            return *one;
        names.emplace_back(one->name);
    }
    throw core::UsageError("this processor has no kernels '{}' (it has {}).{}", name,
                           fmt::join(names, ", "), core::did_you_mean(name, names));
}

std::unique_ptr<const Classifier> make_classifier(const Settings& settings, const Kernels& kernels)
{
    if (settings.classifier == "softmax" || settings.classifier == "mlp")
        return std::make_unique<NetworkClassifier>(settings, kernels);
    if (settings.classifier == "logreg-newton")
        return std::make_unique<LogisticRegression>(settings);
    const std::array<std::string, 3> names{"softmax", "mlp", "logreg-newton"};
    throw core::UsageError("unknown classifier '{}' (there are {}).{}", settings.classifier,
                           fmt::join(names, ", "), core::did_you_mean(settings.classifier, names));
}

} // namespace senteval::learn
