// An ordinary run, and what it does to the process.
#include "check/trials.hpp"

#include "encoder/process_state.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>

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

/// Compares the state of process and thread after each function.
class StateTrial {
public:
    explicit StateTrial(Bench& bench) : bench_(bench)
    {
        for (int number = 0; number < streams; ++number)
            fstat(number, &streams_[static_cast<std::size_t>(number)]);
    }

    void after(const char* function)
    {
        std::vector<encoder::Disturbance> found;
        thread_.restore(found);
        process_.restore(found);
        for (const encoder::Disturbance& one : found)
            bench_.reporter().broken(one.rule, function, one.what);
        std::fflush(stdout);
        for (int number = 0; number < streams; ++number) {
            struct stat now {};
            const struct stat& before = streams_[static_cast<std::size_t>(number)];
            if (fstat(number, &now) != 0 || now.st_dev != before.st_dev ||
                now.st_ino != before.st_ino)
                bench_.reporter().broken("6.6", function,
                                         fmt::format("descriptor {} is not what it was", number));
        }
        std::array<char, 60> printed{};
        const ssize_t size = pread(STDOUT_FILENO, printed.data(), printed.size(), 0);
        if (size > 0)
            bench_.reporter().broken(
                "6.6", function,
                "wrote " + shown({printed.data(), static_cast<std::size_t>(size)}) + " to stdout");
        (void)!ftruncate(STDOUT_FILENO, 0);
    }

private:
    static constexpr int streams = 3;

    Bench& bench_;
    encoder::ThreadState thread_;
    encoder::ProcessState process_;
    std::array<struct stat, streams> streams_{};
};

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
    std::fflush(stdout);
    const int memory = memfd_create("stdout", MFD_CLOEXEC);
    if (memory < 0 || dup2(memory, STDOUT_FILENO) < 0)
        return;
    StateTrial state(bench);
    const Sentences samples(bench.texts().ordinary());
    auto instance = bench.create();
    state.after("create()");
    (void)instance->prepare(samples);
    state.after("prepare()");
    instance->ready_for(samples);
    state.after("dimension()");
    for (int batch = 0; batch < 3; ++batch) {
        (void)instance->encode(samples);
        state.after("batcher()");
    }
    instance.reset();
    state.after("destroy()");
}

} // namespace senteval::check
