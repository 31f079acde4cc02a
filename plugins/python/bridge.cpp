// bridge.cpp -- the part of the encoder `python` that is linked to Python: a plugin of its own, which
// plugin.cpp loads when the first instance is made. What a script is and how it is run: runtime.py.
#include "python/description.hpp"
#include "python/interpreter.hpp"
#include "python/worker.hpp"

#include <pybind11/pybind11.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace senteval::python {
namespace {

namespace py = pybind11;

std::string read_script_path(const sdk::Params& params)
{
    auto path = params.require<std::string>("script");
    if (!std::filesystem::is_regular_file(path))
        throw sdk::Error(SENTEVAL_NOT_FOUND, "parameter 'script': there is no file '" + path + "'");
    return path;
}

py::module_ runtime()
{
    return py::reinterpret_borrow<py::module_>(static_cast<PyObject*>(runtime_module()));
}

/// What Python threw, as the host is told it. Needs the GIL.
sdk::Error to_error(py::error_already_set& error)
{
    if (error.matches(runtime().attr("Cancelled")))
        return sdk::Cancelled();
    if (error.trace())
        PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
    const bool by_user = error.matches(runtime().attr("Error"));
    return {by_user ? SENTEVAL_INVALID_ARGUMENT : SENTEVAL_INTERNAL,
            runtime().attr("describe")(error.value()).cast<std::string>()};
}

/// Does a job with the GIL held; nothing that it throws has to do with Python.
template <typename Job>
void translated(const Job& job)
{
    try {
        job();
        runtime().attr("flush")();
    } catch (py::error_already_set& error) {
        std::optional<sdk::Error> told;
        try {
            told = to_error(error);
        } catch (const py::error_already_set& again) {
            told =
                again.matches(runtime().attr("Cancelled"))
                    ? sdk::Cancelled()
                    : sdk::Error(SENTEVAL_INTERNAL, "Python failed, and failed again to say why");
        }
        throw sdk::Error(*told);
    }
}

py::list to_list(const sdk::Batch& batch)
{
    py::list list(batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i)
        list[i] = py::str(batch[i].data(), batch[i].size());
    return list;
}

/// `vectors` is what encoding.to_matrix() makes.
void copy_rows(const py::buffer& vectors, const sdk::Matrix& out)
{
    const py::buffer_info info = vectors.request();
    const auto rows = static_cast<std::size_t>(info.shape.at(0));
    const auto cols = static_cast<std::size_t>(info.shape.at(1));
    if (rows != out.rows() || cols != out.cols())
        throw sdk::Error(SENTEVAL_INTERNAL, "the script made " + std::to_string(rows) +
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

    explicit ScriptEncoder(const sdk::Setup& setup)
        : whole_sentences_(
              setup.params.choice<bool>("style", {{"senteval", false}, {"encode", true}})),
          batch_invariant_(setup.params.get("batch_invariant", false))
    {
        const std::string path = read_script_path(setup.params);
        const std::string object = setup.params.get("object", "");
        const auto arguments = setup.params.all<std::string>("args");
        try {
            perform(&setup.call, [&] {
                py::list list;
                for (const std::string& one : arguments)
                    list.append(one);
                script_ = runtime().attr("Script")(path, whole_sentences_, object, list);
                script_.attr("load")();
                identity_ = script_.attr("identity")().cast<std::string>();
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
            script_.attr("prepare")(std::string(task.name), to_list(samples), samples.tokenised());
        });
    }

    [[nodiscard]] std::size_t dimension() const
    {
        std::size_t width = 0;
        perform(nullptr, [&] { width = script_.attr("dimension")().cast<std::size_t>(); });
        return width;
    }

    void encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out)
    {
        if (batch.empty())
            return;
        perform(&call, [&] {
            copy_rows(script_.attr("encode")(to_list(batch), batch.tokenised()).cast<py::buffer>(),
                      out);
        });
    }

    [[nodiscard]] const std::string& identity() const { return identity_; }
    [[nodiscard]] bool ignores_prepare() const { return whole_sentences_; }
    [[nodiscard]] std::uint32_t capabilities() const
    {
        return batch_invariant_ ? descriptor.capabilities : 0;
    }

private:
    template <typename Job>
    void perform(const sdk::Call* call, const Job& job) const
    {
        Worker::of_process().run([&] { translated(job); },
                                 [&] { return call != nullptr && call->cancelled(); });
    }

    /// Python's objects die where Python runs.
    void forget() noexcept
    {
        try {
            Worker::of_process().run(
                [&] {
                    const py::object script = std::move(script_);
                    if (script)
                        translated([&] { script.attr("close")(); });
                },
                [] { return false; });
        } catch (const sdk::Error&) { // of an object's end there is nobody to tell
        }
    }

    bool whole_sentences_;
    bool batch_invariant_;
    std::string identity_;
    py::object script_;
};

} // namespace
} // namespace senteval::python

SENTEVAL_PLUGIN(senteval::python::ScriptEncoder);
