// What throws, for conduct_errors.c.
#include <senteval/encoder.h>

#include <stdexcept>
#include <thread>

extern "C" {

senteval_status
throw_in_batcher(const senteval_call*, senteval_instance*, const senteval_batch*, senteval_matrix*)
{
    throw 42;
}

senteval_status
throw_on_a_thread(const senteval_call*, senteval_instance*, const senteval_batch*, senteval_matrix*)
{
    std::thread([] { throw std::runtime_error("thrown on a thread"); }).join();
    return SENTEVAL_OK;
}
}
