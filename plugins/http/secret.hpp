// secret.hpp -- an API key: read from the environment, sent to the server, written nowhere.
#pragma once

#include <string>
#include <string_view>

namespace senteval::http {

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

} // namespace senteval::http
