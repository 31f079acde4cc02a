// The side of crash_report.hpp that reads. What it reads was written by a process that was out of its
// mind: nothing of it is believed.
#include "isolation/crash_report.hpp"

#include "isolation/symbols.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <span>
#include <string_view>

namespace senteval::isolation {
namespace {

std::string place_text(const CrashRecord& record)
{
    switch (record.place) {
    case CrashRecord::Place::past_rows:
        return "it wrote past the end of the vectors";
    case CrashRecord::Place::stack_end:
        return "its stack is full";
    default:
        break;
    }
    const bool is_access = record.signal == SIGSEGV || record.signal == SIGBUS;
    return record.has_address != 0 && is_access ? fmt::format("at address {:#x}", record.address)
                                                : "";
}

} // namespace

std::string CrashReport::text() const
{
    std::string text;
    if (!is_own_thread)
        text += ", on a thread that the encoder had started";
    if (!place.empty())
        text += ": " + place;
    if (!backtrace.empty())
        text += "; backtrace: " + backtrace;
    return text;
}

std::optional<CrashReport> read_crash_report(const SharedBuffer& memory)
{
    const auto& record = *reinterpret_cast<const CrashRecord*>(memory.data());
    if (record.state.load() != CrashRecord::State::complete)
        return std::nullopt;
    const std::string_view maps(
        reinterpret_cast<const char*>(memory.data()) + sizeof(CrashRecord),
        std::min<std::size_t>(record.maps, memory.size() - sizeof(CrashRecord)));
    const std::span frames(record.frame,
                           std::min<std::size_t>(record.frames, CrashRecord::most_frames));
    CrashReport report;
    report.signal = record.signal;
    report.is_own_thread = record.is_own_thread != 0;
    if (record.operation >= Operation::describe && record.operation <= Operation::destroy)
        report.operation = record.operation;
    report.place = place_text(record);
    report.taken = {allocated({record.status_text,
                               std::min<std::size_t>(record.status, sizeof record.status_text)}),
                    record.is_out_of_files != 0};
    report.backtrace = backtrace_text(maps, frames);
    return report;
}

void clear_crash_report(SharedBuffer& memory)
{
    std::memset(memory.data(), 0, sizeof(CrashRecord));
}

} // namespace senteval::isolation
