// prepare_report.hpp -- what `senteval data prepare` says of the files it made.
#pragma once

#include "data/prepare.hpp"

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

namespace senteval::host {

/// One line for each file that is not as it should be. What nobody asked for by name and has no
/// original is only counted.
class PrepareReport {
public:
    /// `named`: whether somebody asked for the datasets by name.
    explicit PrepareReport(bool named) : named_(named) {}

    void add(const data::Prepared& file);

    /// Says the rest; the exit code.
    [[nodiscard]] int finish(const std::filesystem::path& from,
                             const std::filesystem::path& to) const;

private:
    bool named_;
    bool failed_ = false;
    std::size_t good_ = 0;
    std::map<std::string, std::size_t> missing_; ///< files, by dataset
};

} // namespace senteval::host
