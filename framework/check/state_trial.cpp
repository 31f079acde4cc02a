#include "check/state_trial.hpp"

#include "check/services.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <vector>

namespace senteval::check {

StateTrial::Memory::Memory()
{
    std::fflush(stdout);
    if (const int memory = memfd_create("stdout", MFD_CLOEXEC); memory >= 0) {
        dup2(memory, STDOUT_FILENO);
        close(memory);
    }
}

StateTrial::StateTrial(Reporter& reporter) : reporter_(reporter)
{
    for (int number = 0; number < streams; ++number)
        fstat(number, &streams_[static_cast<std::size_t>(number)]);
}

void StateTrial::after(std::string_view shown_call)
{
    std::vector<encoder::Disturbance> found;
    thread_.restore(found);
    process_.restore(found);
    for (const encoder::Disturbance& one : found)
        broken(one.rule, shown_call, one.what);
    std::fflush(stdout);
    for (int number = 0; number < streams; ++number) {
        struct stat now {};
        const struct stat& before = streams_[static_cast<std::size_t>(number)];
        if (fstat(number, &now) != 0 || now.st_dev != before.st_dev || now.st_ino != before.st_ino)
            broken("6.6", shown_call, fmt::format("descriptor {} is not what it was", number));
    }
    std::array<char, 60> printed{};
    const ssize_t size = pread(STDOUT_FILENO, printed.data(), printed.size(), 0);
    if (size > 0)
        broken("6.6", shown_call,
               "wrote " + shown({printed.data(), static_cast<std::size_t>(size)}) + " to stdout");
    (void)!ftruncate(STDOUT_FILENO, 0);
}

void StateTrial::broken(std::string_view rule, std::string_view shown_call, std::string_view detail)
{
    if (told_.emplace(rule).second)
        reporter_.broken(rule, shown_call, detail);
}

} // namespace senteval::check
