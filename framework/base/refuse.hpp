// refuse.hpp -- what encoders of the tree do with what the user gave them: open it, or refuse it.
#pragma once

#include "base/disguise.hpp"
#include "base/files.hpp"

#include <senteval/encoder.hpp>

#include <fmt/format.h>

#include <concepts>
#include <filesystem>
#include <utility>

namespace senteval::base {

/// Throws sdk::Error with SENTEVAL_INVALID_ARGUMENT.
template <typename... Args>
[[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args)
{
    throw sdk::Error(SENTEVAL_INVALID_ARGUMENT, fmt::format(format, std::forward<Args>(args)...));
}

/// The same of a file: "PATH: ...".
template <std::same_as<std::filesystem::path> Path, typename... Args>
[[noreturn]] void refuse(const Path& path, fmt::format_string<Args...> format, Args&&... args)
{
    refuse("{}: {}", path.string(), fmt::format(format, std::forward<Args>(args)...));
}

/// The file, mapped. Throws sdk::Error naming it: SENTEVAL_NOT_FOUND where it is missing or not readable,
/// SENTEVAL_INVALID_ARGUMENT where it is not a regular file.
MappedFile open_file(const std::filesystem::path& path);

/// Throws sdk::Error naming the file where its bytes are of another kind than `wanted`.
void refuse_disguise(const std::filesystem::path& path, std::string_view bytes, Wanted wanted);

} // namespace senteval::base
