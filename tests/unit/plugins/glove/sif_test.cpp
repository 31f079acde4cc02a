#include "glove/sif.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

using namespace senteval;
using namespace senteval::glove;

namespace {

using Values = std::vector<double>;

std::string count_error(std::string_view bytes)
{
    const test::ScratchFolder scratch;
    const std::string message =
        test::error_of<sdk::Error>([&] { return WordCounts(scratch.write("counts.txt", bytes)); });
    return message.substr(message.find("counts.txt"));
}

/// Fits a component on rows of three values and removes it from each.
std::vector<Values> without_component(std::vector<Values> rows, unsigned threads = 1)
{
    const test::FakeCall call(threads);
    CommonComponent component;
    component.fit(call.sdk(), rows.size(), 3, [&](std::size_t begin, std::span<double> out) {
        for (std::size_t i = begin; !out.empty(); ++i, out = out.subspan(3))
            std::ranges::copy(rows[i], out.begin());
    });
    for (Values& row : rows)
        component.remove_from(row);
    return rows;
}

} // namespace

TEST_CASE("word counts become probabilities")
{
    const test::ScratchFolder scratch;
    const WordCounts counts(scratch.write("c.txt", "the 60\r\ncat\t30\n\nnew york 10"));
    CHECK(counts.probability("the") == 0.6);
    CHECK(counts.probability("cat") == 0.3);
    CHECK(counts.probability("new york") == 0.1);
    CHECK_FALSE(counts.probability("dog").has_value());
    const WordCounts marked(scratch.write("m.txt", "\xEF\xBB\xBF"
                                                   "the 60\ncat 40\n"));
    CHECK(marked.probability("the").value() == doctest::Approx(0.6));
}

TEST_CASE("files that are no word counts are refused with the line")
{
    CHECK(count_error("the 60\ncat\n").starts_with("counts.txt:2: "));
    for (const char* line : {"the x\n", "the -1\n"})
        CHECK(count_error(line).starts_with("counts.txt:1: "));
    for (const char* nothing : {"", "the 0\n"})
        CHECK(count_error(nothing).starts_with("counts.txt: "));
}

TEST_CASE("weights are a over a plus probability, and 1 for words without a count")
{
    const test::ScratchFolder scratch;
    const test::FakeHost host;
    const test::FakeCall call;
    const word_vectors::WordVectors vectors(
        {scratch.write("v.txt", "the 8 16\ncat 4 0\nzebra 10 20\n")}, host.sdk(), call.sdk());
    for (const bool filled : {false, true}) {
        word_vectors::Table table(
            vectors, word_vectors::resolve_by(vectors, word_vectors::CasePolicy::exact),
            host.sdk());
        const test::Sentences sentences({"the cat zebra unknown"});
        if (filled)
            table.fill(call.sdk(), sentences.sdk());
        SifWeights sif(WordCounts(scratch.write("c.txt", "the 60\ncat 20\nother 20\n")), 0.2,
                       word_vectors::CasePolicy::exact);
        sif.fill(table);
        word_vectors::SentenceReader reader(table);
        Values out(2);
        // Weights 0.2 / 0.8 = 0.25, 0.2 / 0.4 = 0.5, 1: the sum is 2 + 2 + 10 and 4 + 0 + 20.
        sif.average(Unknown::skip, reader.read("the cat zebra unknown"), out);
        CHECK(out[0] == doctest::Approx(14.0 / 3.0).epsilon(1e-14));
        CHECK(out[1] == doctest::Approx(24.0 / 3.0).epsilon(1e-14));
        sif.average(Unknown::zero, reader.read("the cat zebra unknown"), out);
        CHECK(out[0] == doctest::Approx(14.0 / 4.0).epsilon(1e-14));
        sif.average(Unknown::skip, reader.read("unknown"), out);
        CHECK(out == Values{0, 0});
    }
}

TEST_CASE("counts are found by the case policy of the vectors")
{
    const test::ScratchFolder scratch;
    const test::FakeHost host;
    const test::FakeCall call;
    const word_vectors::WordVectors vectors({scratch.write("v.txt", "cat 4\n")}, host.sdk(),
                                            call.sdk());
    const auto policy = word_vectors::CasePolicy::fallback;
    word_vectors::Table table(vectors, word_vectors::resolve_by(vectors, policy), host.sdk());
    SifWeights sif(WordCounts(scratch.write("c.txt", "cat 1\n")), 1.0, policy);
    word_vectors::SentenceReader reader(table);
    Values out(1);
    sif.average(Unknown::skip, reader.read("CAT"), out);
    CHECK(out == Values{2}); // weight 1 / (1 + 1)
}

TEST_CASE("a must be above 0")
{
    const test::ScratchFolder scratch;
    const auto file = scratch.write("c.txt", "the 1\n");
    for (const double a : {0.0, -1.0, std::nan("")})
        CHECK_THROWS_AS(SifWeights(WordCounts(file), a, word_vectors::CasePolicy::exact),
                        sdk::Error);
}

TEST_CASE("vectors along one direction have nothing but the common component")
{
    for (const Values& row : without_component({{1, 2, 2}, {-2, -4, -4}, {0, 0, 0}}))
        for (const double value : row)
            CHECK(value == doctest::Approx(0.0).epsilon(1e-12));
}

TEST_CASE("the component is the first singular vector, not centred")
{
    // The rows' outer products sum to diag(9 + 9, 4, 1): the component is the first axis, though the
    // mean of that column is 0.
    const auto rows = without_component({{3, 0, 0}, {-3, 0, 0}, {0, 2, 0}, {0, 0, 1}});
    CHECK(rows[0] == Values{0, 0, 0});
    CHECK(rows[2] == Values{0, 2, 0});
    // numpy.linalg.svd([[1, 2, 3], [2, 1, 0], [4, 4, 5]]): first right singular vector
    // (0.5101041, 0.5383090, 0.6708333).
    const auto mixed = without_component({{1, 2, 3}, {2, 1, 0}, {4, 4, 5}});
    CHECK(mixed[0][0] == doctest::Approx(-0.8359777973571803).epsilon(1e-10));
    CHECK(mixed[0][2] == doctest::Approx(0.5855222595860652).epsilon(1e-10));
    CHECK(mixed[1][1] == doctest::Approx(0.16103625330212734).epsilon(1e-10));
}

TEST_CASE("the component does not depend on the number of threads")
{
    std::vector<Values> rows;
    for (int i = 0; i < 20000; ++i)
        rows.push_back({std::sin(i), 0.3 + std::cos(3 * i), std::sin(i * i)});
    CHECK(without_component(rows, 1) == without_component(rows, 3));
}

TEST_CASE("no vectors, or zeros, have no component to remove")
{
    CHECK(without_component({}).empty());
    CHECK(without_component({{0, 0, 0}})[0] == Values{0, 0, 0});
    Values vector{1, 2, 3};
    CommonComponent().remove_from(vector);
    CHECK(vector == Values{1, 2, 3});
}
