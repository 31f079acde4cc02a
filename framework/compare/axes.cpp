#include "compare/axes.hpp"

#include "compare/scoring.hpp"

namespace senteval::compare {

std::string unit_of(const std::string& metric)
{
    const std::string name = metric.substr(metric.rfind('.') + 1);
    if (name == "acc" || name == "f1")
        return name == "acc" ? "accuracy, %" : "F1, %";
    if (name == "devacc")
        return "development accuracy, %";
    if (name == "mse")
        return "mean squared error";
    if (name == "r1" || name == "r5" || name == "r10")
        return "recall at " + name.substr(1) + ", %";
    if (metric.find("pearson") != std::string::npos)
        return "Pearson's r";
    return metric.find("spearman") != std::string::npos ? "Spearman's ρ" : metric;
}

int decimals_of(const std::string& metric)
{
    const bool correlation =
        metric.find("pearson") != std::string::npos || metric.find("spearman") != std::string::npos;
    return correlation || metric.ends_with("mse") ? 4 : 2;
}

bool is_higher_better(const std::string& metric)
{
    return !metric.ends_with("mse") && !metric.ends_with("median_rank");
}

} // namespace senteval::compare
