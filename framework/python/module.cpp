// module.cpp -- senteval._senteval: the library's evaluate() for Python.
//
// The evaluation runs on a thread of its own, without the GIL. The thread that Python called waits, and
// calls Python's functions for it: they run where their caller is, where Python delivers Ctrl-C.
#include <senteval/senteval.hpp>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace senteval::module {
namespace {

namespace py = pybind11;

/// How often it is asked whether a signal came.
constexpr auto interval = std::chrono::milliseconds(50);

/// Ends the evaluation where a function of Python failed; Python gets the function's exception.
class FunctionFailed : public std::runtime_error {
public:
    FunctionFailed() : std::runtime_error("a function of Python failed") {}
};

/// The thread that Python called, at the evaluation's service.
class Caller {
public:
    /// Runs `evaluate` on another thread until it ends. Throws what it threw, or what a job or a signal
    /// handler threw. Needs the GIL, which is free in between.
    void serve(const std::function<void(std::stop_token)>& evaluate)
    {
        std::exception_ptr thrown;
        std::thread evaluation([&] {
            try {
                evaluate(stop_.get_token());
            } catch (...) {
                thrown = std::current_exception();
            }
            const std::lock_guard lock(mutex_);
            ended_ = true;
            changed_.notify_all();
        });
        {
            const py::gil_scoped_release release;
            wait_and_work();
            evaluation.join();
        }
        if (failure_)
            std::rethrow_exception(failure_);
        if (thrown)
            std::rethrow_exception(thrown);
    }

    /// Has a job done, with the GIL held. Called by the evaluation; throws where the job failed.
    void perform(const std::function<void()>& job)
    {
        std::unique_lock lock(mutex_);
        if (failure_)
            throw FunctionFailed();
        job_ = &job;
        changed_.notify_all();
        changed_.wait(lock, [&] { return job_ == nullptr; });
        if (failure_)
            throw FunctionFailed();
    }

private:
    void wait_and_work()
    {
        std::unique_lock lock(mutex_);
        while (!ended_) {
            changed_.wait_for(lock, interval, [&] { return job_ != nullptr || ended_; });
            const std::function<void()>* job = job_;
            lock.unlock();
            std::exception_ptr failed = attempt(job);
            lock.lock();
            if (failed && !failure_) {
                failure_ = std::move(failed);
                stop_.request_stop();
            }
            if (job != nullptr)
                job_ = nullptr;
            changed_.notify_all();
        }
    }

    /// Does the job, if there is one, and lets Python handle signals. After a failure there is no more.
    std::exception_ptr attempt(const std::function<void()>* job) const
    {
        const py::gil_scoped_acquire gil;
        try {
            if (job != nullptr)
                (*job)();
            if (PyErr_CheckSignals() != 0)
                throw py::error_already_set();
        } catch (...) {
            return std::current_exception();
        }
        return nullptr;
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    const std::function<void()>* job_ = nullptr;
    bool ended_ = false;
    std::exception_ptr failure_;
    std::stop_source stop_;
};

py::list to_list(Sentences sentences)
{
    py::list list(sentences.size());
    for (std::size_t i = 0; i < sentences.size(); ++i)
        list[i] = py::str(sentences[i].data(), sentences[i].size());
    return list;
}

/// A float32 array of its own: the function may keep it.
py::object to_array(std::span<const float> vector)
{
    const py::module_ numpy = py::module_::import("numpy");
    const py::bytes bytes(reinterpret_cast<const char*>(vector.data()), vector.size_bytes());
    return numpy.attr("frombuffer")(bytes, numpy.attr("float32")).attr("copy")();
}

struct Functions {
    std::string name, version;
    py::function prepare, measure, encode;
    bool prepare_matters;
    py::object similarity; ///< None: the option's
    py::function warn;
};

Encoder make_encoder(const Functions& python, Caller& caller)
{
    Encoder encoder;
    encoder.name = python.name;
    encoder.version = python.version;
    encoder.prepare_matters = python.prepare_matters;
    encoder.prepare = [&](std::string_view task, Sentences sentences) {
        caller.perform([&] { python.prepare(std::string(task), to_list(sentences)); });
    };
    encoder.measure = [&] {
        std::size_t dimension = 0;
        caller.perform([&] { dimension = python.measure().cast<std::size_t>(); });
        return dimension;
    };
    encoder.encode = [&](Sentences sentences, std::span<float> vectors) {
        caller.perform([&] {
            const auto rows = python.encode(to_list(sentences)).cast<py::buffer>();
            const py::buffer_info info = rows.request();
            if (static_cast<std::size_t>(info.size) != vectors.size())
                throw std::logic_error("as many vectors as sentences were expected");
            std::copy_n(static_cast<const float*>(info.ptr), vectors.size(), vectors.data());
        });
    };
    return encoder;
}

Similarity make_similarity(const Functions& python, Caller& caller)
{
    if (python.similarity.is_none())
        return {};
    return [&](std::span<const float> u, std::span<const float> v) {
        double value = 0;
        caller.perform([&] {
            const py::object found = python.similarity(to_array(u), to_array(v));
            value = py::float_(found);
        });
        return value;
    };
}

/// senteval.Error with the message.
[[noreturn]] void raise(const std::string& what)
{
    PyErr_SetString(py::module_::import("senteval.encoding").attr("Error").ptr(), what.c_str());
    throw py::error_already_set();
}

std::vector<Result> evaluate_task(const std::string& task,
                                  const std::string& name,
                                  const std::string& version,
                                  const std::string& data,
                                  const std::vector<std::pair<std::string, std::string>>& options,
                                  std::size_t batch_size,
                                  unsigned threads,
                                  const std::string& output,
                                  bool allow_unverified,
                                  bool prepare_matters,
                                  const py::function& prepare,
                                  const py::function& measure,
                                  const py::function& encode,
                                  const py::object& similarity,
                                  const py::function& warn)
{
    const Functions python{name,   version,         prepare,    measure,
                           encode, prepare_matters, similarity, warn};
    Caller caller;
    const Encoder encoder = make_encoder(python, caller);
    Settings settings{.data = data,
                      .tasks = {task},
                      .options = options,
                      .similarity = make_similarity(python, caller),
                      .threads = threads,
                      .batch_size = batch_size,
                      .output = output,
                      .allow_unverified = allow_unverified};
    Observer observer;
    observer.warning = [&](std::string_view what) {
        caller.perform([&] { python.warn("%s", std::string(what)); });
    };
    Results results;
    try {
        caller.serve([&](std::stop_token stop) {
            settings.stop = std::move(stop);
            results = evaluate(encoder, settings, observer);
        });
    } catch (const Error& error) {
        raise(error.what());
    }
    if (!results.failures.empty())
        raise(task + ": " + results.failures.front().why);
    return std::move(results.results);
}

} // namespace
} // namespace senteval::module

PYBIND11_MODULE(_senteval, m)
{
    namespace py = pybind11;
    using senteval::Item;
    using senteval::Result;
    py::class_<Item>(m, "Item")
        .def_readonly("group", &Item::group)
        .def_readonly("gold", &Item::gold)
        .def_readonly("prediction", &Item::prediction)
        .def_readonly("tokens_first", &Item::tokens_first)
        .def_readonly("tokens_second", &Item::tokens_second);
    py::class_<Result>(m, "Result")
        .def_readonly("document", &Result::document)
        .def_readonly("items", &Result::items);
    m.def("evaluate", &senteval::module::evaluate_task, py::kw_only(), py::arg("task"),
          py::arg("name"), py::arg("version"), py::arg("data"), py::arg("options"),
          py::arg("batch_size"), py::arg("threads"), py::arg("output"), py::arg("allow_unverified"),
          py::arg("prepare_matters"), py::arg("prepare"), py::arg("measure"), py::arg("encode"),
          py::arg("similarity"), py::arg("warn"));
}
