#include "same/verdict.hpp"

#include "support/support.hpp"

#include <cmath>

using namespace senteval;
using namespace senteval::same;

namespace {

constexpr std::size_t count = 40;

arma::fmat random(std::size_t dimension, unsigned seed)
{
    arma::arma_rng::set_seed(seed);
    return arma::randn<arma::fmat>(dimension, count);
}

Answers answers(const arma::fmat& vectors)
{
    return {vectors, std::vector<std::string>(vectors.n_cols)};
}

std::vector<std::string> numbered()
{
    std::vector<std::string> list;
    for (std::size_t i = 0; i < count; ++i)
        list.push_back("text " + std::to_string(i));
    return list;
}

/// Of two encoders that were asked, and of which nothing can be changed.
Verdict judged(Side a, Side b)
{
    const auto list = numbered();
    std::array<Side, 2> sides{std::move(a), std::move(b)};
    for (Side& side : sides)
        judge_side(side, list);
    return judge(
        sides, list, std::vector<std::size_t>(count, 3), 0,
        [](bool) { return changes_for([](auto) { return true; }, {}, true); },
        [](const Change&, const Numbers&) { return std::optional<Answers>(); });
}
Verdict judged(const arma::fmat& a, const arma::fmat& b)
{
    return judged({"a", answers(a)}, {"b", answers(b)});
}

} // namespace

TEST_CASE("a gap is of direction and of length, also of zeros")
{
    const std::vector<float> x{3, 0};
    const std::vector<float> y{0, 4};
    const std::vector<float> zero{0, 0};
    CHECK(gap_of(x, y).direction == doctest::Approx(1));
    CHECK(gap_of(x, y).length == doctest::Approx(.25));
    CHECK(gap_of(x, x).direction == 0);
    CHECK(gap_of(zero, zero).direction == 0);
    CHECK(gap_of(zero, x).direction == 1);
}

TEST_CASE("vectors are the same within the limits, and lengths are told apart from directions")
{
    const arma::fmat own = random(16, 1);
    CHECK(judged(own, own * 1.0005F).answer == Answer::yes);
    const Verdict longer = judged(own, own * 1.01F);
    CHECK(longer.answer == Answer::no);
    CHECK(longer.direction == count);
    CHECK_FALSE(longer.unit);
    const Verdict unit = judged(own, arma::normalise(own));
    CHECK(unit.unit == 1);
    CHECK(unit.answer == Answer::no);
    CHECK_FALSE(unit.causes); // nothing else is to be explained
}

TEST_CASE("shorter vectors, other rows, and another precision are told from the vectors alone")
{
    const arma::fmat own = arma::normalise(random(16, 2));
    const Verdict shorter = judged(own, arma::normalise(arma::fmat(own.head_rows(8))));
    CHECK(shorter.is_shortened);
    CHECK(shorter.answer == Answer::no);
    CHECK_FALSE(judged(own, random(8, 3)).is_shortened);
    arma::fmat turned = own;
    turned.swap_cols(3, 4);
    CHECK(judged(own, turned).swapped == Numbers{3, 4});
    const Verdict rounded = judged(own, own + .02F * random(16, 4));
    CHECK(rounded.is_rounding);
    CHECK(rounded.causes->fits.empty());
    arma::fmat one = own;
    one.head_cols(30) += .02F * random(16, 4).head_cols(30);
    CHECK_FALSE(judged(own, one).is_rounding); // some are the same
    CHECK_FALSE(judged(own, own + .5F * random(16, 4)).is_rounding);
}

TEST_CASE("an encoder's own noise widens the limits, and what is not repeated is set apart")
{
    const arma::fmat own = random(16, 5);
    Side noisy{"noisy", answers(own + .03F * random(16, 6)), answers(own + .03F * random(16, 7))};
    noisy.again.vectors.col(7) *= -1.0F;
    Side judgement = noisy;
    judge_side(judgement, numbered());
    CHECK(judgement.limits.direction > 1e-3);
    CHECK(judgement.unsteady == Numbers{7});
    const Verdict verdict = judged(noisy, {"a", answers(own)});
    CHECK(verdict.compared.size() == count - 1);
    CHECK(verdict.same.size() >= count - 3);
    CHECK(verdict.answer == Answer::no); // one answer is not repeated
    CHECK(judged({"wild", answers(own), answers(random(16, 8))}, {"a", answers(own)}).answer ==
          Answer::open);
}

TEST_CASE("what is not answered is not compared")
{
    const arma::fmat own = random(16, 9);
    Side other{"b", answers(own)};
    other.first.errors[5] = "too long";
    const Verdict verdict = judged({"a", answers(own)}, other);
    CHECK(verdict.compared.size() == count - 1);
    CHECK(verdict.answer == Answer::no);
    other.first.errors.assign(count, "down");
    CHECK(judged({"a", answers(own)}, other).answer == Answer::open);
}

TEST_CASE("a pass tells answers of other texts from other answers and from none")
{
    const arma::fmat own = random(16, 10);
    Answers seen = answers(own);
    seen.vectors.col(2) = own.col(9);
    seen.vectors.col(4) *= -1.0F;
    seen.errors[6] = "busy";
    const Pass pass = judge_pass("", answers(own), seen, all_of(numbered()), {});
    CHECK(pass.of_others == Numbers{2});
    CHECK(pass.differing == Numbers{4});
    CHECK(pass.failed == Numbers{6});
    CHECK(pass.error == "busy");
    CHECK(pass.worst == doctest::Approx(2));
    CHECK(judge_pass("", answers(own), answers(own), all_of(numbered()), {}).is_clean());
}

TEST_CASE("the trait of differing texts is the one that fewest others have")
{
    auto list = numbered();
    arma::fmat own = random(16, 11);
    arma::fmat other = own;
    std::vector<std::size_t> lengths(count, 3);
    for (std::size_t i = 0; i < 10; ++i) {
        list[i] = "Text " + std::to_string(i);
        other.col(i) *= -1.0F;
        lengths[i] = 9;
    }
    lengths[20] = 9;
    const auto trait = [&] {
        std::array<Side, 2> sides{Side{"a", answers(own)}, Side{"b", answers(other)}};
        for (Side& side : sides)
            judge_side(side, list);
        return judge(
                   sides, list, lengths, 0, [](bool) { return std::vector<Change>(); },
                   [](const Change&, const Numbers&) { return std::optional<Answers>(); })
            .trait;
    };
    REQUIRE(trait());
    CHECK(trait()->what == text_changes().front().trait);
    CHECK(trait()->others == 0);
    lengths[20] = 3;
    list[30] = "Another";
    CHECK(trait()->what.empty());
    CHECK(trait()->shortest == 9);
    CHECK(trait()->longest == 3);
    lengths[3] = 3;
    CHECK(trait()->others == 1); // upper case again
}
