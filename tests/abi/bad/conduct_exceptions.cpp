// What throws, for conduct_errors.c.
#include <senteval/encoder.h>

#include <stdexcept>
#include <thread>

extern "C" {

senteval_status throw_in_create(
    const senteval_call*, const senteval_host*, const senteval_param*, size_t, senteval_instance**)
{
    throw std::runtime_error("thrown in create");
}

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
