// trie.hpp -- many short texts, found at the beginning of another in one walk over its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace senteval::model_files {

/// A trie over bytes whose edges lie in one hash table: a step costs one look-up, and 250 000 pieces a few megabytes.
class Trie {
public:
    using Node = std::uint32_t;
    static constexpr Node root = 0;
    static constexpr Node none = 0xFFFFFFFF; ///< no such node
    static constexpr std::int32_t no_value = -1;

    Trie() : values_(1, no_value) {}

    /// `value` is at least 0; a text that stands there already gets the new one. Throws std::length_error beyond 2^24
    /// nodes.
    void insert(std::string_view text, std::int32_t value);

    [[nodiscard]] Node child(Node parent, char byte) const noexcept
    {
        if (edges_.empty())
            return none;
        const std::uint32_t wanted = key(parent, byte);
        for (std::size_t at = slot(wanted);; at = (at + 1) & (edges_.size() - 1)) {
            if (edges_[at].key == wanted)
                return edges_[at].node;
            if (edges_[at].node == none)
                return none;
        }
    }
    /// The node of a whole text; none where no inserted text begins so.
    [[nodiscard]] Node find(std::string_view text) const noexcept;

    /// Value of the text that ends at the node; no_value where none does.
    [[nodiscard]] std::int32_t value(Node node) const noexcept { return values_[node]; }
    /// Value of a whole text.
    [[nodiscard]] std::int32_t value_of(std::string_view text) const noexcept
    {
        const Node node = find(text);
        return node == none ? no_value : value(node);
    }

private:
    struct Edge {
        std::uint32_t key = 0;
        Node node = none;
    };
    static std::uint32_t key(Node parent, char byte) noexcept
    {
        return parent << 8U | static_cast<unsigned char>(byte);
    }
    [[nodiscard]] std::size_t slot(std::uint32_t edge) const noexcept
    {
        return (edge * std::uint64_t{0x9E3779B97F4A7C15}) >> shift_;
    }
    void add_edge(std::uint32_t edge, Node node) noexcept;
    void grow();

    std::vector<Edge> edges_;          ///< as many as a power of two, at most half of them in use
    unsigned shift_ = 64;              ///< 64 less the exponent of that power
    std::vector<std::int32_t> values_; ///< by node
};

} // namespace senteval::model_files
