// messages.hpp -- texts, orders and tables of plugins as bytes, between program and process.
#pragma once

#include "encoder/parameters.hpp"
#include "encoder/plugin.hpp"
#include "text/sentence.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::isolation {

class SharedBuffer;

/// Makes the buffer large enough and writes the sentences. Returns the bytes used.
std::size_t write_texts(std::span<const text::Sentence> sentences, SharedBuffer& buffer);
std::size_t write_text(std::string_view text, SharedBuffer& buffer);

/// Views of `count` texts in the first `used` bytes of the buffer. Throws base::Error where they are not
/// there. They know no token counts.
void read_texts(const SharedBuffer& buffer,
                std::size_t used,
                std::size_t count,
                std::vector<text::Sentence>& texts);

/// The encoder that a process is to make.
struct Order {
    std::filesystem::path library;
    std::string encoder; ///< its id
    std::string label;   ///< for messages
    std::vector<encoder::Parameter> parameters;
};

/// An order as bytes, and back. Throws base::Error where they are none.
std::string bytes_of(const Order& order);
Order order_of(std::string_view bytes);

/// The table of a plugin.
std::string table_text(const encoder::Plugin& plugin);

/// A plugin of that path with the same table, but for its functions: none may be called but
/// get_extension. What an encoder lacks is null. Throws base::Error where the text is no table.
std::shared_ptr<const encoder::Plugin> described_plugin(const std::filesystem::path& path,
                                                        std::string_view text);

} // namespace senteval::isolation
