#include "task/custom.hpp"

namespace senteval::task {

std::optional<CustomProtocol> custom_protocol(std::string_view name)
{
    if (name == "classification")
        return CustomProtocol::classification;
    if (name == "pair-classification")
        return CustomProtocol::pair_classification;
    if (name == "relatedness")
        return CustomProtocol::relatedness;
    if (name == "similarity")
        return CustomProtocol::similarity;
    return std::nullopt;
}

} // namespace senteval::task
