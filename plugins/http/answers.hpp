// answers.hpp -- what the answers to all kinds of requests have in common.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::http {

/// The body as JSON. Throws std::runtime_error, remote::CutOff where it ends too early.
nlohmann::json read_answer(std::string_view body);

/// Throws std::runtime_error: the server's own error, or what the answer lacks.
[[noreturn]] void
refuse_answer(const nlohmann::json& answer, std::string_view body, std::string_view lacking);

/// The items of `list` in the order of their "index", of each input one; `what` they are called. Throws
/// std::runtime_error where one is missing, comes twice, or is of no input.
std::vector<const nlohmann::json*>
by_index(const nlohmann::json& list, std::size_t count, std::string_view what);

} // namespace senteval::http
