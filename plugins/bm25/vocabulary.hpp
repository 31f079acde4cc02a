// vocabulary.hpp -- what the words of a text are counted as.
#pragma once

#include "base/string_map.hpp"
#include "bm25/stemmers.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace senteval::bm25 {

/// The number of a word or stem of a collection.
using Term = std::uint32_t;

/// The words of a text in lower case: all runs of letters, numbers and underscores that have at least two characters.
/// Each view lasts for its call of each(word); `buffer` is memory to work in.
void for_each_token(std::string_view text,
                    std::string& buffer,
                    const std::function<void(std::string_view)>& each);

class Vocabulary {
public:
    static constexpr Term no_term = UINT32_MAX;

    /// `stem` is empty where words count as they are.
    Vocabulary(Stem stem, bool drops_stop_words);

    /// The term of a word of the collection, perhaps a new one; no_term for a stop word.
    Term add(std::string_view word);
    /// no_term also where the collection has no such term.
    [[nodiscard]] Term find(std::string_view word) const;

    [[nodiscard]] std::size_t size() const noexcept { return size_; }

private:
    Stem stem_;
    base::StringMap<Term> words_; ///< those that were seen, and the stop words
    base::StringMap<Term> stems_;
    std::size_t size_ = 0;
};

} // namespace senteval::bm25
