#include "base/refuse.hpp"

#include "base/system_error.hpp"

#include <unistd.h>

namespace senteval::base {

MappedFile open_file(const std::filesystem::path& path)
{
    const auto status_or = [&path](senteval_status otherwise) {
        return ::access(path.c_str(), R_OK) == 0 ? otherwise : senteval_status{SENTEVAL_NOT_FOUND};
    };
    try {
        return MappedFile(path);
    } catch (const SystemError& e) {
        throw sdk::Error(status_or(SENTEVAL_INTERNAL), e.what());
    } catch (const Error& e) {
        throw sdk::Error(status_or(SENTEVAL_INVALID_ARGUMENT), e.what());
    }
}

void refuse_disguise(const std::filesystem::path& path, std::string_view bytes, Wanted wanted)
{
    if (const auto disguise = disguise_of(bytes, wanted))
        refuse("{} {}", path.string(), disguise->message());
}

} // namespace senteval::base
