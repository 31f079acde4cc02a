// How a session encodes: batches, the cache, and checks of the vectors.
#include "base/counted.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "encoder/claims.hpp"
#include "encoder/culprit.hpp"
#include "encoder/row_order.hpp"
#include "encoder/sentences.hpp"
#include "encoder/session.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <utility>

namespace senteval::encoder {

std::vector<std::uint32_t> Session::encode_new(std::span<const text::Sentence> sentences)
{
    std::vector<std::uint32_t> columns;
    auto pending = assign_columns(sentences, columns);
    take_from_cache(pending);
    if (shares_columns())
        std::ranges::stable_sort(pending, {}, &Pending::role);
    try {
        for (std::size_t at = 0; at < pending.size();) {
            const std::size_t size =
                of_one_role<Pending>(pending, at, tried_together(), &Pending::role).size();
            const auto part = std::span(pending).subspan(at, size);
            if (shares_columns())
                sort_by_length(part);
            encode(part, store_, {at, pending.size()});
            check_dimension();
            check_claims(part);
            at += size;
        }
    } catch (const base::Cancelled&) {
        fresh_.resize(fresh_tried_); // what was not checked is not cached
        save_to_cache();
        forget_vectors();
        throw;
    } catch (...) {
        forget_vectors();
        throw;
    }
    if (sentences_.size() == store_.n_cols)
        save_to_cache();
    return columns;
}

/// Some columns may never have been written: nothing may find them.
void Session::forget_vectors()
{
    column_of_.clear();
    sentences_.clear();
    lists_.clear();
    fresh_.clear();
    fresh_tried_ = 0;
    imaged_ = 0;
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

void Session::check_claims(std::span<const Pending> pending)
{
    if (pending.empty())
        return;
    std::vector<text::Sentence> sentences;
    sentences.reserve(pending.size());
    for (const Pending& one : pending)
        sentences.push_back(one.sentence);
    const bool concurrent = encoder_.capabilities().concurrent;
    const Encoded encoded{
        sentences,
        [&](std::size_t i) {
            return std::span<const float>(store_.colptr(pending[i].column), dimension_);
        },
        batch_size(), concurrent && options_.threads > 1 && pending.size() > options_.batch_size};
    guarded("encoding some sentences again", [&] {
        try {
            encoder::check_claims(encoder_, encoded,
                                  call_context(concurrent ? 1 : options_.threads));
        } catch (const BrokenClaim& e) {
            broken_claim_ = fmt::format("on {}, {}", task_, e.what());
            throw;
        }
    });
    fresh_tried_ = fresh_.size();
}

void Session::check_order()
{
    if (shares_columns() || std::exchange(is_order_checked_, true))
        return;
    std::vector<std::span<const std::uint32_t>> batches;
    for (const auto& list : lists_)
        for (std::size_t at = 0; at < list.size();) {
            const auto batch =
                of_one_role<std::uint32_t>(list, at, batch_size(), [&](std::uint32_t column) {
                    return sentences_[column].role;
                });
            if (batch.size() > 1)
                batches.push_back(batch);
            at += batch.size();
        }
    constexpr std::size_t calls = 4; // from the first batch to the last, and within them
    for (std::size_t call = 0; call < calls && !batches.empty(); ++call) {
        const auto spread = [&](std::size_t count) { return call * (count - 1) / (calls - 1); };
        const auto batch = batches[spread(batches.size())];
        const std::size_t number = spread(batch.size());
        arma::fmat rows(dimension_, batch.size());
        for (std::size_t i = 0; i < batch.size(); ++i)
            rows.col(i) = arma::fvec(store_.colptr(batch[i]), dimension_);
        const arma::fvec alone = encode_alone(batch[number]);
        const auto place = place_of({alone.memptr(), dimension_}, rows, number);
        if (place ? *place != number : are_equal(rows))
            return check_order(batch, rows);
    }
}

arma::fvec Session::encode_alone(std::uint32_t column)
{
    if (options_.stop.stop_requested())
        throw base::Cancelled();
    arma::fvec alone(dimension_);
    guarded("encoding one sentence alone", [&] {
        encoder_.encode({&sentences_[column], 1}, alone.memptr(), call_context(options_.threads));
    });
    return alone;
}

/// Encodes each sentence of the batch alone.
void Session::check_order(std::span<const std::uint32_t> batch, const arma::fmat& rows)
{
    arma::fmat alone(dimension_, batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i)
        alone.col(i) = encode_alone(batch[i]);
    const std::string wrong =
        wrong_order(alone, rows, [&](std::size_t i) { return sentences_[batch[i]].text; });
    if (!wrong.empty())
        fail("encoding", wrong);
}

std::vector<Session::Pending> Session::assign_columns(std::span<const text::Sentence> sentences,
                                                      std::vector<std::uint32_t>& columns)
{
    const bool share = shares_columns();
    std::vector<Pending> pending;
    columns.reserve(sentences.size());
    for (const text::Sentence& sentence : sentences) {
        const auto next = static_cast<std::uint32_t>(sentences_.size());
        if (share) {
            const auto [at, is_new] = column_of_.try_emplace(sentence, next);
            columns.push_back(at->second);
            if (!is_new)
                continue;
        } else {
            columns.push_back(next);
        }
        if (next == store_.n_cols) {
            forget_vectors();
            fail("encoding", fmt::format("{} was not among the sentences it was prepared for",
                                         shown(sentence.text)));
        }
        sentences_.push_back(sentence);
        pending.push_back({sentence, next});
    }
    return pending;
}

/// Sentences of like length come into one batch: encoders that pad waste less.
void Session::sort_by_length(std::span<Pending> pending)
{
    std::stable_sort(pending.begin(), pending.end(), [](const Pending& a, const Pending& b) {
        return a.sentence.tokens < b.sentence.tokens;
    });
}

/// Sentences between two checks of the encoder's claims. After a stop, the cache gets those that were checked.
std::size_t Session::tried_together() const
{
    constexpr std::size_t batches = 64;
    return batches * batch_size();
}

void Session::encode(std::span<const Pending> pending, arma::fmat& store, Part part)
{
    const std::size_t size = batch_size();
    const std::size_t batches = pending.size() / size + (pending.size() % size == 0 ? 0 : 1);
    const bool concurrent = encoder_.capabilities().concurrent;
    const CallContext context = call_context(concurrent ? 1 : options_.threads);

    std::size_t done = part.begin;
    std::mutex mutex;
    std::vector<FailedBatch> failures;
    try {
        base::parallel_for(batches, concurrent ? options_.threads : 1, [&](std::size_t b) {
            if (options_.stop.stop_requested())
                throw base::Cancelled();
            const auto batch = pending.subspan(b * size, std::min(size, pending.size() - b * size));
            std::optional<FailedBatch> failed;
            encode_batch(batch, store, context, failed);
            const std::lock_guard lock(mutex);
            if (failed) {
                failures.push_back(*std::move(failed));
                throw base::Error("{}", failures.back().why); // nothing else begins
            }
            done += batch.size();
            if (!cache_key_.empty())
                for (const Pending& one : batch)
                    fresh_.push_back(one.column);
            if (options_.progress)
                options_.progress(done, part.of);
        });
    } catch (const base::Cancelled&) {
        throw;
    } catch (const std::exception&) {
        if (options_.stop.stop_requested())
            throw base::Cancelled();
        if (failures.empty())
            throw;
        fail_on(failures, context);
    }
    encoded_ += pending.size();
}

void Session::encode_batch(std::span<const Pending> batch,
                           arma::fmat& store,
                           const CallContext& context,
                           std::optional<FailedBatch>& failed)
{
    std::vector<text::Sentence> sentences;
    for (const Pending& one : batch)
        sentences.push_back(one.sentence);
    // Not a number to begin with, so that a value which the encoder forgets to write is noticed.
    arma::fmat vectors(dimension_, batch.size(), arma::fill::none);
    vectors.fill(std::numeric_limits<float>::quiet_NaN());
    try {
        encoder_.encode(sentences, vectors.memptr(), context);
    } catch (const base::Cancelled&) {
        throw;
    } catch (const ProcessEnded& e) {
        failed = {std::move(sentences), e.what(), e.is_by_call()};
        return;
    } catch (const std::exception& e) {
        failed = {std::move(sentences), e.what()};
        return;
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
        std::copy_n(vectors.colptr(i), dimension_, store.colptr(batch[i].column));
        pad(store, batch[i].column);
    }
    check_finite(batch, store);
}

/// Throws for the batches that failed at the same time: where a process ended, one of them may have done it.
void Session::fail_on(std::span<const FailedBatch> failed, const CallContext& context)
{
    std::vector<float> rows;
    const auto fails = [&](std::span<const text::Sentence> part, const CallContext& again) {
        rows.resize(part.size() * dimension_);
        try {
            encoder_.encode(part, rows.data(), again);
        } catch (const base::Cancelled&) {
            throw;
        } catch (const std::exception&) {
            return true;
        }
        return false;
    };
    const auto of = [](const FailedBatch& batch) {
        return fmt::format("encoding {} beginning with {}",
                           base::counted(batch.sentences.size(), "sentence"),
                           shown(batch.sentences.front().text));
    };
    const auto end = std::chrono::steady_clock::now() + options_.search;
    for (const FailedBatch& batch : failed) {
        if (!batch.is_by_call)
            fail(of(batch), batch.why);
        CallContext again = context;
        again.deadline = end;
        if (failed.size() > 1 && !fails(batch.sentences, again))
            continue;
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            end - std::chrono::steady_clock::now());
        fail(of(batch), batch.why + culprit_text(batch.sentences, fails, context, left));
    }
    fail(of(failed.front()), failed.front().why + "; it did not happen a second time");
}

/// Fills the rest of a column behind its vector.
void Session::pad(arma::fmat& store, std::uint32_t column) const
{
    float* const end = store.colptr(column) + store.n_rows;
    float* const padding = store.colptr(column) + dimension_;
    std::fill(padding, end, 0.0F);
    if (padding != end)
        *padding = 1;
}

void Session::take_from_cache(std::vector<Pending>& pending)
{
    if (cache_key_.empty())
        return;
    const std::size_t asked = pending.size();
    std::erase_if(pending, [&](const Pending& one) {
        pad(store_, one.column);
        return kept_.find(one.sentence, {store_.colptr(one.column), dimension_});
    });
    cached_ += asked - pending.size();
}

void Session::save_to_cache()
{
    if (fresh_.empty())
        return;
    std::vector<CacheEntry> entries;
    entries.reserve(fresh_.size());
    for (const std::uint32_t column : fresh_)
        entries.push_back({sentences_[column], store_.colptr(column)});
    fresh_.clear();
    fresh_tried_ = 0;
    try {
        options_.cache->add(cache_key_, dimension_, entries);
    } catch (const base::Error& e) { // the next run takes longer, that is all
        if (options_.warn)
            options_.warn(fmt::format("the embeddings are not cached: {}", e.what()));
    }
}

void Session::check_finite(std::span<const Pending> batch, const arma::fmat& store) const
{
    for (const Pending& one : batch) {
        const float* vector = store.colptr(one.column);
        const float* end = vector + dimension_;
        const float* bad = std::find_if_not(vector, end, [](float x) { return std::isfinite(x); });
        if (bad != end)
            fail(fmt::format("encoding {}", shown(one.sentence.text)),
                 fmt::format("element {} of {} of its vector is {}{}", bad - vector + 1, dimension_,
                             *bad, std::isnan(*bad) ? " (or was not written)" : ""));
    }
}

} // namespace senteval::encoder
