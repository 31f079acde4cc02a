// get_extension() and what it answers with.
#include "check/trials.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace senteval::check {
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

void try_vocabulary(Bench& bench, const senteval_vocabulary& vocabulary)
{
    bench.step("1.4", "senteval_vocabulary");
    if (vocabulary.struct_size < sizeof(senteval_vocabulary) || vocabulary.struct_size % 8 != 0) {
        bench.broken(fmt::format("struct_size is {}", vocabulary.struct_size));
        return;
    }
    if (vocabulary.count_known == nullptr)
        return;
    const Sentences samples(bench.texts().ordinary());
    auto instance = bench.instance_for(samples);
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
    for (std::size_t i = 0; i < count; ++i) {
        if (tokens[i] != untouched && known[i] != untouched && known[i] <= tokens[i])
            continue;
        bench.broken(tokens[i] == untouched || known[i] == untouched
                         ? fmt::format("it wrote nothing for sentence {}", i + 1)
                         : fmt::format("of {} it knows {} of {} tokens", shown(samples[i]),
                                       known[i], tokens[i]));
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
    return json.size == 0 ? std::string() : std::string(json.data, json.size);
}

void try_identity(Bench& bench, const senteval_identity& identity)
{
    bench.step("1.4", "senteval_identity");
    constexpr std::size_t first_version =
        offsetof(senteval_identity, ignores_prepare) + sizeof(identity.ignores_prepare);
    if (identity.struct_size < first_version || identity.struct_size % 8 != 0) {
        bench.broken(fmt::format("struct_size is {}", identity.struct_size));
        return;
    }
    if (identity.state == nullptr)
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
    bench.reporter().tried("13.1");
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
