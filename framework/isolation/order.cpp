#include "isolation/order.hpp"

#include "core/error.hpp"
#include "core/json.hpp"

namespace senteval::isolation {

using core::Json;

// CBOR, not JSON: paths may be no UTF-8.
std::string bytes_of(const Order& order)
{
    Json parameters = Json::array();
    for (const encoder::Parameter& parameter : order.parameters)
        parameters.push_back({parameter.key, parameter.type, parameter.value});
    const auto bytes = Json::to_cbor({{"library", order.library.string()},
                                      {"encoder", order.encoder},
                                      {"label", order.label},
                                      {"parameters", parameters}});
    return {bytes.begin(), bytes.end()};
}

Order order_of(std::string_view bytes)
{
    try {
        const Json json = Json::from_cbor(bytes.begin(), bytes.end());
        Order order{json.at("library").get<std::string>(),
                    json.at("encoder").get<std::string>(),
                    json.at("label").get<std::string>(),
                    {}};
        for (const Json& one : json.at("parameters"))
            order.parameters.push_back(
                {one.at(0).get<std::string>(), one.at(1).get<senteval_type>(), one.at(2)});
        return order;
    } catch (const Json::exception& e) {
        throw core::Error("an order that cannot be read: {}", e.what());
    }
}

} // namespace senteval::isolation
