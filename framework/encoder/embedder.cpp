#include "encoder/embedder.hpp"

#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "encoder/claims.hpp"
#include "encoder/culprit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

namespace senteval::encoder {
namespace {

text::Role role_of(const Slot& slot)
{
    return slot.sentence.role;
}

std::uint32_t tokens_of(const Slot& slot)
{
    return slot.sentence.tokens;
}

/// The slots, cut where the role changes, and so that none of the parts is longer than this.
std::vector<std::span<Slot>> cut(std::span<Slot> slots, std::size_t longest)
{
    std::vector<std::span<Slot>> parts;
    for (; !slots.empty(); slots = slots.subspan(parts.back().size())) {
        const auto most = slots.first(std::min(longest, slots.size()));
        const auto other = std::ranges::find_if(
            most, [&](const Slot& slot) { return role_of(slot) != role_of(most.front()); });
        parts.emplace_back(most.begin(), other);
    }
    return parts;
}

std::vector<text::Sentence> sentences_of(std::span<const Slot> slots)
{
    std::vector<text::Sentence> sentences;
    sentences.reserve(slots.size());
    for (const Slot& slot : slots)
        sentences.push_back(slot.sentence);
    return sentences;
}

} // namespace

/// The sentences of the batches that an encoder failed on at the same time: where its process ended, one of them did it.
struct Embedder::Failure {
    std::mutex mutex;
    std::vector<text::Sentence> sentences;
    std::string why; ///< of the first batch
    bool is_by_call = true;
};

void Embedder::fail(std::string_view doing, std::string_view why) const
{
    throw base::Error("encoder '{}' failed on task {} while {}: {}", encoder_.identity().label,
                      task_, doing, why);
}

void Embedder::guarded(std::string_view doing, const std::function<void()>& call) const
{
    try {
        call();
    } catch (const base::Cancelled&) {
        throw;
    } catch (const std::exception& e) {
        fail(doing, e.what());
    }
}

void Embedder::prepare(std::string_view task, std::span<const text::Sentence> samples)
{
    task_ = task;
    samples_ = samples;
    encoded_ = 0;
    tried_.clear();
    coverage_.reset();
    guarded("preparing", [&] {
        prepare_encoder();
        dimension_ = encoder_.dimension();
        if (dimension_ == 0)
            throw base::Error("it says that its vectors have dimension 0");
    });
}

void Embedder::prepare_encoder()
{
    const CallContext context = whole_context();
    try {
        encoder_.prepare(task_, samples_, context);
    } catch (const ProcessEnded& e) {
        if (!e.is_by_call())
            throw;
        const auto prepare = [&](std::span<const text::Sentence> part, const CallContext& again) {
            encoder_.prepare(task_, part, again);
        };
        throw base::Error("{}{}", e.what(),
                          culprit_text(samples_, prepare, context, options_.search));
    }
}

void Embedder::encode(std::span<Slot> slots,
                      const std::function<void(std::span<const Slot>)>& filled)
{
    constexpr std::size_t batches = 64; // between two checks of the encoder's claims
    const bool is_invariant = encoder_.capabilities().batch_invariant;
    if (is_invariant)
        std::ranges::stable_sort(slots, {}, role_of);
    std::size_t done = 0;
    for (const std::span<Slot> part : cut(slots, batches * options_.batch_size)) {
        if (is_invariant) // sentences of like length in one batch: encoders that pad waste less
            std::ranges::stable_sort(part, {}, tokens_of);
        encode_part(part, done, slots.size());
        check_dimension();
        check_claims(part);
        if (filled)
            filled(part);
    }
}

void Embedder::encode_part(std::span<Slot> part, std::size_t& done, std::size_t total)
{
    const auto batches = cut(part, options_.batch_size);
    const CallContext context = shared_context();
    std::mutex mutex; // of `done`
    Failure failure;
    const auto encode_one = [&](std::size_t b) {
        if (options_.stop.stop_requested())
            throw base::Cancelled();
        encode_batch(batches[b], context, failure);
        const std::lock_guard lock(mutex);
        done += batches[b].size();
        if (options_.progress)
            options_.progress(done, total);
    };
    try {
        base::parallel_for(batches.size(), is_concurrent() ? options_.threads : 1, encode_one);
    } catch (const std::exception&) {
        if (options_.stop.stop_requested())
            throw base::Cancelled();
        if (failure.sentences.empty())
            throw;
        fail_on(failure, context);
    }
    encoded_ += part.size();
}

void Embedder::encode_batch(std::span<const Slot> batch,
                            const CallContext& context,
                            Failure& failure)
{
    const auto sentences = sentences_of(batch);
    // A value that the encoder forgets to write is noticed: it stays no number.
    arma::fmat vectors(dimension_, batch.size(), arma::fill::none);
    vectors.fill(std::numeric_limits<float>::quiet_NaN());
    try {
        encoder_.encode(sentences, vectors.memptr(), context);
    } catch (const base::Cancelled&) {
        throw;
    } catch (const std::exception& e) {
        const std::lock_guard lock(failure.mutex);
        if (failure.sentences.empty())
            failure.why = e.what();
        failure.sentences.insert(failure.sentences.end(), sentences.begin(), sentences.end());
        const auto* const ended = dynamic_cast<const ProcessEnded*>(&e);
        failure.is_by_call = failure.is_by_call && (ended == nullptr || ended->is_by_call());
        throw;
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const std::span vector(vectors.colptr(i), dimension_);
        const auto bad = std::ranges::find_if_not(vector, [](float x) { return std::isfinite(x); });
        if (bad != vector.end())
            fail("encoding " + shown(batch[i].sentence.text),
                 fmt::format("element {} of {} of its vector is {}{}", bad - vector.begin() + 1,
                             dimension_, *bad, std::isnan(*bad) ? " (or was not written)" : ""));
        std::ranges::copy(vector, batch[i].vector);
    }
    if (encoder_.capabilities().batch_invariant)
        return;
    constexpr std::size_t most = 4; // the first batch and the last ones
    const std::lock_guard lock(failure.mutex);
    if (tried_.size() == most)
        tried_.erase(tried_.begin() + 1);
    tried_.push_back({sentences, std::move(vectors)});
}

void Embedder::fail_on(const Failure& failure, const CallContext& context)
{
    std::vector<float> rows;
    const auto encode = [&](std::span<const text::Sentence> part, const CallContext& again) {
        rows.resize(part.size() * dimension_);
        encoder_.encode(part, rows.data(), again);
    };
    fail(fmt::format("encoding {} beginning with {}",
                     base::counted(failure.sentences.size(), "sentence"),
                     shown(failure.sentences.front().text)),
         failure.why + (failure.is_by_call
                            ? culprit_text(failure.sentences, encode, context, options_.search)
                            : ""));
}

void Embedder::check_dimension() const
{
    guarded("encoding", [&] {
        if (const std::size_t now = encoder_.dimension(); now != dimension_)
            throw base::Error("its dimension was {} and is now {}, without a prepare() in between: "
                              "the vectors cannot be trusted",
                              dimension_, now);
    });
}

void Embedder::check_claims(std::span<const Slot> part)
{
    const bool overlapped =
        is_concurrent() && options_.threads > 1 && part.size() > options_.batch_size;
    guarded("encoding some sentences again", [&] {
        try {
            encoder::check_claims(encoder_, {part, dimension_, options_.batch_size, overlapped},
                                  shared_context());
        } catch (const WrongRows& e) {
            broken_claim_ = fmt::format("on {}, {}", task_, e.what());
            throw;
        }
    });
}

arma::fmat Embedder::ask(std::span<const text::Sentence> sentences)
{
    arma::fmat vectors(dimension_, sentences.size());
    std::vector<Slot> slots;
    for (std::size_t i = 0; i < sentences.size(); ++i)
        slots.push_back({sentences[i], vectors.colptr(i)});
    auto of_task = std::exchange(tried_, {}); // check_order() outlives these sentences
    encode(slots);
    tried_ = std::move(of_task);
    return vectors;
}

void Embedder::check_order(std::span<const Slot> encoded)
{
    constexpr std::size_t calls = 4; // from the first batch to the last, and within them
    for (std::size_t call = 0; call < calls && !tried_.empty(); ++call) {
        const auto spread = [&](std::size_t count) { return call * (count - 1) / (calls - 1); };
        Batch& batch = tried_[spread(tried_.size())];
        std::vector<Slot> slots;
        for (std::size_t i = 0; i < batch.sentences.size(); ++i)
            slots.push_back({batch.sentences[i], batch.rows.colptr(i)});
        guarded("encoding some sentences alone", [&] {
            encoder::check_order(encoder_, {slots, dimension_, slots.size()}, spread(slots.size()),
                                 encoded, whole_context());
        });
    }
    tried_.clear();
}

std::optional<Coverage> Embedder::coverage()
{
    if (!coverage_)
        guarded("counting known words",
                [&] { coverage_ = coverage_of(encoder_, samples_, options_.threads); });
    return *coverage_;
}

} // namespace senteval::encoder
