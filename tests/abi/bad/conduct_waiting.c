/* Instances that keep others from going on: their check takes as long as it may. */
#include "correct.h"

#include <pthread.h>
#include <time.h>

static pthread_mutex_t only_one = PTHREAD_MUTEX_INITIALIZER;
CREATE(locking_create)
{
    pthread_mutex_lock(&only_one);
    const senteval_status status = CREATED;
    if (status != SENTEVAL_OK)
        pthread_mutex_unlock(&only_one);
    return status;
}
static void unlocking_destroy(senteval_instance* self)
{
    pthread_mutex_unlock(&only_one);
    correct_destroy(self);
}
BAD(waits_for_another_instance, "5.1", .create = locking_create, .destroy = unlocking_destroy)
CREATE(patient_create)
{
    while (pthread_mutex_trylock(&only_one) != 0) {
        if (call->is_cancelled(call))
            return SENTEVAL_CANCELLED;
        const struct timespec moment = {.tv_sec = 0, .tv_nsec = 10000000};
        nanosleep(&moment, NULL);
    }
    const senteval_status status = CREATED;
    if (status != SENTEVAL_OK)
        pthread_mutex_unlock(&only_one);
    return status;
}
BAD(asks_while_it_waits_for_another_instance,
    "5.1",
    .create = patient_create,
    .destroy = unlocking_destroy)
