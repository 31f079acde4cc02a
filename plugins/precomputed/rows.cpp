#include "precomputed/rows.hpp"

#include "word_vectors/mapped_file.hpp"

#include <senteval/encoder.hpp>

namespace senteval::precomputed {

std::unique_ptr<Rows> open_rows(const std::filesystem::path& file, bool has_sentences)
{
    if (!word_vectors::MappedFile(file).bytes().starts_with("\x93NUMPY"))
        return open_text(file, has_sentences);
    if (has_sentences)
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                         "parameter 'sentences' is missing: " + file.string() +
                             " holds vectors only; name the file that has the sentence of each "
                             "row, one per line");
    return open_npy(file);
}

} // namespace senteval::precomputed
