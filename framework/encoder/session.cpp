#include "encoder/session.hpp"

#include "core/error.hpp"
#include "core/fingerprint.hpp"
#include "core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <new>
#include <numeric>
#include <unordered_set>
#include <utility>

namespace senteval::encoder {
namespace {

/// A sentence for a message: whole where it is short.
std::string shown(std::string_view sentence)
{
    constexpr std::size_t longest = 80;
    if (sentence.size() <= longest)
        return fmt::format("\"{}\"", sentence);
    std::size_t end = longest; // not inside a UTF-8 character
    while (end > 0 && (static_cast<unsigned char>(sentence[end]) & 0xC0U) == 0x80U)
        --end;
    return fmt::format("\"{}...\"", sentence.substr(0, end));
}

std::size_t count_distinct(std::span<const text::Sentence> sentences)
{
    std::unordered_set<std::string_view> distinct;
    distinct.reserve(sentences.size());
    for (const text::Sentence& sentence : sentences)
        distinct.insert(sentence.text);
    return distinct.size();
}

/// Each different token once, as a sentence of its own.
std::vector<text::Sentence> distinct_tokens(std::span<const text::Sentence> sentences)
{
    std::unordered_set<std::string_view> seen;
    std::vector<text::Sentence> tokens;
    for (const text::Sentence& sentence : sentences) {
        for (std::size_t at = 0; at < sentence.text.size();) {
            const std::size_t end = std::min(sentence.text.find(' ', at), sentence.text.size());
            const std::string_view token = sentence.text.substr(at, end - at);
            if (!token.empty() && seen.insert(token).second)
                tokens.push_back({token, 1});
            at = end + 1;
        }
    }
    return tokens;
}

/// What the vectors depend on: the encoder, and what prepare() shows it.
std::string cache_key(const Encoder& encoder, std::span<const text::Sentence> samples)
{
    if (!encoder.has_prepare())
        return encoder.identity().fingerprint;
    std::string all = encoder.identity().fingerprint;
    for (const text::Sentence& sample : samples)
        all.append("\n").append(sample.text);
    return core::fingerprint(all);
}

} // namespace

arma::fmat Embeddings::matrix() const
{
    arma::fmat dense(store->n_rows, columns.size(), arma::fill::none);
    for (std::size_t i = 0; i < columns.size(); ++i)
        std::copy_n(vector(i), store->n_rows, dense.colptr(i));
    return dense;
}

Session::Session(Encoder& encoder, SessionOptions options)
    : encoder_(encoder), options_(std::move(options))
{
}

CallContext Session::call_context(unsigned budget) const
{
    return {budget, options_.stop, {}};
}

void Session::fail(std::string_view doing, std::string_view why) const
{
    throw core::Error("encoder '{}' failed on task {} while {}: {}", encoder_.identity().label,
                      task_, doing, why);
}

void Session::guarded(std::string_view doing, const std::function<void()>& call) const
{
    try {
        call();
    } catch (const core::Cancelled&) {
        throw;
    } catch (const std::exception& e) {
        fail(doing, e.what());
    }
}

void Session::prepare(std::string_view task, std::span<const text::Sentence> samples)
{
    task_ = task;
    samples_ = samples;
    used_ = 0;
    encoded_ = 0;
    cached_ = 0;
    column_of_.clear();
    fresh_.clear();
    store_.reset();
    guarded("preparing", [&] {
        encoder_.prepare(task, samples, call_context(options_.threads));
        dimension_ = encoder_.dimension();
    });
    if (dimension_ == 0)
        fail("preparing", "it says that its vectors have dimension 0");

    const std::size_t capacity =
        encoder_.capabilities().batch_invariant ? count_distinct(samples) : samples.size();
    try {
        store_.set_size(dimension_, capacity);
    } catch (const std::exception&) { // Armadillo throws std::logic_error and std::bad_alloc
        fail("preparing",
             fmt::format("{} vectors of dimension {} need {:.1f} GiB, more than there is", capacity,
                         dimension_,
                         static_cast<double>(capacity) * static_cast<double>(dimension_) *
                             sizeof(float) / (1U << 30U)));
    }
    const bool use_cache = options_.cache != nullptr && encoder_.capabilities().batch_invariant;
    cache_key_ = use_cache ? cache_key(encoder_, samples) : std::string();
    if (use_cache)
        kept_ = options_.cache->open(cache_key_, dimension_);
}

Embeddings Session::embed(std::span<const text::Sentence> sentences)
{
    Embeddings result;
    auto pending = assign_columns(sentences, result.columns);
    take_from_cache(pending);
    try {
        encode(pending);
        check_dimension();
    } catch (...) {
        column_of_.clear(); // some columns were never written: nothing may find them
        used_ = 0;
        fresh_.clear();
        throw;
    }
    if (!cache_key_.empty())
        fresh_.insert(fresh_.end(), pending.begin(), pending.end());
    result.store = &store_;
    return result;
}

void Session::check_dimension()
{
    std::size_t now = 0;
    guarded("encoding", [&] { now = encoder_.dimension(); });
    if (now != dimension_)
        fail("encoding", fmt::format("its dimension was {} and is {} now, though no prepare() was "
                                     "between: the vectors cannot be trusted",
                                     dimension_, now));
}

std::vector<Session::Pending> Session::assign_columns(std::span<const text::Sentence> sentences,
                                                      std::vector<std::uint32_t>& columns)
{
    const bool share = encoder_.capabilities().batch_invariant;
    std::vector<Pending> pending;
    columns.reserve(sentences.size());
    for (const text::Sentence& sentence : sentences) {
        if (share) {
            const auto [at, is_new] = column_of_.try_emplace(sentence.text, used_);
            columns.push_back(at->second);
            if (!is_new)
                continue;
        } else {
            columns.push_back(used_);
        }
        if (used_ == store_.n_cols)
            fail("encoding", fmt::format("{} was not among the sentences it was prepared for",
                                         shown(sentence.text)));
        pending.push_back({sentence, used_++});
    }
    // Sentences of like length in one batch: encoders that pad waste less.
    if (share)
        std::stable_sort(pending.begin(), pending.end(), [](const Pending& a, const Pending& b) {
            return a.sentence.tokens < b.sentence.tokens;
        });
    return pending;
}

void Session::encode(std::span<const Pending> pending)
{
    const std::size_t size = std::max<std::size_t>(options_.batch_size, 1);
    const std::size_t batches = (pending.size() + size - 1) / size;
    const bool concurrent = encoder_.capabilities().concurrent;
    const CallContext context = call_context(concurrent ? 1 : options_.threads);

    std::size_t done = 0;
    std::mutex done_mutex;
    core::parallel_for(batches, concurrent ? options_.threads : 1, [&](std::size_t b) {
        if (options_.stop.stop_requested())
            throw core::Cancelled();
        const auto batch = pending.subspan(b * size, std::min(size, pending.size() - b * size));
        encode_batch(batch, context);
        const std::lock_guard lock(done_mutex);
        done += batch.size();
        if (options_.progress)
            options_.progress(done, pending.size());
    });
    encoded_ += pending.size();
}

void Session::encode_batch(std::span<const Pending> batch, const CallContext& context)
{
    std::vector<text::Sentence> sentences;
    for (const Pending& one : batch)
        sentences.push_back(one.sentence);
    // Not a number to begin with, so that a value which the encoder forgets to write is noticed.
    arma::fmat vectors(dimension_, batch.size(), arma::fill::none);
    vectors.fill(std::numeric_limits<float>::quiet_NaN());
    guarded(fmt::format("encoding {} sentences beginning with {}", batch.size(),
                        shown(batch.front().sentence.text)),
            [&] { encoder_.encode(sentences, vectors.memptr(), context); });
    for (std::size_t i = 0; i < batch.size(); ++i)
        std::copy_n(vectors.colptr(i), dimension_, store_.colptr(batch[i].column));
    check_finite(batch);
}

void Session::take_from_cache(std::vector<Pending>& pending)
{
    if (cache_key_.empty())
        return;
    const std::size_t asked = pending.size();
    std::erase_if(pending, [&](const Pending& one) {
        return kept_.find(one.sentence.text, {store_.colptr(one.column), dimension_});
    });
    cached_ += asked - pending.size();
}

void Session::save_to_cache() const
{
    if (fresh_.empty())
        return;
    std::vector<CacheEntry> entries;
    entries.reserve(fresh_.size());
    for (const Pending& one : fresh_)
        entries.push_back({one.sentence.text, store_.colptr(one.column)});
    options_.cache->add(cache_key_, dimension_, entries);
}

void Session::check_finite(std::span<const Pending> batch) const
{
    for (const Pending& one : batch) {
        const float* vector = store_.colptr(one.column);
        const float* end = vector + dimension_;
        const float* bad = std::find_if_not(vector, end, [](float x) { return std::isfinite(x); });
        if (bad != end)
            fail(fmt::format("encoding {}", shown(one.sentence.text)),
                 fmt::format("element {} of {} of its vector is {}{}", bad - vector + 1, dimension_,
                             *bad, std::isnan(*bad) ? " (or was not written)" : ""));
    }
}

std::optional<Coverage> Session::coverage()
{
    constexpr std::size_t step = 4096;
    Coverage coverage;
    std::vector<std::uint32_t> tokens(step);
    std::vector<std::uint32_t> known(step);
    const auto count = [&](std::span<const text::Sentence> sentences, std::uint64_t& all,
                           std::uint64_t& found) {
        for (std::size_t at = 0; at < sentences.size(); at += step) {
            const auto part = sentences.subspan(at, std::min(step, sentences.size() - at));
            bool tells = false;
            guarded("counting known words", [&] {
                tells = encoder_.count_known(part, {tokens.data(), part.size()},
                                             {known.data(), part.size()});
            });
            if (!tells)
                return false;
            const auto end = static_cast<std::ptrdiff_t>(part.size());
            all = std::accumulate(tokens.begin(), tokens.begin() + end, all);
            found = std::accumulate(known.begin(), known.begin() + end, found);
        }
        return true;
    };
    if (!count(samples_, coverage.tokens, coverage.tokens_known))
        return std::nullopt;
    const auto types = distinct_tokens(samples_);
    count(types, coverage.types, coverage.types_known);
    return coverage;
}

} // namespace senteval::encoder
