// python.hpp -- scripts that come with the program, run by the user's Python.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::base {

/// The Python that the user names, else that which started this program, that of the virtual or Conda environment, or the first
/// along PATH: the rule of the encoder `python`.
std::string python_program(const std::string& given);

struct PythonScript {
    std::string_view text;
    std::vector<std::string> arguments = {};
    std::string program = {};  ///< as the user names it
    std::stop_token stop = {}; ///< ends it
};

/// Runs a script, and gives what it prints to `receive` as it comes. Returns its exit status. Throws UsageError where Python
/// cannot be started, Error where it is killed, Cancelled.
int run_python(const PythonScript& script, const std::function<void(std::string_view)>& receive);

} // namespace senteval::base
