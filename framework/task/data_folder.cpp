#include "task/data_folder.hpp"

#include "base/fingerprint.hpp"

namespace senteval::task {

base::MappedFile DataFolder::open(const std::string& relative)
{
    base::MappedFile file(path(relative));
    std::string fingerprint = base::fingerprint(file.bytes());
    if (limit_ > 0)
        fingerprint = base::fingerprint(fingerprint + " limit " + std::to_string(limit_));
    fingerprints_[relative] = fingerprint;
    return file;
}

std::filesystem::path data_root(const std::filesystem::path& named)
{
    namespace fs = std::filesystem;
    const fs::path folder = named.has_filename() ? named : named.parent_path();
    const bool is_part = folder.filename() == "downstream" || folder.filename() == "probing";
    const bool is_root = fs::exists(folder / "downstream") || fs::exists(folder / "probing");
    return is_part && !is_root ? fs::absolute(folder).parent_path() : named;
}

} // namespace senteval::task
