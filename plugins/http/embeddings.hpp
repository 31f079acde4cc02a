// embeddings.hpp -- what is sent to /v1/embeddings, the key that goes with it, and what comes back.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::http {

/// An API key: read from the environment, sent to the server, written nowhere.
class Secret {
public:
    /// No key.
    Secret() = default;

    /// The value of the environment variable of that name. Throws sdk::Error where it is not set, or holds
    /// what no header may hold; the message does not show the value, nor a "name" that may be one.
    explicit Secret(const std::string& variable);

    [[nodiscard]] bool empty() const noexcept { return value_.empty(); }

    /// The header that carries it.
    [[nodiscard]] std::string header() const { return "Authorization: Bearer " + value_; }

    /// `text` with "[key]" wherever it holds the key, or eight and more characters of it in a row: for
    /// everything that is said to anybody.
    [[nodiscard]] std::string without(std::string_view text) const;

private:
    std::string value_;
};

/// How the server writes vectors.
enum class Encoding {
    numbers, ///< encoding_format float: decimal numbers
    base64,  ///< float32, little-endian
    unsaid   ///< no encoding_format, which some servers refuse: decimal numbers
};

/// The part of every request besides its inputs.
struct Model {
    std::string name;
    Encoding encoding = Encoding::numbers;
    std::int64_t dimensions = 0; ///< to be asked for; 0: the model's own
};

std::string request_body(const Model& model, const std::vector<std::string_view>& inputs);

/// The items of an answer, a list or the one under `key`, in the order of their "index": one for each of `count` inputs.
/// Throws std::runtime_error that says what is wrong, and calls an item `what`.
std::vector<nlohmann::json>
items_of(std::string_view body, const char* key, std::size_t count, std::string_view what);

/// The vectors of an answer to a request of `count` inputs, in the order of the inputs, whatever the
/// order of the answer. Throws std::runtime_error that says what is wrong with it; so is base64 where numbers were asked
/// for, as nobody can tell their width.
std::vector<std::vector<float>>
read_vectors(std::string_view body, std::size_t count, Encoding asked);

/// The message in a body of OpenAI's format ({"error": {"message": ...}} and its variants), or the body.
std::string error_message(std::string_view body);

} // namespace senteval::http
