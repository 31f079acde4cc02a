#include "base/python.hpp"

#include "base/descriptor.hpp"
#include "base/error.hpp"

#include <senteval/child.hpp>

#include <fmt/format.h>

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

namespace senteval::base {

std::string python_program(const std::string& given)
{
    if (!given.empty())
        return given;
    if (const char* starter = std::getenv("SENTEVAL_PYTHON"))
        return starter;
    for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
        if (const char* environment = std::getenv(name)) {
            const auto program = std::filesystem::path(environment) / "bin" / "python3";
            if (std::filesystem::exists(program))
                return program.string();
        }
    return "python3";
}

int run_python(const PythonScript& script, const std::function<void(std::string_view)>& receive)
{
    Pipe output;
    sdk::ChildCommand command;
    command.words = {python_program(script.program), "-X", "utf8", "-c", std::string(script.text)};
    command.words.insert(command.words.end(), script.arguments.begin(), script.arguments.end());
    command.descriptors = {{output.writing.number(), STDOUT_FILENO}};
    std::optional<sdk::Child> child;
    try {
        child.emplace(command);
    } catch (const std::system_error& e) {
        throw UsageError(
            "{}. Name a Python: --python PATH, or SENTEVAL_PYTHON=PATH in the environment",
            e.what());
    }
    output.writing.close();
    std::vector<char> block(std::size_t{1} << 16U);
    for (;;) {
        if (script.stop.stop_requested())
            throw Cancelled();
        pollfd ready{output.reading.number(), POLLIN, 0};
        if (poll(&ready, 1, script.stop.stop_possible() ? 100 : -1) <= 0)
            continue;
        const ssize_t size = read(output.reading.number(), block.data(), block.size());
        if (size == 0 || (size < 0 && errno != EINTR))
            break;
        if (size > 0)
            receive({block.data(), static_cast<std::size_t>(size)});
    }
    const sdk::ChildEnding ending = child->end(std::chrono::seconds(10));
    if (ending.signal() != 0 || !ending.known)
        throw Error("'{}' {}", command.words.front(), ending.text());
    return WEXITSTATUS(ending.status);
}

} // namespace senteval::base
