// data_root.hpp -- the data folder, from what a user names.
#pragma once

#include <filesystem>

namespace senteval::task {

/// The data folder that somebody means: also where its downstream/ or probing/ was named.
std::filesystem::path data_root(const std::filesystem::path& named);

} // namespace senteval::task
