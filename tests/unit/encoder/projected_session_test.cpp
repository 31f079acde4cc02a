// A session that answers with projected vectors.
#include "base/error.hpp"
#include "encoder/session.hpp"
#include "support/plain_encoder.hpp"
#include "support/support.hpp"

using namespace senteval;
using embedding::ProjectionKind;
using encoder::Session;

namespace {

/// The vector of a sentence is that many first powers of its length in bytes, over ten. Where it is
/// not batch-invariant, the number of sentences in the batch is added.
class Powers : public test::PlainEncoder {
public:
    using PlainEncoder::PlainEncoder;
    std::size_t encoded = 0;

    void
    encode(std::span<const text::Sentence> batch, float* out, const encoder::CallContext&) override
    {
        encoded += batch.size();
        const double added = can.batch_invariant ? 0 : static_cast<double>(batch.size());
        for (const text::Sentence& sentence : batch)
            for (std::size_t power = 1; power <= dimension(); ++power)
                *out++ = sentence.text == "bad"
                             ? std::numeric_limits<float>::infinity()
                             : static_cast<float>(
                                   added +
                                   std::pow(static_cast<double>(sentence.text.size()) / 10, power));
    }
};

const std::vector<text::Sentence> some_sentences = {
    {"one", 1}, {"two words", 2}, {"now three words", 3}, {"one", 1}, {"then four words now", 4}};

/// A session for a task of `announced`.
Session session_for(Powers& encoder,
                    std::size_t batch_size = 2,
                    unsigned threads = 1,
                    const std::vector<text::Sentence>& announced = some_sentences)
{
    encoder::SessionOptions options;
    options.batch_size = batch_size;
    options.threads = threads;
    Session session(encoder, options);
    session.prepare("MR", announced);
    return session;
}

bool equal(const arma::fmat& a, const arma::fmat& b)
{
    return arma::approx_equal(a, b, "absdiff", 0.0F);
}

} // namespace

TEST_CASE("a session's vectors lie as the rows of a classifier")
{
    Powers encoder(20);
    Session session = session_for(encoder);
    const embedding::Embeddings found = session.embed(some_sentences);
    CHECK(found.dimension() == 20);
    CHECK(found.store->n_rows == core::row_stride(20));
    for (std::size_t i = 0; i < found.size(); ++i) {
        const float* const vector = found.vector(i);
        CHECK(reinterpret_cast<std::uintptr_t>(vector) % 64 == 0);
        CHECK(vector[0] ==
              static_cast<float>(static_cast<double>(some_sentences[i].text.size()) / 10));
        CHECK(vector[20] == 1);
        for (std::size_t at = 21; at < core::row_stride(20); ++at)
            CHECK(vector[at] == 0);
    }
}

TEST_CASE("a dimension that no memory holds is an error that says how much it needs")
{
    for (const std::size_t dimension :
         {std::numeric_limits<std::size_t>::max(), std::size_t{1} << 61U, std::size_t{1} << 50U}) {
        if (test::is_sanitized && dimension == std::size_t{1} << 50U)
            continue; // a sanitizer's allocator ends the process where others throw
        Powers encoder(dimension);
        CHECK_ERROR(base::Error, "do not fit", session_for(encoder));
    }
}

TEST_CASE("a session projects its vectors without encoding a sentence again")
{
    for (const unsigned threads : {1U, 3U}) {
        Powers encoder(6);
        Session session = session_for(encoder, 2, threads);
        const arma::fmat vectors = session.embed(some_sentences).matrix();
        CHECK(session.dimension() == 6);

        session.project({{ProjectionKind::random, 3}});
        CHECK(session.dimension() == 3);
        CHECK(session.encoder_dimension() == 6);
        CHECK(equal(session.embed(some_sentences).matrix(),
                    embedding::Projection::random(6, 3, 1111).apply(vectors)));

        session.project({{ProjectionKind::pca, 2}});
        const arma::fmat distinct =
            vectors.cols(arma::uvec{0, 1, 2, 4}); // repeated ones count once
        CHECK(equal(session.embed(some_sentences).matrix(),
                    embedding::Projection::principal(distinct, 2).apply(vectors)));
        CHECK(session.norm() ==
              doctest::Approx(
                  arma::norm(embedding::Projection::principal(distinct, 2).apply(distinct),
                             "fro") /
                  2)
                  .epsilon(1e-5)); // of four sentences

        session.project({});
        CHECK(equal(session.embed(some_sentences).matrix(), vectors));
        CHECK(encoder.encoded == 4);
    }
}

TEST_CASE("what is projected does not depend on what was asked before")
{
    const std::vector<text::Sentence> last(some_sentences.begin() + 2, some_sentences.end());
    Powers plain(6);
    Session all = session_for(plain);
    all.project({{ProjectionKind::pca, 2}});
    const arma::fmat expected = all.embed(some_sentences).matrix();

    Powers encoder(6);
    Session session = session_for(encoder);
    (void)session.embed(last);
    session.project({{ProjectionKind::pca, 2}});
    CHECK(equal(session.embed(last).matrix(), expected.tail_cols(3)));
    CHECK(equal(session.embed(some_sentences).matrix(), expected));
}

TEST_CASE("vectors with no more dimensions stay as they are")
{
    Powers encoder(3);
    Session session = session_for(encoder);
    const arma::fmat vectors = session.embed(some_sentences).matrix();
    for (const std::size_t wanted : {3U, 10U})
        for (const auto kind : {ProjectionKind::random, ProjectionKind::pca}) {
            session.project({{kind, wanted}});
            CHECK(session.dimension() == 3);
            CHECK(equal(session.embed(some_sentences).matrix(), vectors));
        }
}

TEST_CASE("the batches of an encoder that is not batch-invariant stay what they are when projected")
{
    Powers alone(4);
    alone.can.batch_invariant = false;
    Session plain = session_for(alone, 3);
    const arma::fmat vectors = plain.embed(some_sentences).matrix();

    for (const auto kind : {ProjectionKind::random, ProjectionKind::pca}) {
        Powers encoder(4);
        encoder.can.batch_invariant = false;
        Session session = session_for(encoder, 3);
        session.project({{kind, 2}}); // before anything is embedded
        const arma::fmat images = session.embed(some_sentences).matrix();
        session.project({});
        CHECK(equal(session.embed(some_sentences).matrix(), vectors));
        session.project({{kind, 2}});
        CHECK(equal(session.embed(some_sentences).matrix(), images));
        CHECK(encoder.encoded == (kind == ProjectionKind::pca ? 9 : 5));
    }
}

TEST_CASE("principal components are not made of vectors that are not finite")
{
    Powers encoder(6);
    const std::vector<text::Sentence> announced = {{"one", 1}, {"bad", 1}}; // outlives the session
    Session session = session_for(encoder, 2, 1, announced);
    CHECK_THROWS_AS(session.project({{ProjectionKind::pca, 2}}), base::Error);
}
