#include "model_files/trie.hpp"

#include <bit>
#include <stdexcept>
#include <utility>

namespace senteval::model_files {

void Trie::add_edge(std::uint32_t edge, Node node) noexcept
{
    std::size_t at = slot(edge);
    while (edges_[at].node != none)
        at = (at + 1) & (edges_.size() - 1);
    edges_[at] = {edge, node};
}

void Trie::grow()
{
    const auto old =
        std::exchange(edges_, std::vector<Edge>(edges_.empty() ? 64 : edges_.size() * 2));
    shift_ = 64U - static_cast<unsigned>(std::countr_zero(edges_.size()));
    for (const Edge& edge : old)
        if (edge.node != none)
            add_edge(edge.key, edge.node);
}

void Trie::insert(std::string_view text, std::int32_t value)
{
    constexpr std::size_t most_nodes = std::size_t{1} << 24U;
    Node node = root;
    for (const char byte : text) {
        Node next = child(node, byte);
        if (next == none) {
            if (values_.size() == most_nodes)
                throw std::length_error("its vocabulary is too large");
            if (values_.size() * 2 > edges_.size())
                grow();
            next = static_cast<Node>(values_.size());
            values_.push_back(no_value);
            add_edge(key(node, byte), next);
        }
        node = next;
    }
    values_[node] = value;
}

Trie::Node Trie::find(std::string_view text) const noexcept
{
    Node node = root;
    for (std::size_t i = 0; i < text.size() && node != none; ++i)
        node = child(node, text[i]);
    return node;
}

} // namespace senteval::model_files
