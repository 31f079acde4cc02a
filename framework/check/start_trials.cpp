// An ordinary run, and what get_extension() answers with.
#include "check/trials.hpp"

#include <fmt/format.h>

#include <cstddef>

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

/// SENTEVAL_CAP_* that the instance says it keeps: all, where it says nothing.
std::uint32_t claims_of(Bench& bench, const Instance& instance)
{
    std::uint32_t claims = ~std::uint32_t{0};
    const senteval_encoder& encoder = bench.encoder();
    if (encoder.get_extension != nullptr)
        bench.call_plain("capabilities()", [&] {
            const auto* identity = static_cast<const senteval_identity*>(
                encoder.get_extension(&encoder, SENTEVAL_IDENTITY_EXTENSION));
            if (identity != nullptr && SENTEVAL_HAS(identity, senteval_identity, capabilities) &&
                identity->capabilities != nullptr)
                claims = identity->capabilities(instance.raw());
        });
    return claims;
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
        bench.report().stop(create_failed(bench, reply));
        return;
    }
    if (!reply.done())
        return;
    bench.report().result(claims_of(bench, *instance));
    bench.step("4.2", "prepare(" + samples.shown() + ") and dimension()");
    const Reply prepared = instance->prepare(samples);
    if (prepared.refused() && prepared.status != SENTEVAL_INTERNAL) {
        bench.report().stop(
            (bench.texts().are_free()
                 ? "prepare() has no vectors for ordinary sentences (--sentences FILE names those "
                   "that it has vectors for): "
                 : "prepare() has no vectors for sentences that it is said to know: ") +
            prepared.reason);
        return;
    }
    instance->ready_for(samples);
    bench.step("4.2", "batcher(" + samples.shown() + ")");
    (void)instance->encode(samples);
    std::size_t again = 0;
    bench.require(instance->dimension(again), "dimension()");
    if (again != instance->cols())
        bench.broken("9.3", fmt::format("the dimension is {} after a batch, and was {} before",
                                        again, instance->cols()));
    const Sentences one({bench.texts().ordinary().front()});
    bench.step("4.2", "batcher(" + one.shown() + ")");
    (void)instance->encode(one);
    bench.step("4.2", "prepare() for a task whose language is not known");
    (void)instance->prepare(samples, nullptr);
    bench.step("4.2", "destroy()");
    instance.reset();
}

namespace {

const void* ask(Bench& bench, const char* id)
{
    const void* first = nullptr;
    const void* second = nullptr;
    bench.step("13.1", fmt::format("get_extension(\"{}\")", id));
    bench.call_plain("get_extension()", [&] {
        first = bench.encoder().get_extension(&bench.encoder(), id);
        second = bench.encoder().get_extension(&bench.encoder(), id);
    });
    if (first != second)
        bench.broken("it answers with another pointer the second time");
    return first;
}

/// Whether a struct of this name is as large as it has to be.
bool has_size(Bench& bench, const char* name, std::uint32_t size, std::size_t at_least)
{
    bench.step("1.4", name);
    if (size < at_least || size % 8 != 0)
        bench.broken(fmt::format("struct_size is {}", size));
    return size >= at_least && size % 8 == 0;
}

void try_vocabulary(Bench& bench, const senteval_vocabulary& vocabulary)
{
    if (!has_size(bench, "senteval_vocabulary", vocabulary.struct_size,
                  sizeof(senteval_vocabulary)) ||
        vocabulary.count_known == nullptr)
        return;
    const Sentences samples(bench.texts().ordinary());
    auto instance = bench.create_for(samples);
    const std::size_t count = samples.size();
    constexpr std::uint32_t untouched = 0xbeefbeefU;
    std::vector<std::uint32_t> tokens(count + 1, untouched);
    std::vector<std::uint32_t> known(count + 1, untouched);
    bench.step("13.2", "count_known(" + samples.shown() + ")");
    const senteval_batch batch = samples.batch();
    bench.require(bench.call("count_known()", {},
                             [&](const senteval_call* call) {
                                 return vocabulary.count_known(call, instance->raw(), &batch,
                                                               tokens.data(), known.data());
                             }),
                  "count_known()");
    if (tokens.back() != untouched || known.back() != untouched)
        bench.broken(fmt::format("it wrote more than {} numbers", count));
    for (std::size_t i = 0; i < count; ++i)
        if (tokens[i] == untouched || known[i] > tokens[i]) {
            bench.broken(fmt::format("of {} it knows {} of {} tokens", shown(samples[i]), known[i],
                                     tokens[i]));
            return;
        }
}

std::string state_of(Bench& bench, const senteval_identity& identity)
{
    auto instance = bench.create();
    senteval_string json{nullptr, 0};
    bench.require(bench.call("state()", {},
                             [&](const senteval_call* call) {
                                 return identity.state(call, instance->raw(), &json);
                             }),
                  "state()");
    constexpr std::size_t most = std::size_t{1} << 20U;
    if (json.size > most) {
        bench.broken(fmt::format("it has {} bytes; at most {} are allowed", json.size, most));
        throw TrialEnded{};
    }
    return json.size == 0 ? std::string() : std::string(json.data, json.size);
}

void try_identity(Bench& bench, const senteval_identity& identity)
{
    constexpr std::size_t first_version =
        offsetof(senteval_identity, ignores_prepare) + sizeof(identity.ignores_prepare);
    if (!has_size(bench, "senteval_identity", identity.struct_size, first_version) ||
        identity.state == nullptr)
        return;
    bench.step("13.3", "the identity's state()");
    const std::string first = state_of(bench, identity);
    if (!core::Json::accept(first))
        bench.broken("it is not JSON: " + shown(first));
    else if (const std::string second = state_of(bench, identity); second != first)
        bench.broken(fmt::format("it is {}, and was {}", shown(second), shown(first)));
}

} // namespace

void try_extensions(Bench& bench)
{
    if (bench.encoder().get_extension == nullptr)
        return;
    if (ask(bench, "org.example.no-such-extension/7") != nullptr)
        bench.broken("it knows an id that means nothing");
    if (const auto* vocabulary =
            static_cast<const senteval_vocabulary*>(ask(bench, SENTEVAL_VOCABULARY_EXTENSION)))
        try_vocabulary(bench, *vocabulary);
    if (const auto* identity =
            static_cast<const senteval_identity*>(ask(bench, SENTEVAL_IDENTITY_EXTENSION)))
        try_identity(bench, *identity);
}

} // namespace senteval::check
