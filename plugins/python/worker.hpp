// worker.hpp -- the thread on which the Python of all instances runs.
//
// Python can be interrupted from another thread only. So the thread that calls the encoder, the only one that
// may ask the host whether to stop, waits and asks while this one works. It starts the interpreter, too, and
// stays as long as it does: Python has a main thread, on which alone scripts may set signal handlers.
#pragma once

#include "python/signal_handlers.hpp"

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>

namespace senteval::python {

class Worker {
public:
    /// Started with the first call, never ended, as the interpreter.
    static Worker& of_process();

    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    Worker(Worker&&) = delete;
    Worker& operator=(Worker&&) = delete;
    ~Worker() = delete;

    /// Runs `job` with the GIL held when the jobs before it are done, and throws what it throws, or what
    /// start_interpreter() does. Meanwhile asks `cancelled` on this thread; once it says so, the runtime's
    /// Cancelled is thrown into Python wherever it is.
    void run(const std::function<void()>& job, const std::function<bool()>& cancelled);

private:
    struct Request {
        const std::function<void()>& job;
        std::exception_ptr thrown = {};
        bool is_done = false;
    };

    Worker();
    void work();
    void perform(Request& request);
    void interrupt(const Request& request);

    std::mutex mutex_;
    std::condition_variable changed_;
    Request* next_ = nullptr;          ///< taken up when it is the worker's
    const Request* current_ = nullptr; ///< in Python; guarded by the GIL
    unsigned long python_thread_ = 0;  ///< guarded by the GIL
    bool has_thread_state_ = false;    ///< the worker's, that of its thread
    ScriptSignals signals_;
};

} // namespace senteval::python
