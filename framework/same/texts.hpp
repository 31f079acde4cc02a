// texts.hpp -- the texts that encoders are asked for.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::same {

/// Texts on which encoders are known to differ: long (beyond 128, 256, 512 and 2048 tokens), empty, with blanks, line ends,
/// upper case, accents in both forms, emoji, and in scripts without blanks.
std::vector<std::string> nasty_texts();

/// The first `count` different texts of a file: a line of .txt, a `column` of .csv, .tsv or JSON lines, the title of a
/// record before its text. Throws base::Error.
std::vector<std::string>
texts_of(const std::filesystem::path& file, std::string_view column, std::size_t count);

} // namespace senteval::same
