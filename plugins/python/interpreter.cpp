#include <Python.h>

#include "python/interpreter.hpp"

#include "python/encoding_source.hpp"
#include "python/runtime_source.hpp"

#include <senteval/encoder.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>

namespace senteval::python {
namespace {

/// The interpreter whose packages are used.
std::string program()
{
    namespace fs = std::filesystem;
    if (const char* environment = std::getenv("VIRTUAL_ENV")) {
        const fs::path folder = environment;
        if (fs::exists(folder / "lib" / SENTEVAL_PYTHON_NAME / "site-packages"))
            return folder / "bin" / "python3";
    }
    return SENTEVAL_PYTHON_PROGRAM;
}

void check(const PyStatus& status)
{
    if (PyStatus_Exception(status) != 0)
        throw sdk::Error(SENTEVAL_UNSUPPORTED,
                         std::string("Python does not start: ") +
                             (status.err_msg != nullptr ? status.err_msg : "unknown reason"));
}

/// The module takes Ctrl-C for itself when it is first imported, in the middle of a script's call as a rule
/// (torch imports it): it is imported here, and Ctrl-C given back.
void import_signal()
{
    struct sigaction before = {};
    sigaction(SIGINT, nullptr, &before);
    Py_XDECREF(PyImport_ImportModule("signal"));
    PyErr_Clear();
    sigaction(SIGINT, &before, nullptr);
}

void initialise()
{
    PyPreConfig before;
    PyPreConfig_InitPythonConfig(&before);
    before.configure_locale = 0;
    before.coerce_c_locale = 0;
    before.utf8_mode = 1;
    before.parse_argv = 0;
    check(Py_PreInitialize(&before));

    PyConfig config;
    PyConfig_InitPythonConfig(&config);
    const std::unique_ptr<PyConfig, decltype(&PyConfig_Clear)> clear(&config, &PyConfig_Clear);
    config.install_signal_handlers = 0;
    config.parse_argv = 0;
    check(PyConfig_SetBytesString(&config, &config.program_name, program().c_str()));
    check(Py_InitializeFromConfig(&config));
    import_signal();
    PyEval_SaveThread();
}

/// What the current Python exception says; clears it.
std::string take_exception()
{
    PyObject* type = nullptr;
    PyObject* value = nullptr;
    PyObject* trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    PyObject* const text = value != nullptr ? PyObject_Str(value) : nullptr;
    const char* const bytes = text != nullptr ? PyUnicode_AsUTF8(text) : nullptr;
    std::string what = bytes != nullptr ? bytes : "unknown reason";
    PyErr_Clear();
    for (PyObject* object : {text, type, value, trace})
        Py_XDECREF(object);
    return what;
}

/// Needs the GIL.
PyObject* load_module(const std::string& name, std::string_view source)
{
    const std::string file = "<senteval>/" + name + ".py";
    PyObject* const code =
        Py_CompileString(std::string(source).c_str(), file.c_str(), Py_file_input);
    PyObject* const module =
        code != nullptr ? PyImport_ExecCodeModuleEx(name.c_str(), code, file.c_str()) : nullptr;
    Py_XDECREF(code);
    if (module == nullptr)
        throw sdk::Error(SENTEVAL_INTERNAL, "Python refuses " + file + ": " + take_exception());
    return module;
}

/// Needs the GIL.
PyObject* load_runtime()
{
    PyObject* const numpy = PyImport_ImportModule("numpy");
    if (numpy == nullptr)
        throw sdk::Error(SENTEVAL_UNSUPPORTED, "NumPy is needed, and Python " PY_VERSION " (" +
                                                   program() +
                                                   ") cannot import it: " + take_exception() +
                                                   " (on Debian: apt install python3-numpy)");
    Py_DECREF(numpy);
    load_module("_senteval_encoding", encoding_source);
    return load_module("_senteval_runtime", runtime_source);
}

// The interpreter is the process's, and so is what belongs to it.
std::mutex start;
PyObject* runtime = nullptr;

} // namespace

void start_interpreter()
{
    const std::lock_guard lock(start);
    if (Py_IsInitialized() == 0)
        initialise();
    if (runtime != nullptr)
        return;
    struct Gil {
        PyGILState_STATE state = PyGILState_Ensure();
        Gil() = default;
        Gil(const Gil&) = delete;
        Gil& operator=(const Gil&) = delete;
        ~Gil() { PyGILState_Release(state); }
    } const gil;
    runtime = load_runtime();
}

void* runtime_module()
{
    return runtime;
}

} // namespace senteval::python
