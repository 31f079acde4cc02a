#include "host/output_file.hpp"

#include "core/error.hpp"
#include "core/files.hpp"
#include "core/home.hpp"
#include "host/output.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>
#include <utility>

namespace senteval::host {
namespace {

namespace fs = std::filesystem;

/// The target whatever becomes of the working directory and of descriptor 1.
std::string resolved(const std::string& target)
{
    constexpr std::array<std::string_view, 3> standard_output = {"/dev/stdout", "/dev/fd/1",
                                                                 "/proc/self/fd/1"};
    if (std::ranges::find(standard_output, target) != standard_output.end())
        return "-";
    return target.empty() || target == "-" ? target
                                           : fs::absolute(core::expand_home(target)).string();
}

} // namespace

void check_replaceable(std::string_view option, const fs::path& path)
{
    try {
        core::check_replaceable(path);
    } catch (const core::Error& e) {
        throw core::UsageError("{}: {}", option, e.what());
    }
}

OutputFile::OutputFile(std::string option, const std::string& target)
    : option_(std::move(option)), target_(resolved(target))
{
}

/// A device or pipe must not be replaced by a file.
bool OutputFile::is_special() const
{
    std::error_code error;
    return fs::is_other(fs::status(target_, error));
}

void OutputFile::check_writable() const
{
    if (target_.empty() || target_ == "-" || is_special())
        return;
    std::error_code error;
    const fs::path folder =
        fs::weakly_canonical(target_, error).parent_path(); // of what a link names
    if (!fs::is_directory(folder))
        throw core::UsageError("{}: there is no folder '{}'", option_, folder.string());
    check_replaceable(option_, target_);
}

void OutputFile::write(std::string_view text) const
{
    if (target_.empty())
        return;
    if (target_ == "-") {
        write_output(text);
        return;
    }
    if (!is_special()) {
        core::write_file_atomically(target_, text);
        return;
    }
    std::ofstream file(target_, std::ios::binary);
    file.write(text.data(), static_cast<std::streamsize>(text.size())).flush();
    if (!file)
        throw core::Error("{}: cannot write to '{}'", option_, target_);
}

} // namespace senteval::host
