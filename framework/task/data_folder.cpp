#include "task/data_folder.hpp"

#include "core/fingerprint.hpp"

namespace senteval::task {

core::MappedFile DataFolder::open(const std::string& relative)
{
    core::MappedFile file(path(relative));
    fingerprints_[relative] = core::fingerprint(file.bytes());
    return file;
}

} // namespace senteval::task
