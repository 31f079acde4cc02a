#include "task/data_root.hpp"

namespace senteval::task {

std::filesystem::path data_root(const std::filesystem::path& named)
{
    namespace fs = std::filesystem;
    const fs::path folder = named.has_filename() ? named : named.parent_path();
    const bool is_part = folder.filename() == "downstream" || folder.filename() == "probing";
    const bool is_root = fs::exists(folder / "downstream") || fs::exists(folder / "probing");
    return is_part && !is_root ? fs::absolute(folder).parent_path() : named;
}

} // namespace senteval::task
