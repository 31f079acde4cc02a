#include <Python.h>

#include "python/worker.hpp"

#include "python/interpreter.hpp"

#include <senteval/encoder.hpp>

#include <chrono>
#include <thread>
#include <utility>

namespace senteval::python {
namespace {

/// How often the host is asked whether to stop.
constexpr auto interval = std::chrono::milliseconds(50);

/// The GIL, and this thread's state; what Python keeps by thread lasts from job to job.
class Gil {
public:
    Gil() : state_(PyGILState_Ensure()) {}
    Gil(const Gil&) = delete;
    Gil& operator=(const Gil&) = delete;
    Gil(Gil&&) = delete;
    Gil& operator=(Gil&&) = delete;
    ~Gil() { PyGILState_Release(state_); }

private:
    PyGILState_STATE state_;
};

/// For the life of the thread.
void keep_thread_state()
{
    PyGILState_Ensure();
    PyEval_SaveThread();
}

} // namespace

Worker& Worker::of_process()
{
    static Worker& worker = *new Worker; // its thread may be at work when the process ends
    return worker;
}

Worker::Worker()
{
    std::thread([this] { work(); }).detach();
}

void Worker::run(const std::function<void()>& job, const std::function<bool()>& cancelled)
{
    Request request{job};
    bool stop = false;
    std::unique_lock lock(mutex_);
    const auto wait_until = [&](const auto& condition) {
        while (!changed_.wait_for(lock, interval, condition)) {
            lock.unlock();
            stop = stop || cancelled();
            if (stop)
                interrupt(request);
            lock.lock();
        }
    };
    wait_until([&] { return next_ == nullptr; });
    next_ = &request;
    changed_.notify_all();
    wait_until([&] { return request.is_done; });
    if (request.thrown)
        std::rethrow_exception(request.thrown);
}

void Worker::work()
{
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return next_ != nullptr; });
        Request& request = *next_;
        lock.unlock();
        try {
            perform(request);
        } catch (...) {
            request.thrown = std::current_exception();
        }
        lock.lock();
        request.is_done = true;
        next_ = nullptr;
        changed_.notify_all();
    }
}

void Worker::perform(Request& request)
{
    start_interpreter();
    if (std::exchange(has_thread_state_, true) == false)
        keep_thread_state();
    const Gil gil;
    python_thread_ = PyThread_get_thread_ident();
    current_ = &request;
    signals_.enter();
    try {
        request.job();
    } catch (...) {
        request.thrown = std::current_exception();
    }
    signals_.leave();
    current_ = nullptr;
    PyThreadState_SetAsyncExc(python_thread_, nullptr); // it came too late
}

void Worker::interrupt(const Request& request)
{
    if (Py_IsInitialized() == 0)
        return;
    const Gil gil;
    if (current_ != &request)
        return;
    PyObject* const cancelled =
        PyObject_GetAttrString(static_cast<PyObject*>(runtime_module()), "Cancelled");
    PyThreadState_SetAsyncExc(python_thread_, cancelled);
    Py_XDECREF(cancelled);
}

} // namespace senteval::python
