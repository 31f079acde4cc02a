// byte_fallback.hpp -- pieces such as <0xE2> for the bytes of what has no piece.
#pragma once

#include "model_files/added_tokens.hpp"
#include "model_files/trie.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

namespace senteval::model_files {

class ByteFallback {
public:
    /// None.
    ByteFallback() { values_.fill(Trie::no_value); }
    /// What `pieces` says of them.
    explicit ByteFallback(const Trie& pieces)
    {
        for (std::size_t byte = 0; byte < values_.size(); ++byte)
            values_[byte] = pieces.value_of(fmt::format("<0x{:02X}>", byte));
    }

    /// Appends the piece of each byte; nothing, and returns false, where one has none.
    bool append(std::string_view text, std::vector<Id>& values) const
    {
        const std::size_t before = values.size();
        for (const char byte : text) {
            values.push_back(values_[static_cast<unsigned char>(byte)]);
            if (values.back() == Trie::no_value) {
                values.resize(before);
                return false;
            }
        }
        return true;
    }

private:
    std::array<Id, 256> values_{};
};

} // namespace senteval::model_files
