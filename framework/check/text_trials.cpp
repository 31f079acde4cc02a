// Text of every kind, in every place.
#include "check/trials.hpp"

#include "check/measure.hpp"
#include "check/pages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
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
    std::string text = "plane";
    for (const char32_t low : {0x0000U, 0x0001U, 0x00E9U, 0x0301U, 0x0628U, 0x4E2DU, 0xD7FFU,
                               0xE000U, 0xF600U, 0xFDD0U, 0xFEFFU, 0xFFFDU, 0xFFFEU, 0xFFFFU}) {
        const char32_t c = plane * 0x10000U + low;
        if (c == 0 || (c >= 0xD800 && c <= 0xDFFF))
            continue;
        text.push_back(' ');
        append_utf8(text, c);
        append_utf8(text, c);
    }
    return text;
}

/// One sentence that has to be encoded like any other.
class SentenceTrial {
public:
    SentenceTrial(Bench& bench, std::string_view rule)
        : bench_(bench), rule_(rule), instance_(bench.instance())
    {
    }

    void run(const std::string& what, std::string sentence)
    {
        run(what, std::vector{bench_.texts().ordinary().front(), std::move(sentence)});
    }

    void run(const std::string& what, std::vector<std::string> sentences)
    {
        bench_.step(rule_, what);
        const Sentences samples(std::move(sentences));
        instance_->ready_for(samples);
        (void)instance_->encode(samples);
    }

private:
    Bench& bench_;
    std::string_view rule_;
    std::shared_ptr<Instance> instance_;
};

/// Sentences of each length up to that of most texts and of many beyond, as far as there is time: what breaks
/// at one length need not at another. Takes a text from which they are cut.
void try_each_length(Bench& bench, const std::string& text)
{
    constexpr std::size_t most_texts = 600;
    constexpr std::size_t longest = 8192;
    constexpr std::size_t at_once = 32;
    std::vector<std::string> sentences;
    for (std::size_t size = 1; size <= longest; size += size < most_texts ? 1 : size / 64) {
        sentences.push_back(text.substr(0, size));
        sentences.back().back() = 'x'; // ends in no space
    }
    bench.step("10.5", fmt::format("prepare() of sentences of 1 to {} bytes", longest));
    auto instance = bench.instance_for(Sentences(sentences));
    for (std::size_t at = 0; at < sentences.size(); at += at_once) {
        if (!bench.has_time()) {
            bench.in_part(fmt::format("each length up to {} of {} bytes",
                                      at == 0 ? 0 : sentences[at - 1].size(), longest));
            return;
        }
        const auto begin = sentences.begin() + static_cast<std::ptrdiff_t>(at);
        const auto end =
            begin + static_cast<std::ptrdiff_t>(std::min(at_once, sentences.size() - at));
        bench.step("10.5", fmt::format("batcher() of sentences of {} to {} bytes", begin->size(),
                                       std::prev(end)->size()));
        (void)instance->encode(Sentences(std::vector<std::string>(begin, end)));
    }
}

/// Copies of texts, each in memory of its own between forbidden pages.
class PagedTexts {
public:
    enum class Kind { read_only, up_to_an_edge };

    PagedTexts(const std::vector<std::string>& texts, Kind kind)
    {
        for (const std::string& text : texts) {
            pages_.emplace_back(text.size(), kind == Kind::read_only);
            if (!text.empty())
                std::memcpy(pages_.back().bytes().data(), text.data(), text.size());
            if (kind == Kind::read_only)
                pages_.back().forbid_writing();
            views_.push_back({text.empty()
                                  ? nullptr
                                  : reinterpret_cast<const char*>(pages_.back().bytes().data()),
                              text.size()});
        }
    }

    [[nodiscard]] Sentences sentences() const { return Sentences(views_); }

private:
    std::vector<GuardedMemory> pages_;
    std::vector<senteval_string> views_;
};

} // namespace

void try_empty_batch(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    const Sentences none(std::vector<std::string>{});
    auto instance = bench.instance_for(samples);
    const auto try_empty = [&] {
        bench.step("10.2", "batcher([])");
        (void)instance->encode(none);
        senteval_matrix out{sizeof out, 0, nullptr, 0, instance->cols(), instance->cols()};
        bench.require(instance->batcher(none, out), "batcher()");
    };
    try_empty();
    (void)instance->encode(samples);
    try_empty();
}

void try_empty_sentence(Bench& bench)
{
    const auto& texts = bench.texts().ordinary();
    auto instance = bench.instance();
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
    std::vector<std::string> texts;
    for (char32_t plane = 0; plane < planes; ++plane) {
        if (bench.is_slow() && !bench.has_time())
            texts.push_back(plane_text(plane));
        else
            trial.run(fmt::format("batcher() with characters of plane {} of Unicode",
                                  static_cast<unsigned>(plane)),
                      plane_text(plane));
    }
    if (!texts.empty()) // together they take less time
        trial.run("batcher() with characters of several planes of Unicode", std::move(texts));
}

namespace {

/// The beginning of a text, longer and longer: of a slow encoder as long as there is time for; of others all of
/// it is the second.
void try_growing_lengths(Bench& bench, SentenceTrial& trial, const std::string& text)
{
    constexpr std::size_t shortest = 250;
    constexpr std::size_t step = 4;
    const auto most = static_cast<double>(text.size());
    for (std::size_t size = shortest; size <= text.size();) {
        const Seconds before = bench.passed();
        std::string part = text.substr(0, size);
        part.back() = 'x';
        trial.run(size == text.size() ? "batcher() with a sentence of 1 MB"
                                      : fmt::format("batcher() with a sentence of {} bytes", size),
                  std::move(part));
        const Seconds now = bench.passed();
        // Waiting that is taken off can be more than what has passed since.
        const Seconds took = std::max(now - before, Seconds(1e-6));
        const double left = std::max(bench.enough() * 2 - now, Seconds(0)) / took;
        if (size < text.size() && left < step) {
            bench.in_part(fmt::format("a sentence of {} of {} bytes", size, text.size()));
            return;
        }
        if (size == text.size())
            return;
        size = left * static_cast<double>(size) > 2.0 * most ? text.size()
                                                             : std::min(size * step, text.size());
    }
}

} // namespace

void try_lengths(Bench& bench)
{
    constexpr std::size_t token = 100'000;
    constexpr std::size_t sentence = 1'000'000;
    SentenceTrial trial(bench, "10.5");
    trial.run("batcher() with a token of 100 kB", std::string(token, 'x'));
    std::string accents;
    while (accents.size() < token)
        append_utf8(accents, 0x301);
    trial.run("batcher() with a token of 100 kB of combining accents", accents);
    const auto& texts = bench.texts().ordinary();
    std::string text;
    for (std::size_t i = 0; text.size() < sentence; ++i)
        text.append(texts[i % texts.size()]).append(" ");
    text.resize(sentence);
    try_growing_lengths(bench, trial, text);
    try_each_length(bench, text);
}

void try_places(Bench& bench)
{
    bench.step("3.3", "batcher() with text that can only be read");
    {
        const PagedTexts texts(bench.texts().ordinary(), PagedTexts::Kind::read_only);
        const Sentences samples = texts.sentences();
        auto instance = bench.instance_for(samples);
        (void)instance->encode(samples);
    }
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
    auto instance = bench.instance_for(shared);
    const Vectors found = instance->encode(shared);
    if (!bench.claims(SENTEVAL_CAP_BATCH_INVARIANT) || bench.encoder().prepare != nullptr)
        return;
    std::vector<std::string> copies;
    for (std::size_t i = 0; i < shared.size(); ++i)
        copies.emplace_back(shared[i]);
    const Sentences apart(copies);
    bench.same(instance->encode(apart), found, false, "where each sentence has bytes of its own");
}

void try_text_edges(Bench& bench)
{
    bench.step("3.2", "batcher() with sentences that end where a page ends that can be read");
    const PagedTexts texts(bench.texts().ordinary(), PagedTexts::Kind::up_to_an_edge);
    const Sentences samples = texts.sentences();
    auto instance = bench.instance_for(samples);
    (void)instance->encode(samples);
}

} // namespace senteval::check
