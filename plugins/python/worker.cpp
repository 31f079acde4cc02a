#include <Python.h>

#include "python/worker.hpp"

#include "python/interpreter.hpp"

#include <senteval/encoder.hpp>

#include <chrono>
#include <utility>

namespace senteval::python {
namespace {

/// How often the host is asked whether to stop.
constexpr auto interval = std::chrono::milliseconds(50);

// Of the interpreter, of which the process has one.
std::mutex one_script_at_a_time;

} // namespace

Worker::Worker() : thread_([this] { work(); }) {}

Worker::~Worker()
{
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Worker::run(const std::function<void()>& job, const std::function<bool()>& cancelled)
{
    std::unique_lock lock(mutex_);
    job_ = &job;
    changed_.notify_all();
    bool stop = false;
    while (!changed_.wait_for(lock, interval, [&] { return job_ == nullptr; })) {
        lock.unlock();
        stop = stop || cancelled();
        if (stop)
            interrupt();
        lock.lock();
    }
    if (thrown_)
        std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void Worker::work()
{
    // One state for the life of the thread: what Python keeps by thread lasts from call to call.
    const PyGILState_STATE gil = PyGILState_Ensure();
    PyThreadState* const state = PyEval_SaveThread();
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return job_ != nullptr || ends_; });
        if (job_ == nullptr)
            break;
        lock.unlock();
        std::exception_ptr thrown;
        {
            const std::lock_guard alone(one_script_at_a_time);
            PyEval_RestoreThread(state);
            python_thread_ = PyThread_get_thread_ident();
            try {
                (*job_)();
            } catch (...) {
                thrown = std::current_exception();
            }
            PyThreadState_SetAsyncExc(python_thread_, nullptr); // it came too late
            python_thread_ = 0;
            PyEval_SaveThread();
        }
        lock.lock();
        thrown_ = thrown;
        job_ = nullptr;
        changed_.notify_all();
    }
    lock.unlock();
    PyEval_RestoreThread(state);
    PyGILState_Release(gil);
}

void Worker::interrupt()
{
    const PyGILState_STATE gil = PyGILState_Ensure();
    if (python_thread_ != 0) {
        PyObject* const cancelled =
            PyObject_GetAttrString(static_cast<PyObject*>(runtime_module()), "Cancelled");
        PyThreadState_SetAsyncExc(python_thread_, cancelled);
        Py_XDECREF(cancelled);
    }
    PyGILState_Release(gil);
}

} // namespace senteval::python
