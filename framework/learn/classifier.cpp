#include "learn/classifier.hpp"

#include "base/error.hpp"
#include "base/names.hpp"
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
    throw base::UsageError("this processor has no kernels '{}' (it has {}).{}", name,
                           fmt::join(names, ", "), base::did_you_mean(name, names));
}

std::unique_ptr<const Classifier> make_classifier(const Settings& settings, const Kernels& kernels)
{
    if (settings.classifier == "softmax" || settings.classifier == "mlp")
        return std::make_unique<NetworkClassifier>(settings, kernels);
    if (settings.classifier == "logreg-newton")
        return std::make_unique<LogisticRegression>(settings);
    const std::array<std::string, 3> names{"softmax", "mlp", "logreg-newton"};
    throw base::UsageError("unknown classifier '{}' (there are {}).{}", settings.classifier,
                           fmt::join(names, ", "), base::did_you_mean(settings.classifier, names));
}

std::vector<std::vector<Fit>> Classifier::fit_all(std::span<const FitRequest> requests) const
{
    std::vector<std::vector<Fit>> fits;
    for (const FitRequest& request : requests)
        fits.push_back(fit(request));
    return fits;
}

Targets code_labels(const Examples& train)
{
    Targets targets;
    for (const std::uint32_t row : train.rows)
        targets.classes.push_back(train.labels[row]);
    std::sort(targets.classes.begin(), targets.classes.end());
    targets.classes.erase(std::unique(targets.classes.begin(), targets.classes.end()),
                          targets.classes.end());
    for (const std::uint32_t row : train.rows) {
        const auto at =
            std::lower_bound(targets.classes.begin(), targets.classes.end(), train.labels[row]);
        targets.codes.push_back(static_cast<std::uint32_t>(at - targets.classes.begin()));
    }
    return targets;
}

} // namespace senteval::learn
