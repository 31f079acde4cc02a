// sentence.hpp -- what a sentence is, everywhere in the program.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace senteval::text {

/// Tokens separated by one ASCII space each, valid UTF-8, perhaps empty. A view: the bytes belong
/// to the Arena of the dataset it was read from.
struct Sentence {
    std::string_view text;
    std::uint32_t tokens = 0;
};

/// Owns the bytes of a dataset. What store() returned stays valid, also when the arena is moved,
/// until the arena dies.
class Arena {
public:
    std::string_view store(std::string_view bytes);

private:
    std::deque<std::string> blocks_;
};

} // namespace senteval::text
