// stemmers.hpp -- the stems of words.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace senteval::bm25 {

/// The stem of a word in lower case; may be called from several threads.
using Stem = std::function<std::string(std::string_view)>;

/// Snowball changed the rules of English in version 3: it keeps "university" apart from "universe", "organization" from
/// "organ", and "internal" from "intern". Debian 12 has version 2.2.
enum class Edition : std::uint8_t { snowball_3, snowball_2_2 };

/// Porter's second stemmer, as Snowball publishes it, of a word without apostrophes.
std::string english_stem(std::string_view word, Edition edition);

/// libstemmer's for a language: an English name such as "german", or two or three letters of ISO 639. Throws sdk::Error,
/// naming those that there are, where it has none, and where the program was built without it.
Stem open_stemmer(const std::string& language);

/// A hash of the stems of a few words of many languages: another version of libstemmer has other stems.
std::string fingerprint_of(const Stem& stem);

} // namespace senteval::bm25
