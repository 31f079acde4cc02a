#include "precomputed/rows.hpp"

#include "word_vectors/mapped_file.hpp"

#include <senteval/encoder.hpp>

namespace senteval::precomputed {

std::unique_ptr<Rows> open_rows(const std::filesystem::path& file, bool has_sentences)
{
    const word_vectors::MappedFile content(file);
    if (content.bytes().starts_with("PK\x03\x04"))
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                         file.string() + " is an archive, as numpy.savez writes it: save the one "
                                         "array with numpy.save, which makes an .npy file");
    if (!content.bytes().starts_with("\x93NUMPY"))
        return open_text(file, has_sentences);
    if (has_sentences)
        throw sdk::Error(SENTEVAL_INVALID_ARGUMENT,
                         "parameter 'sentences' is missing: " + file.string() +
                             " holds vectors only; name the file that has the sentence of each "
                             "row, one per line");
    return open_npy(file);
}

} // namespace senteval::precomputed
