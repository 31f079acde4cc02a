// embeddings.hpp -- what is sent to /v1/embeddings, and what comes back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::http {

/// How the server writes vectors.
enum class Encoding {
    numbers, ///< encoding_format float: decimal numbers
    base64   ///< float32, little-endian
};

/// What every request says besides its inputs.
struct Model {
    std::string name;
    Encoding encoding = Encoding::numbers;
    std::int64_t dimensions = 0; ///< to be asked for; 0: the model's own
};

std::string request_body(const Model& model, const std::vector<std::string_view>& inputs);

/// The vectors of an answer to a request of `count` inputs, in the order of the inputs, whatever the
/// order of the answer. Throws std::runtime_error that says what is wrong with it.
std::vector<std::vector<float>> read_vectors(std::string_view body, std::size_t count);

/// The message in a body of OpenAI's format ({"error": {"message": ...}} and its variants), or the body.
std::string error_message(std::string_view body);

} // namespace senteval::http
