#include "core/error.hpp"
#include "encoder/projected_encoder.hpp"
#include "encoder/session.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

using namespace senteval;
using encoder::ProjectedEncoder;
using encoder::ProjectionKind;

namespace {

/// The vector of a sentence is that many first powers of its length in bytes, over ten.
class Powers : public encoder::Encoder {
public:
    explicit Powers(std::size_t dimension) : dimension_(dimension)
    {
        identity_.label = "powers";
        identity_.id = "test.powers";
        identity_.parameters["degree"] = dimension;
        identity_.fingerprint = "p" + std::to_string(dimension);
    }
    [[nodiscard]] const encoder::Identity& identity() const override { return identity_; }
    [[nodiscard]] encoder::Capabilities capabilities() const override
    {
        return {.concurrent = true, .batch_invariant = true, .deterministic = true};
    }
    [[nodiscard]] bool has_prepare() const override { return false; }
    void prepare(std::string_view,
                 std::span<const text::Sentence> samples,
                 const encoder::CallContext&) override
    {
        prepared_with = samples.size();
    }
    [[nodiscard]] std::size_t dimension() override { return dimension_; }
    void
    encode(std::span<const text::Sentence> batch, float* out, const encoder::CallContext&) override
    {
        for (const text::Sentence& sentence : batch)
            for (std::size_t power = 1; power <= dimension_; ++power)
                *out++ = sentence.text == "bad"
                             ? std::numeric_limits<float>::infinity()
                             : static_cast<float>(
                                   std::pow(static_cast<double>(sentence.text.size()) / 10, power));
    }
    std::size_t prepared_with = 0;

private:
    std::size_t dimension_;
    encoder::Identity identity_;
};

const std::vector<text::Sentence> sentences = {
    {"one", 1}, {"two words", 2}, {"now three words", 3}, {"one", 1}, {"then four words now", 4}};

arma::fmat embedded(encoder::Encoder& encoder, std::size_t batch_size)
{
    encoder::SessionOptions options;
    options.batch_size = batch_size;
    encoder::Session session(encoder, options);
    session.prepare("Example", sentences);
    return session.embed(sentences).matrix();
}

ProjectedEncoder
projected(std::size_t from, std::size_t to, ProjectionKind kind = ProjectionKind::random)
{
    return {std::make_unique<Powers>(from), {kind, to}};
}

} // namespace

TEST_CASE("a projected encoder says who it is, and what it was before")
{
    auto random = projected(6, 3);
    CHECK(random.identity().label == "powers @3 random");
    CHECK(random.identity().id == "test.powers");
    CHECK(random.identity().parameters["degree"] == 6);
    CHECK(random.identity().parameters["projection"]["kind"] == "random");
    CHECK(random.identity().parameters["projection"]["dimension"] == 3);
    CHECK_FALSE(random.has_prepare());
    (void)embedded(random, 2);
    CHECK(random.identity().parameters["projection"]["from"] == 6);

    const auto pca = projected(6, 3, ProjectionKind::pca);
    CHECK(pca.identity().label == "powers @3 pca");
    CHECK(pca.identity().parameters["projection"]["transductive"] == true);
    CHECK(pca.has_prepare());
    CHECK(random.identity().fingerprint != pca.identity().fingerprint);
    CHECK(random.identity().fingerprint != projected(6, 2).identity().fingerprint);
    CHECK(random.identity().fingerprint != projected(5, 3).identity().fingerprint);
    CHECK(random.identity().fingerprint == projected(6, 3).identity().fingerprint);

    encoder::Identity with_its_own;
    with_its_own.parameters["projection"] = "matrix.txt";
    const auto both = encoder::projected(with_its_own, {ProjectionKind::random, 3});
    CHECK(both.parameters["projection"]["of_encoder"] == "matrix.txt");
}

TEST_CASE("projected vectors are the projection of the encoder's, whatever the batches")
{
    Powers plain(6);
    const arma::fmat vectors = embedded(plain, 3);
    auto random = projected(6, 3);
    const arma::fmat expected = embedding::Projection::random(6, 3, 1111).apply(vectors);
    for (const std::size_t batch : {1U, 2U, 5U})
        CHECK(arma::approx_equal(embedded(random, batch), expected, "absdiff", 0.0F));

    auto pca = projected(6, 2, ProjectionKind::pca);
    const arma::fmat images = embedded(pca, 2);
    const arma::fmat distinct = vectors.cols(arma::uvec{0, 1, 2, 4}); // repeated ones count once
    const auto components = embedding::Projection::principal(distinct, 2);
    CHECK(arma::approx_equal(images, components.apply(vectors), "absdiff", 0.0F));
    CHECK(arma::approx_equal(embedded(pca, 5), images, "absdiff", 0.0F));
}

TEST_CASE("vectors with no more dimensions stay as they are")
{
    Powers plain(3);
    const arma::fmat vectors = embedded(plain, 2);
    for (const std::size_t wanted : {3U, 10U})
        for (const auto kind : {ProjectionKind::random, ProjectionKind::pca}) {
            auto encoder = projected(3, wanted, kind);
            CHECK(arma::approx_equal(embedded(encoder, 2), vectors, "absdiff", 0.0F));
            CHECK(encoder.dimension() == 3);
        }
}

TEST_CASE("principal components are not made of vectors that are not finite")
{
    auto pca = projected(6, 2, ProjectionKind::pca);
    const std::vector<text::Sentence> bad = {{"one", 1}, {"bad", 1}};
    CHECK_THROWS_AS(pca.prepare("Example", bad, {}), core::Error);
    std::stop_source source;
    source.request_stop();
    encoder::CallContext stopped;
    stopped.stop = source.get_token();
    CHECK_THROWS_AS(pca.prepare("Example", sentences, stopped), core::Cancelled);
}
