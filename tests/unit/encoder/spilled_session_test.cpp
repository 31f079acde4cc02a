// A session whose vectors do not fit in memory.
#include "base/error.hpp"
#include "encoder/session.hpp"
#include "encoder/vector_memory.hpp"
#include "support/plain_encoder.hpp"
#include "support/support.hpp"

using namespace senteval;
using encoder::Session;

namespace {

/// The vector of a sentence: its bytes, over and over, each divided by its place.
class Bytes : public test::PlainEncoder {
public:
    explicit Bytes(bool batch_invariant) : PlainEncoder(40)
    {
        can.batch_invariant = batch_invariant;
    }
    void
    encode(std::span<const text::Sentence> batch, float* out, const encoder::CallContext&) override
    {
        ++calls;
        for (const text::Sentence& sentence : batch)
            for (std::size_t at = 0; at < dimension(); ++at)
                *out++ = static_cast<float>(sentence.text[at % sentence.text.size()]) /
                         static_cast<float>(at + 1);
    }
    int calls = 0;
};

const std::vector<text::Sentence> spilled_sentences = {
    {"one", 1}, {"two words", 2}, {"one", 1}, {"now three words", 3}, {"then four words now", 4}};

/// All vectors, then their images under two projections.
std::vector<arma::fmat> vectors_of(Session& session)
{
    session.prepare("task", spilled_sentences);
    std::vector<arma::fmat> found = {session.embed(spilled_sentences).matrix()};
    for (const auto kind : {embedding::ProjectionKind::random, embedding::ProjectionKind::pca}) {
        session.project({{kind, 3}});
        found.push_back(session.embed(spilled_sentences).matrix());
    }
    return found;
}

} // namespace

TEST_CASE("vectors in a file are the same as in memory")
{
    for (const bool batch_invariant : {true, false}) {
        Bytes plain(batch_invariant);
        Session in_memory(plain, {});
        const auto expected = vectors_of(in_memory);

        const test::ScratchFolder folder;
        encoder::SessionOptions options;
        options.spill.folder = folder.path();
        options.spill.available = [] { return 0; };
        Bytes encoder(batch_invariant);
        Session session(encoder, options);
        for (int task = 0; task < 2; ++task) {
            const auto found = vectors_of(session);
            REQUIRE(found.size() == expected.size());
            for (std::size_t at = 0; at < found.size(); ++at)
                CHECK(arma::approx_equal(found[at], expected[at], "absdiff", 0.0F));
        }
        CHECK(std::filesystem::is_empty(folder.path()));
    }
}

TEST_CASE("without a folder for them, vectors that do not fit are refused before any is made")
{
    Bytes encoder(true);
    encoder::SessionOptions options;
    options.spill.available = [] { return 100; };
    Session session(encoder, options);
    CHECK_ERROR(base::Error, "--spill DIR", session.prepare("MR", spilled_sentences));
    CHECK(encoder.calls == 0);

    const test::ScratchFolder folder;
    options.spill.folder = folder.write("file", "");
    Session nowhere(encoder, options);
    CHECK_ERROR(base::Error, "failed on task MR", nowhere.prepare("MR", spilled_sentences));
}

TEST_CASE("memory of a few vectors serves the next task, that of many is given back and asked for")
{
    encoder::SpillOptions options;
    int asked = 0;
    options.available = [&] {
        ++asked;
        return std::uint64_t{1} << 30U;
    };
    encoder::VectorMemory memory;
    constexpr auto rows = encoder::VectorRows::dense;
    const arma::fmat first = memory.allocate(10, rows, 1000, options);
    memory.reset();
    CHECK(memory.allocate(100, rows, 500, options).memptr() == first.memptr());
    CHECK(asked == 1);
    (void)memory.allocate(1000, rows, 10000, options);
    CHECK(asked == 2);
    (void)memory.allocate(10, rows, 1000, options);
    CHECK(asked == 3);
}
