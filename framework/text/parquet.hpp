// parquet.hpp -- Parquet files, read by the user's Python (parquet_lines.py).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace senteval::text {

inline constexpr std::string_view parquet_mark = "PAR1"; ///< which such a file begins with

/// The files that are meant by the name of the first of several ("train-00000-of-00002.parquet"); else the one.
std::vector<std::string> parquet_shards(const std::string& name);

/// Their rows as JSON lines. Throws base::Error that names the file, and what to type where Python has no package for it.
std::string json_lines_of_parquet(const std::string& path);

} // namespace senteval::text
