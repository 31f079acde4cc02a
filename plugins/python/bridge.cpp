// bridge.cpp -- the part of the encoder `python` that is linked to Python: a plugin of its own, which
// plugin.cpp loads when the first instance is made. What a script is and how it is run: runtime.py.
#include "python/description.hpp"
#include "python/interpreter.hpp"
#include "python/worker.hpp"

#include <pybind11/functional.h>
#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace senteval::python {
namespace {

namespace py = pybind11;

std::string read_script_path(const sdk::Params& params)
{
    const auto path = params.require<std::string>("script");
    if (!std::filesystem::is_regular_file(path))
        throw sdk::Error(SENTEVAL_NOT_FOUND, "parameter 'script': there is no file '" + path + "'");
    return path;
}

/// What Python threw, as the host is told it. Needs the GIL.
[[noreturn]] void pass_on(py::error_already_set& error, const py::module_& runtime)
{
    if (error.matches(runtime.attr("Cancelled")))
        throw sdk::Cancelled();
    if (error.trace())
        PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
    const auto what = runtime.attr("describe")(error.value()).cast<std::string>();
    throw sdk::Error(
        error.matches(runtime.attr("Error")) ? SENTEVAL_INVALID_ARGUMENT : SENTEVAL_INTERNAL, what);
}

py::list to_list(const sdk::Batch& batch)
{
    py::list list(batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i)
        list[i] = py::str(batch[i].data(), batch[i].size());
    return list;
}

/// `vectors` is what runtime.to_matrix() makes.
void copy_rows(const py::buffer& vectors, const sdk::Matrix& out)
{
    const py::buffer_info info = vectors.request();
    const auto rows = static_cast<std::size_t>(info.shape.at(0));
    const auto cols = static_cast<std::size_t>(info.shape.at(1));
    if (rows != out.rows() || cols != out.cols())
        throw sdk::Error(SENTEVAL_INTERNAL, "the script returned " + std::to_string(rows) +
                                                " vectors of length " + std::to_string(cols) +
                                                ", not " + std::to_string(out.rows()) +
                                                " of length " + std::to_string(out.cols()));
    const auto* values = static_cast<const float*>(info.ptr);
    for (std::size_t i = 0; i < rows; ++i)
        std::copy_n(values + i * cols, cols, out.row(i).data());
}

class ScriptEncoder {
public:
    static constexpr sdk::Descriptor descriptor = python::descriptor;
    static constexpr const auto& params = python::parameters;

    explicit ScriptEncoder(const sdk::Setup& setup) : host_(setup.host)
    {
        const std::string path = read_script_path(setup.params);
        const std::string style = setup.params.choice<const char*>(
            "style", {{"senteval", "senteval"}, {"encode", "encode"}});
        const std::string object = setup.params.get("object", "");
        const auto arguments = setup.params.all<std::string>("args");
        start_interpreter();
        worker_.emplace();
        try {
            perform(&setup.call, [&] {
                py::list list;
                for (const std::string& one : arguments)
                    list.append(one);
                tell_host_ =
                    py::cpp_function([host = host_](const std::string& line) { host.info(line); });
                script_ = runtime().attr("Script")(path, style, object, list);
                const Printing printing(*this);
                script_.attr("load")();
            });
        } catch (...) {
            forget();
            throw;
        }
    }
    ScriptEncoder(const ScriptEncoder&) = delete;
    ScriptEncoder& operator=(const ScriptEncoder&) = delete;
    ~ScriptEncoder() { forget(); }

    void prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch samples)
    {
        perform(&call, [&] {
            const Printing printing(*this);
            script_.attr("prepare")(std::string(task.name), to_list(samples), samples.tokenised());
        });
    }

    [[nodiscard]] std::size_t dimension() const
    {
        std::size_t width = 0;
        perform(nullptr, [&] {
            const Printing printing(*this);
            width = script_.attr("dimension")().cast<std::size_t>();
        });
        return width;
    }

    void encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out)
    {
        if (batch.empty())
            return;
        perform(&call, [&] {
            const Printing printing(*this);
            copy_rows(script_.attr("encode")(to_list(batch), batch.tokenised()).cast<py::buffer>(),
                      out);
        });
    }

private:
    /// While it lives, what Python prints goes to the log of this encoder.
    class Printing {
    public:
        explicit Printing(const ScriptEncoder& encoder)
        {
            runtime().attr("redirect")(encoder.tell_host_);
        }
        Printing(const Printing&) = delete;
        Printing& operator=(const Printing&) = delete;
        ~Printing()
        {
            const py::error_scope kept; // of the call that failed
            try {
                runtime().attr("redirect")(py::none());
            } catch (py::error_already_set& error) {
                error.discard_as_unraisable("senteval: redirect");
            }
        }
    };

    static py::module_ runtime()
    {
        return py::reinterpret_borrow<py::module_>(static_cast<PyObject*>(runtime_module()));
    }

    template <typename Job>
    void perform(const sdk::Call* call, const Job& job) const
    {
        worker_->run(
            [&] {
                try {
                    job();
                } catch (py::error_already_set& error) {
                    pass_on(error, runtime());
                }
            },
            [&] { return call != nullptr && call->cancelled(); });
    }

    /// Python's objects die where Python runs.
    void forget()
    {
        perform(nullptr, [&] {
            script_ = {};
            tell_host_ = {};
        });
        worker_.reset();
    }

    sdk::Host host_;
    mutable std::optional<Worker> worker_;
    py::object tell_host_;
    py::object script_;
};

} // namespace
} // namespace senteval::python

SENTEVAL_PLUGIN(senteval::python::ScriptEncoder);
