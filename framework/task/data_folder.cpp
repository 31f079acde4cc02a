#include "task/data_folder.hpp"

#include "core/fingerprint.hpp"

namespace senteval::task {

core::MappedFile DataFolder::open(const std::string& relative)
{
    core::MappedFile file(path(relative));
    std::string fingerprint = core::fingerprint(file.bytes());
    if (limit_ > 0)
        fingerprint = core::fingerprint(fingerprint + " limit " + std::to_string(limit_));
    fingerprints_[relative] = fingerprint;
    return file;
}

} // namespace senteval::task
