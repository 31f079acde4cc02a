// Extensions: what get_extension() answers with is tried as the table's own functions are.
#include "check/trials.hpp"

#include "base/error.hpp"
#include "encoder/identity.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <functional>

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

/// Whether there is an extension, as large as it has to be.
template <typename Extension>
bool has(Bench& bench, const char* id, const char* name, std::size_t at_least = sizeof(Extension))
{
    const auto* extension = static_cast<const Extension*>(ask(bench, id));
    if (extension == nullptr)
        return false;
    bench.step("1.4", name);
    const std::uint32_t size = extension->struct_size;
    if (size >= at_least && size % 8 == 0)
        return true;
    bench.broken(fmt::format("struct_size is {}", size));
    return false;
}

/// As a run counts: whole tasks, and words alone.
void try_vocabulary(Bench& bench, decltype(encoder::Extensions::count_known) count_known)
{
    constexpr std::uint32_t nothing = 0xbeefbeefU;
    constexpr std::size_t around = 16;
    std::vector<std::vector<std::string>> cases = {bench.texts().ordinary(), {}};
    for (const std::string& text : bench.texts().ordinary())
        cases.push_back({text});
    if (bench.texts().are_free())
        cases.insert(cases.end(), {{"", "a", std::string(1000, 'x')}, strange_sentences()});
    cases.push_back(bench.texts().many(bench.fitting(4096)));
    for (const auto& texts : cases) {
        const Sentences samples(texts);
        bench.step("13.2", "count_known(" + samples.shown() + ")");
        if (!texts.empty())
            bench.main().ready_for(samples);
        std::vector<std::uint32_t> tokens(texts.size() + 2 * around, nothing);
        std::vector<std::uint32_t> known = tokens;
        const senteval_batch batch = samples.batch();
        bench.must("count_known()", [&](const senteval_call* call) {
            return count_known(call, bench.main().raw(), &batch, tokens.data() + around,
                               known.data() + around);
        });
        for (std::size_t at = 0; at < tokens.size(); ++at) {
            const bool is_inside = at >= around && at < around + texts.size();
            if (!is_inside && (tokens[at] != nothing || known[at] != nothing))
                return bench.broken(fmt::format("it wrote more than {} numbers", texts.size()));
            if (is_inside && (tokens[at] == nothing || known[at] > tokens[at]))
                return bench.broken(fmt::format("of {} it knows {} of {} tokens",
                                                shown(texts[at - around]), known[at], tokens[at]));
        }
    }
    bench.main().ready_for(Sentences(bench.texts().ordinary()));
}

void try_identity(Bench& bench, const encoder::Extensions& extensions)
{
    bench.step("13.3", "the identity's state()");
    const senteval_string text = state_of(bench, bench.main(), extensions);
    const std::size_t first = hash_of(text);
    try {
        const std::string stated = base::to_text(encoder::read_statement(text));
        if (first != bench.elsewhere().stated ||
            first != hash_of(state_of(bench, bench.main(), extensions)))
            bench.broken(fmt::format("it is {}, and another the next time, or in another process",
                                     shown(stated)));
    } catch (const base::Error& e) {
        bench.broken(e.what());
    }
}

/// Whether prepare() leads to the dimension of an encoder that scores documents for queries.
void try_ranking(Bench& bench)
{
    const bool ranks = ask(bench, SENTEVAL_RANKER_EXTENSION) != nullptr;
    const bool reranks = ask(bench, SENTEVAL_RERANKER_EXTENSION) != nullptr;
    if (!ranks && !reranks)
        return;
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}, bench.fitting(300)}) {
        const Sentences samples(bench.texts().many(count));
        bench.step("13.5", "prepare(" + samples.shown() + ") and dimension()");
        if (ranks == reranks)
            return bench.broken("it is a ranker and a reranker");
        if (bench.encoder().prepare == nullptr)
            return bench.broken("it has no prepare()");
        bench.main().ready_for(samples);
        const std::size_t wanted = ranks ? samples.size() : 1;
        if (bench.main().cols() != wanted)
            return bench.broken(
                fmt::format("the dimension is {}, and has to be {}", bench.main().cols(), wanted));
        (void)bench.main().encode(samples);
    }
    bench.main().ready_for(Sentences(bench.texts().ordinary()));
}

} // namespace

senteval_string state_of(Bench& bench, Instance& instance, const encoder::Extensions& extensions)
{
    senteval_string json{nullptr, 0};
    bench.must("state()", [&](const senteval_call* call) {
        return extensions.state(call, instance.raw(), &json);
    });
    return json;
}

std::size_t hash_of(senteval_string stated)
{
    constexpr std::size_t most = std::size_t{1} << 20U;
    return stated.data == nullptr || stated.size > most
               ? 0
               : std::hash<std::string_view>{}({stated.data, stated.size});
}

void try_extensions(Bench& bench)
{
    if (bench.encoder().get_extension == nullptr)
        return;
    if (ask(bench, "org.example.no-such-extension/7") != nullptr)
        return bench.broken("it knows an id that means nothing");
    (void)ask(bench, SENTEVAL_USER_CODE_EXTENSION);
    constexpr std::size_t first_version =
        offsetof(senteval_identity, ignores_prepare) + sizeof(senteval_identity::ignores_prepare);
    const bool has_vocabulary =
        has<senteval_vocabulary>(bench, SENTEVAL_VOCABULARY_EXTENSION, "senteval_vocabulary");
    const bool has_identity = has<senteval_identity>(bench, SENTEVAL_IDENTITY_EXTENSION,
                                                     "senteval_identity", first_version);
    (void)has<senteval_roles>(bench, SENTEVAL_ROLES_EXTENSION, "senteval_roles"); // try_roles()
    const encoder::Extensions extensions = encoder::extensions_of(bench.encoder());
    if (has_vocabulary && extensions.count_known != nullptr)
        try_vocabulary(bench, extensions.count_known);
    if (has_identity && extensions.state != nullptr)
        try_identity(bench, extensions);
    try_ranking(bench);
}

/// All that is tried of batcher(), of encode() for each role.
void try_roles(Bench& bench)
{
    const auto encode = encoder::extensions_of(bench.encoder()).encode;
    if (encode == nullptr)
        return;
    try {
        for (const senteval_role role :
             {SENTEVAL_ROLE_AS_IS, SENTEVAL_ROLE_QUERY, SENTEVAL_ROLE_DOCUMENT}) {
            bench.use_role(encode, role);
            bench.step("13.4", "one batch twice");
            (void)bench.main();
            for (const Trial& trial : all_trials())
                if (trial.of_batcher && bench.claims(trial.claim) &&
                    (bench.texts().are_free() || !trial.needs_any_text))
                    trial.run(bench);
        }
    } catch (const TooSlow&) {
        bench.use_role(nullptr, SENTEVAL_ROLE_AS_IS);
        bench.report().skipped("13.4", no_time);
        throw;
    }
}

} // namespace senteval::check
