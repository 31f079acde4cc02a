#include "host/train_files.hpp"

#include "core/error.hpp"
#include "core/home.hpp"
#include "train/checkpoint.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <system_error>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;

fs::path absolute(const std::string& name)
{
    return fs::absolute(core::expand_home(name));
}

/// Also by other names, links, and where neither is there yet.
bool is_same(const fs::path& one, const fs::path& other)
{
    std::error_code error;
    return fs::equivalent(one, other, error) ||
           fs::weakly_canonical(one, error) == fs::weakly_canonical(other, error);
}

/// Missing folders are made when it is written.
void check_writable(const char* option, const fs::path& file)
{
    std::error_code error;
    const auto status = fs::status(file, error);
    if (fs::is_directory(status) || !file.has_filename())
        throw core::UsageError("{}: '{}' is a folder, and a file is wanted", option, file.string());
    // "/dev/stdout" may be a regular file, which a shell has opened.
    const bool is_descriptor =
        std::ranges::any_of(std::array{"/dev/std", "/dev/fd/", "/proc/"},
                            [&](const char* prefix) { return file.native().starts_with(prefix); });
    if (is_descriptor || (fs::exists(status) && !fs::is_regular_file(status)))
        throw core::UsageError("{}: '{}' is a device or a pipe, and a file would take its place",
                               option, file.string());
    fs::path folder = fs::weakly_canonical(file, error).parent_path();
    while (!fs::exists(folder, error) && folder.has_relative_path())
        folder = folder.parent_path();
    if (!fs::is_directory(folder, error))
        throw core::UsageError("{}: '{}' is no folder", option, folder.string());
    if (::access(folder.c_str(), W_OK) != 0)
        throw core::UsageError("{}: nothing can be written in '{}': {}", option, folder.string(),
                               std::generic_category().message(errno));
}

} // namespace

TrainFiles files_to_write(const TrainArguments& arguments,
                          const std::vector<train::PairSource>& pairs)
{
    if (arguments.output.empty())
        throw core::UsageError("--output: the name of the model's file is empty");
    if (arguments.output == "-")
        throw core::UsageError("--output: a model is written to a file, not to standard output");
    const TrainFiles files = {absolute(arguments.output),
                              absolute(arguments.checkpoint.empty()
                                           ? arguments.output + ".checkpoint"
                                           : arguments.checkpoint)};
    const auto check = [&](const char* option, const fs::path& file) {
        check_writable(option, file);
        const auto refuse_same = [&](const char* other, const fs::path& read) {
            if (is_same(file, read))
                throw core::UsageError("{}: '{}' is the file of {}, and would be overwritten",
                                       option, file.string(), other);
        };
        for (const train::PairSource& source : pairs)
            refuse_same("--pairs", source.file);
        refuse_same("--init", absolute(arguments.init));
        if (!arguments.dev.empty())
            refuse_same("--dev", absolute(arguments.dev));
    };
    check("--output", files.model);
    check("--checkpoint", files.checkpoint);
    if (is_same(files.model, files.checkpoint))
        throw core::UsageError("--checkpoint: '{}' is the file of --output; name another",
                               files.checkpoint.string());
    if (fs::exists(files.checkpoint) && !train::is_checkpoint(files.checkpoint))
        throw core::UsageError("--checkpoint: '{}' is there and is no checkpoint of a training, "
                               "and would be overwritten; name another file",
                               files.checkpoint.string());
    return files;
}

} // namespace senteval::host
