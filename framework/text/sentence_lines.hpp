// sentence_lines.hpp -- files of sentences that are encoded elsewhere: one a line, or JSON lines where texts may have line
// ends, or a role.
#pragma once

#include "text/sentence.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::text {

using SentenceLine = std::pair<std::string, Role>;

/// The sentences of a file, of JSON where its first line begins with {"text":. Throws base::Error "name:line: ...".
std::vector<SentenceLine> read_sentence_lines(const std::string& name, std::string_view bytes);

/// {"text":"...","role":"query"}, without the role where it has none.
std::string json_line(const SentenceLine& line);

} // namespace senteval::text
