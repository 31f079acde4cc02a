// An ordinary run, and what it does to the process.
#include "check/trials.hpp"

#include <fmt/format.h>

namespace senteval::check {
namespace {

std::string create_failed(const Bench& bench, const Reply& reply)
{
    const char* const what = reply.status == SENTEVAL_NOT_FOUND
                                 ? "create() does not find what it needs"
                                 : "create() refuses the parameters";
    std::string given;
    for (const Setting& setting : bench.settings())
        given += (given.empty() ? " (given: " : ", ") + setting.key;
    return fmt::format("{}: {}{}", what, reply.reason, given.empty() ? "" : given + ")");
}

} // namespace

void try_start(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    bench.step("4.2", "create()");
    std::unique_ptr<Instance> instance;
    const Reply reply = bench.create(bench.settings(), instance);
    if (reply.refused()) {
        if (!reply.refused_a_value())
            bench.broken("8.5", reply.failure());
        bench.reporter().stop(create_failed(bench, reply));
        return;
    }
    if (!reply.done())
        return;
    bench.step("4.2", "prepare(" + samples.shown() + ") and dimension()");
    const Reply prepared = instance->prepare(samples);
    if (prepared.refused() && prepared.status != SENTEVAL_INTERNAL) {
        bench.reporter().stop(
            (bench.texts().are_free()
                 ? "prepare() has no vectors for ordinary sentences (--sentences FILE names those "
                   "that it has vectors for): "
                 : "prepare() has no vectors for sentences that it is said to know: ") +
            prepared.reason);
        return;
    }
    instance->ready_for(samples);
    bench.step("10.1", "batcher(" + samples.shown() + ")");
    bench.reporter().doing("4.2", "batcher(" + samples.shown() + ")");
    (void)instance->encode(samples);
    std::size_t again = 0;
    bench.require(instance->dimension(again), "dimension()");
    if (again != instance->cols())
        bench.broken("9.3", fmt::format("the dimension is {} after a batch, and was {} before",
                                        again, instance->cols()));
    const Sentences one({bench.texts().ordinary().front()});
    bench.step("10.1", "batcher(" + one.shown() + ")");
    bench.reporter().doing("4.2", "batcher(" + one.shown() + ")");
    (void)instance->encode(one);
    bench.step("4.2", "destroy()");
    instance.reset();
}

void try_process_state(Bench& bench)
{
    bench.step("6.7", "an ordinary run");
    const Sentences samples(bench.texts().ordinary());
    auto instance = bench.create();
    instance->ready_for(samples);
    for (int batch = 0; batch < 3; ++batch)
        (void)instance->encode(samples);
    bench.step("4.2", "prepare() for a task whose language is not known");
    (void)instance->prepare(samples, nullptr);
    instance.reset();
}

} // namespace senteval::check
