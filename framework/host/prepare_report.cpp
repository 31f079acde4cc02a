#include "host/prepare_report.hpp"

#include "core/counted.hpp"
#include "host/exit_codes.hpp"
#include "host/output.hpp"

#include <fmt/format.h>

#include <vector>

namespace senteval::host {

void PrepareReport::add(const data::Prepared& file)
{
    switch (file.outcome) {
    case data::Outcome::present:
    case data::Outcome::written:
        ++good_;
        break;
    case data::Outcome::unusual:
        emit("{}: warning: {}\n", file.path, file.detail);
        break;
    case data::Outcome::missing:
        failed_ = failed_ || named_;
        if (named_)
            emit("{}: missing: {}\n", file.path, file.detail);
        else
            ++missing_[file.dataset];
        break;
    case data::Outcome::refused:
        failed_ = true;
        emit("{}: REFUSED: {}\n", file.path, file.detail);
        break;
    }
}

int PrepareReport::finish(const std::filesystem::path& from, const std::filesystem::path& to) const
{
    std::vector<std::string> lacking;
    for (const auto& [dataset, files] : missing_)
        lacking.push_back(fmt::format("{} ({})", dataset, core::counted(files, "file")));
    if (!lacking.empty())
        emit("no originals in '{}' for {}\n", from.string(), fmt::join(lacking, ", "));
    emit("{} {} right in '{}'\n", core::counted(good_, "file"), good_ == 1 ? "is" : "are",
         to.string());
    return failed_ ? exit_failed : 0;
}

} // namespace senteval::host
