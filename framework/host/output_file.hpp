// output_file.hpp -- where an option such as --json FILE writes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace senteval::host {

/// Throws core::UsageError, with the option and the reason, where no file can be put at `path` in place
/// of what is there. Missing folders do not count: they are made.
void check_replaceable(std::string_view option, const std::filesystem::path& path);

/// A file, replaced as a whole; a device or pipe, written to; or "-", standard output. A relative
/// path starts from the folder in which this was made: libraries that are loaded later may change it.
class OutputFile {
public:
    /// `option` is what errors call it. With an empty target nothing is ever written.
    OutputFile(std::string option, const std::string& target);

    /// Before the work begins. Throws core::UsageError with the reason, also where the folder is missing.
    void check_writable() const;

    /// Throws core::Error with the reason.
    void write(std::string_view text) const;

    [[nodiscard]] bool is_standard_output() const { return target_ == "-"; }

private:
    [[nodiscard]] bool is_special() const;

    std::string option_;
    std::string target_;
};

} // namespace senteval::host
