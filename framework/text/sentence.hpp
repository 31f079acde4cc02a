// sentence.hpp -- what a sentence is, everywhere in the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <string_view>

namespace senteval::text {

/// Role of a text in a search; as_is: nothing is put in front of it any more, and its role does not matter.
enum class Role : std::uint8_t { none, query, document, as_is };

/// Valid UTF-8, perhaps empty: tokens separated by one ASCII space each, or, where it is verbatim, a text as
/// it was written, with any white space. A view: the bytes belong to the Arena of the dataset it was read from.
struct Sentence {
    std::string_view text;
    std::uint32_t tokens = 0; ///< words between white space
    Role role = Role::none;
    bool verbatim = false;
};

/// Whether they are one and the same to an encoder.
inline bool operator==(const Sentence& a, const Sentence& b) noexcept
{
    return a.text == b.text && a.role == b.role && a.verbatim == b.verbatim;
}

struct SentenceHash {
    std::size_t operator()(const Sentence& sentence) const noexcept
    {
        return std::hash<std::string_view>()(sentence.text) ^
               static_cast<std::size_t>(sentence.role);
    }
};

/// Owns the bytes of a dataset. What store() returned stays valid, also when the arena is moved,
/// until the arena dies.
class Arena {
public:
    std::string_view store(std::string_view bytes);

private:
    std::deque<std::string> blocks_;
};

/// The words of `text`, joined by one ASCII space each, in `arena`.
Sentence make_sentence(std::string_view text, Arena& arena);

/// `text` as it is, in `arena`.
Sentence verbatim_sentence(std::string_view text, Arena& arena);

} // namespace senteval::text
