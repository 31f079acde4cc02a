// order.hpp -- which encoder a process shall make.
#pragma once

#include "encoder/parameters.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::isolation {

struct Order {
    std::filesystem::path library;
    std::string encoder; ///< its id
    std::string label;   ///< for messages
    std::vector<encoder::Parameter> parameters;
};

/// An order as bytes, and back. Throws core::Error where they are none.
std::string bytes_of(const Order& order);
Order order_of(std::string_view bytes);

} // namespace senteval::isolation
