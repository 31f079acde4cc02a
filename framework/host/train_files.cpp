#include "host/train_files.hpp"

#include "core/error.hpp"
#include "core/home.hpp"
#include "host/output_file.hpp"
#include "train/checkpoint.hpp"

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

} // namespace

TrainFiles files_to_write(const TrainArguments& arguments,
                          const std::vector<train::PairSource>& pairs)
{
    if (arguments.output.empty())
        throw core::UsageError("--output: the name of the model's file is empty");
    if (arguments.output == "-")
        throw core::UsageError("--output: a model is written to a file, not to standard output");
    TrainFiles files = {absolute(arguments.output),
                        absolute(arguments.checkpoint.empty() ? arguments.output + ".checkpoint"
                                                              : arguments.checkpoint)};
    const auto check = [&](const char* option, const fs::path& file) {
        check_replaceable(option, file);
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
