// interpreter.hpp -- CPython inside this process: started once, never ended (NumPy cannot be started twice).
#pragma once

#include <memory>

namespace senteval::python {

/// Starts the interpreter, unless the process is Python already, and its part of this encoder
/// (runtime.py). Leaves the locale, the signal handlers and the working directory as they are, and
/// nobody holding the GIL. Packages are those of the active virtual environment ($VIRTUAL_ENV) if it is of
/// this version of Python, else those of the system. Throws sdk::Error with what to install.
void start_interpreter();

/// The module made of runtime.py, a borrowed PyObject*. Only after start_interpreter().
void* runtime_module();

} // namespace senteval::python
