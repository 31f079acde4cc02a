// Text of every kind, in every place, and the matrix that takes the vectors.
#include "check/trials.hpp"

#include <fmt/format.h>

namespace senteval::check {

std::vector<std::string> strange_sentences()
{
    std::vector<std::string> texts{std::string("a\0b c\0", 6), std::string(3, '\0'), "   "};
    std::string control;
    for (char c = 1; c < 0x7f; ++c)
        control.append("x").push_back(c);
    texts.push_back(control + "\x7f");
    texts.emplace_back(
        "\u00E9 \u0301 \u0628 \u4E2D \uD7FF \uE000 \uFDD0 \uFEFF \uFFFD \uFFFE \uFFFF");
    texts.emplace_back("\U00010000 \U0001F600 \U0001FFFF \U00020000 \U0003FFFF \U0004FDD0");
    texts.emplace_back("\U00050000 \U00066666 \U00077777 \U00088888 \U00099999 \U000AAAAA");
    texts.emplace_back("\U000BBBBB \U000CCCCC \U000DDDDD \U000E0001 \U000F0000 \U0010FFFF");
    return texts;
}

void try_strange_text(Bench& bench)
{
    const auto& texts = bench.texts().ordinary();
    Instance& instance = bench.main();
    const auto run = [&](std::string_view rule, const std::string& what, const Sentences& batch) {
        bench.step(rule, "batcher() with " + what);
        instance.ready_for(batch);
        (void)instance.encode(batch);
    };
    run("10.3", "an empty sentence", Sentences({std::string()}));
    run("10.3", "an empty sentence among others", Sentences({texts[0], "", texts[1], ""}));
    run("3.2", "an empty sentence whose pointer is NULL",
        Sentences(std::vector<senteval_string>{{nullptr, 0}}));
    run("10.4", "NUL, control characters and characters of every plane of Unicode",
        Sentences(strange_sentences(), 0)); // as it was written, with any white space
    instance.ready_for(Sentences(texts));
}

void try_long_text(Bench& bench)
{
    const auto& texts = bench.texts().ordinary();
    Instance& instance = bench.main();
    // A long call is cancelled, and longer text is not tried.
    const auto run = [&](const std::string& what, const Sentences& batch) {
        constexpr Seconds patience(0.5);
        bench.step("10.5", "batcher() with " + what);
        instance.ready_for(batch);
        try {
            (void)instance.encode(batch, {.cancelled_after = patience});
        } catch (const TooSlow&) {
            if (is_past_deadline())
                throw;
            return false;
        }
        return true;
    };
    constexpr std::size_t token = 100'000;
    run("a token of 100 kB", Sentences({texts[0], std::string(token, 'x')}));
    std::string accents;
    while (accents.size() < token)
        accents += "\u0301";
    run("a token of 100 kB of combining accents", Sentences({texts[0], accents}));
    constexpr std::size_t longest = 1'000'000;
    std::string text;
    for (std::size_t i = 0; text.size() < longest; ++i)
        text.append(texts[i % texts.size()]).append(" ");
    text.resize(longest);
    std::vector<std::string> lengths;
    for (std::size_t size = 1; size <= bench.fitting(300); ++size)
        lengths.push_back(text.substr(0, size - 1) + "x"); // ends in no space
    run(fmt::format("sentences of 1 to {} bytes", lengths.size()), Sentences(lengths));
    std::size_t size = 1000;
    while (size <= longest &&
           run(fmt::format("a sentence of {} bytes", size), Sentences({text.substr(0, size)})))
        size *= 10;
    instance.ready_for(Sentences(texts));
}

void try_places(Bench& bench)
{
    const Sentences ordinary(bench.texts().ordinary());
    Instance& instance = bench.main();
    bench.step("3.2", "batcher() with sentences that end where a page ends that can be read");
    auto memory = guarded(bench.texts().ordinary());
    const Sentences samples = sentences_in(memory);
    instance.ready_for(samples);
    (void)instance.encode(samples);
    bench.step("3.3", "batcher() with text that can only be read");
    for (GuardedMemory& one : memory)
        one.protect();
    instance.ready_for(samples);
    (void)instance.encode(samples);
    bench.step("10.6", "batcher() with sentences that share bytes");
    const bool any = bench.texts().are_free();
    const std::string whole = any ? "the cat , old rain" : bench.texts().ordinary().front();
    std::vector<senteval_string> views(2, {whole.data(), whole.size()});
    for (const std::size_t at : {std::size_t{14}, std::size_t{4}})
        if (any)
            views.push_back({whole.data() + at, whole.size() - at});
    const Sentences shared(views);
    std::vector<std::string> copies;
    for (std::size_t i = 0; i < shared.size(); ++i)
        copies.emplace_back(shared[i]);
    instance.ready_for(shared);
    const Vectors found = instance.encode(shared);
    if (bench.expected() != nullptr)
        bench.same(instance.encode(Sentences(copies)), found,
                   "where each sentence has bytes of its own");
    instance.ready_for(ordinary);
}

void try_matrix(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    Instance& instance = bench.main();
    const auto run = [&](std::string_view rule, const char* what, const Layout& layout) {
        bench.step(rule, fmt::format("batcher() with a matrix {}", what));
        const Vectors found = instance.encode(samples, {}, layout);
        if (const Vectors* const expected = bench.expected())
            bench.same(*expected, found, "with another matrix");
    };
    run("11.3", "whose row_stride is above its cols", {.gap = 5});
    run("11.4", "whose address is a multiple of 4 bytes only", {.gap = 2, .skew = 1});
    run("11.5", "that holds 1e30 on entry", {.content = 1e30F});
    bench.step("10.2", "batcher([])");
    const Sentences none(std::vector<std::string>{});
    (void)instance.encode(none);
    senteval_matrix out{sizeof out, 0, nullptr, 0, instance.cols(), instance.cols()};
    bench.require_of_text(instance.batcher(none, out), "batcher()");
    (void)instance.encode(samples);
}

} // namespace senteval::check
