// Text of every kind, in every place, and the matrix that takes the vectors.
#include "check/trials.hpp"

#include <fmt/format.h>

#include <sys/mman.h>

#include <algorithm>
#include <iterator>

namespace senteval::check {
namespace {

void append_utf8(std::string& text, char32_t c)
{
    const auto byte = [&](char32_t bits) { text.push_back(static_cast<char>(bits)); };
    if (c < 0x80) {
        byte(c);
    } else if (c < 0x800) {
        byte(0xC0 | (c >> 6U));
        byte(0x80 | (c & 0x3FU));
    } else if (c < 0x10000) {
        byte(0xE0 | (c >> 12U));
        byte(0x80 | ((c >> 6U) & 0x3FU));
        byte(0x80 | (c & 0x3FU));
    } else {
        byte(0xF0 | (c >> 18U));
        byte(0x80 | ((c >> 12U) & 0x3FU));
        byte(0x80 | ((c >> 6U) & 0x3FU));
        byte(0x80 | (c & 0x3FU));
    }
}

/// Characters of one plane: its first and last ones, and some between.
std::string plane_text(char32_t plane)
{
    std::string text;
    for (const char32_t low : {0x0000U, 0x0001U, 0x00E9U, 0x0301U, 0x0628U, 0x4E2DU, 0xD7FFU,
                               0xE000U, 0xF600U, 0xFDD0U, 0xFEFFU, 0xFFFDU, 0xFFFEU, 0xFFFFU}) {
        const char32_t c = plane * 0x10000U + low;
        if (c == 0 || (c >= 0xD800 && c <= 0xDFFF))
            continue;
        append_utf8(text, c);
        text.push_back(' ');
    }
    return text;
}

/// One sentence that has to be encoded like any other.
class SentenceTrial {
public:
    SentenceTrial(Bench& bench, std::string_view rule)
        : bench_(bench), rule_(rule), instance_(bench.create())
    {
    }

    void run(const std::string& what, std::string sentence)
    {
        bench_.step(rule_, what);
        const Sentences samples({bench_.texts().ordinary().front(), std::move(sentence)});
        instance_->ready_for(samples);
        (void)instance_->encode(samples);
    }

private:
    Bench& bench_;
    std::string_view rule_;
    std::unique_ptr<Instance> instance_;
};

/// Each text in memory of its own that ends where a page begins that nobody may touch.
std::vector<GuardedMemory> guarded(const std::vector<std::string>& texts)
{
    std::vector<GuardedMemory> memory;
    for (const std::string& text : texts)
        memory.emplace_back(text);
    return memory;
}

Sentences sentences_in(const std::vector<GuardedMemory>& memory)
{
    std::vector<senteval_string> views;
    for (const GuardedMemory& one : memory)
        views.push_back(one.view());
    return Sentences(std::move(views));
}

} // namespace

void try_empty_batch(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    const Sentences none(std::vector<std::string>{});
    auto instance = bench.create_for(samples);
    for (int time = 0; time < 2; ++time) {
        bench.step("10.2", "batcher([])");
        (void)instance->encode(none);
        senteval_matrix out{sizeof out, 0, nullptr, 0, instance->cols(), instance->cols()};
        bench.require(instance->batcher(none, out), "batcher()");
        (void)instance->encode(samples);
    }
}

void try_empty_sentence(Bench& bench)
{
    const auto& texts = bench.texts().ordinary();
    auto instance = bench.create();
    for (const auto& batch :
         {std::vector<std::string>{""}, {texts[0], "", texts[1]}, {"", "", ""}}) {
        const Sentences samples(batch);
        bench.step("10.3", "batcher(" + samples.shown() + ")");
        instance->ready_for(samples);
        (void)instance->encode(samples);
    }
    bench.step("3.2", "batcher() with an empty sentence whose pointer is NULL");
    const Sentences null(std::vector<senteval_string>{{nullptr, 0}});
    instance->ready_for(null);
    (void)instance->encode(null);
}

void try_characters(Bench& bench)
{
    SentenceTrial trial(bench, "10.4");
    trial.run("batcher() with a sentence that holds NUL", std::string("a\0b c\0", 6));
    trial.run("batcher() with a sentence of nothing but NUL", std::string(3, '\0'));
    std::string control;
    for (char c = 1; c < 0x20; ++c)
        control.append("x").push_back(c);
    trial.run("batcher() with a sentence of control characters", control + "\x7f");
    trial.run("batcher() with a sentence of blanks", "   ");
    constexpr char32_t planes = 17;
    for (char32_t plane = 0; plane < planes; ++plane)
        trial.run(fmt::format("batcher() with characters of plane {} of Unicode",
                              static_cast<unsigned>(plane)),
                  plane_text(plane));
}

void try_lengths(Bench& bench)
{
    constexpr std::size_t token = 100'000;
    constexpr std::size_t longest = 1'000'000;
    SentenceTrial trial(bench, "10.5");
    const auto& texts = bench.texts().ordinary();
    std::string text;
    for (std::size_t i = 0; text.size() < longest; ++i)
        text.append(texts[i % texts.size()]).append(" ");
    text.resize(longest);
    // What breaks at one length need not at another.
    constexpr std::size_t most_texts = 600;
    constexpr std::size_t at_once = 32;
    auto instance = bench.create();
    for (std::size_t size = 1; size <= most_texts && bench.has_time();) {
        std::vector<std::string> cut;
        for (; cut.size() < at_once; ++size) {
            cut.push_back(text.substr(0, size));
            cut.back().back() = 'x'; // ends in no space
        }
        bench.step("10.5", fmt::format("batcher() of sentences of {} to {} bytes",
                                       cut.front().size(), size - 1));
        const Sentences samples(cut);
        instance->ready_for(samples);
        (void)instance->encode(samples);
    }
    for (std::size_t size = 1000; size <= longest && (size == 1000 || bench.has_time()); size *= 10)
        trial.run(fmt::format("batcher() with a sentence of {} bytes", size), text.substr(0, size));
    if (!bench.has_time())
        return;
    trial.run("batcher() with a token of 100 kB", std::string(token, 'x'));
    std::string accents;
    while (accents.size() < token)
        append_utf8(accents, 0x301);
    trial.run("batcher() with a token of 100 kB of combining accents", accents);
}

void try_places(Bench& bench)
{
    bench.step("3.2", "batcher() with sentences that end where a page ends that can be read");
    auto memory = guarded(bench.texts().ordinary());
    const Sentences samples = sentences_in(memory);
    auto instance = bench.create_for(samples);
    (void)instance->encode(samples);
    bench.step("3.3", "batcher() with text that can only be read");
    for (GuardedMemory& one : memory)
        one.protect(PROT_READ);
    instance->ready_for(samples);
    (void)instance->encode(samples);
    bench.step("10.6", "batcher() with sentences that share bytes");
    const bool any = bench.texts().are_free();
    const std::string whole =
        any ? "old stones and warm rain , old friends" : bench.texts().ordinary().front();
    std::vector<senteval_string> views(2, {whole.data(), whole.size()});
    if (any)
        for (const std::size_t at : {std::size_t{27}, std::size_t{11}})
            views.push_back({whole.data() + at, whole.size() - at});
    if (any)
        views.push_back({whole.data(), 10});
    const Sentences shared(views);
    instance->ready_for(shared);
    const Vectors found = instance->encode(shared);
    if (!bench.claims(SENTEVAL_CAP_BATCH_INVARIANT) || bench.encoder().prepare != nullptr)
        return;
    std::vector<std::string> copies;
    for (std::size_t i = 0; i < shared.size(); ++i)
        copies.emplace_back(shared[i]);
    bench.same(instance->encode(Sentences(copies)), found, false,
               "where each sentence has bytes of its own");
}

void try_matrix(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    bench.step("11.3", "batcher() with a row_stride above cols");
    auto instance = bench.create_for(samples);
    const Vectors plain = instance->encode(samples);
    const auto try_layout = [&](const Layout& layout, std::string_view how) {
        const Vectors other = instance->encode(samples, {}, layout);
        if (bench.claims(SENTEVAL_CAP_DETERMINISTIC))
            bench.same(plain, other, false, how);
    };
    try_layout({.gap = 5}, "with a larger row_stride");
    bench.step("11.5", "batcher() on a matrix that holds numbers");
    try_layout({.content = 1e30F}, "where the matrix held 1e30 on entry");
    try_layout({.content = 0.0F}, "where the matrix held 0 on entry");
    bench.step("11.4", "batcher() with a matrix whose address is a multiple of 4 bytes only");
    try_layout({.gap = 2, .skew = 1}, "in a matrix that begins elsewhere");
    try_layout({.skew = 3}, "in a matrix that begins elsewhere");
}

} // namespace senteval::check
