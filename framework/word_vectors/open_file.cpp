#include "word_vectors/open_file.hpp"

#include "base/system_error.hpp"

#include <senteval/encoder.hpp>

#include <unistd.h>

namespace senteval::word_vectors {

base::MappedFile open_file(const std::filesystem::path& path)
{
    const auto status_or = [&path](senteval_status otherwise) {
        return ::access(path.c_str(), R_OK) == 0 ? otherwise : SENTEVAL_NOT_FOUND;
    };
    try {
        return base::MappedFile(path);
    } catch (const base::SystemError& e) {
        throw sdk::Error(status_or(SENTEVAL_INTERNAL), e.what());
    } catch (const base::Error& e) {
        throw sdk::Error(status_or(SENTEVAL_INVALID_ARGUMENT), e.what());
    }
}

} // namespace senteval::word_vectors
