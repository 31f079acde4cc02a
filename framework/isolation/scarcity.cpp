#include "isolation/scarcity.hpp"

#include "core/byte_text.hpp"

#include <fmt/format.h>

#include <sys/resource.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace senteval::isolation {
namespace {

std::string content_of(const std::string& file)
{
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The number behind a name at the start of a line.
std::optional<std::uint64_t> number_after(std::string_view text, std::string_view name)
{
    for (std::size_t at = text.find(name); at != std::string_view::npos;
         at = text.find(name, at + 1)) {
        if (at > 0 && text[at - 1] != '\n')
            continue;
        const std::size_t digits = text.find_first_not_of(" \t", at + name.size());
        std::uint64_t number = 0;
        if (digits != std::string_view::npos &&
            std::from_chars(text.data() + digits, text.data() + text.size(), number).ec ==
                std::errc())
            return number;
    }
    return std::nullopt;
}

std::string memory_text(std::uint64_t limit, std::uint64_t taken, Failure failure)
{
    if (limit == 0)
        return "";
    const auto bytes = [](std::uint64_t number) {
        return core::byte_text(static_cast<double>(number));
    };
    const std::string_view advice = "allow it more, or give it less at a time (--encode-batch)";
    if (failure == Failure::out_of_memory) // and has given back what it had
        return fmt::format("; it reached the limit of {} that it may allocate (--limit-memory): {}",
                           bytes(limit), advice);
    if (taken > limit / 4 * 3)
        return fmt::format("; it had allocated {} of the {} that it may (--limit-memory), and may "
                           "have come to that limit: {}",
                           bytes(taken), bytes(limit), advice);
    return failure == Failure::error || taken == 0
               ? ""
               : fmt::format("; it had allocated {} of the {} that it may (--limit-memory)",
                             bytes(taken), bytes(limit));
}

std::string files_text(std::uint64_t limit)
{
    rlimit own{};
    if (limit == 0 && getrlimit(RLIMIT_NOFILE, &own) == 0)
        return fmt::format("; it has as many files open as it may: {} (ulimit -n)", own.rlim_cur);
    return fmt::format("; it has as many files open as it may: {} (--limit-files)", limit);
}

} // namespace

std::uint64_t allocated(std::string_view status)
{
    constexpr std::uint64_t kib = 1024;
    return number_after(status, "VmData:").value_or(0) * kib;
}

Taken taken_by(int process)
{
    const std::string folder = fmt::format("/proc/{}/", process);
    Taken taken;
    taken.memory = allocated(content_of(folder + "status"));
    rlimit limit{};
    std::error_code unknown;
    const std::filesystem::directory_iterator files(folder + "fd", unknown);
    if (!unknown && prlimit(process, RLIMIT_NOFILE, nullptr, &limit) == 0)
        taken.all_files =
            static_cast<std::uint64_t>(std::distance(begin(files), end(files))) >= limit.rlim_cur;
    return taken;
}

std::string shortage_text(const Limits& limits, const Taken& taken, Failure failure)
{
    return memory_text(limits.memory, taken.memory, failure) +
           (taken.all_files ? files_text(limits.open_files) : "");
}

std::optional<std::uint64_t> ended_for_memory()
{
    return number_after(content_of("/proc/vmstat"), "oom_kill ");
}

} // namespace senteval::isolation
