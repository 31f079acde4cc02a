// worker.hpp -- the thread on which the Python of one encoder runs.
//
// Python can be interrupted from another thread only. So the thread that calls the encoder, the only one that
// may ask the host whether to stop, waits and asks while this one works.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace senteval::python {

class Worker {
public:
    Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    Worker(Worker&&) = delete;
    Worker& operator=(Worker&&) = delete;

    /// Waits for the thread.
    ~Worker();

    /// Runs `job` with the GIL held while no other worker has a job, and throws what it throws. Meanwhile
    /// asks `cancelled` on this thread; once it says so, the runtime's Cancelled is thrown into Python
    /// wherever it is.
    void run(const std::function<void()>& job, const std::function<bool()>& cancelled);

private:
    void work();
    void interrupt();

    std::mutex mutex_;
    std::condition_variable changed_;
    const std::function<void()>* job_ = nullptr; ///< until it is done
    std::exception_ptr thrown_;
    bool ends_ = false;
    unsigned long python_thread_ = 0; ///< its id while a job runs; guarded by the GIL
    std::thread thread_;
};

} // namespace senteval::python
