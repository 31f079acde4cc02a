#include "annex/objective.hpp"
#include "annex/weights.hpp"
#include "base/error.hpp"
#include "core/aligned.hpp"
#include "made_corpus.hpp"
#include "support/support.hpp"

using namespace senteval;
using paragram::Activation;
using paragram::Architecture;
using paragram::Kind;

namespace {

using Head = annex::SimilarityHead<double>;

annex::Objective<double>
objective_of(const Architecture& architecture, const Head* head, annex::Team& team)
{
    if (head != nullptr)
        return annex::Objective<double>(architecture, *head, team);
    return annex::Objective<double>(architecture, 1.5, annex::Negatives::max, team);
}

/// The loss of one batch in double precision, as a function of all parameters: the margin loss, or a head's.
class Loss {
public:
    Loss(const Architecture& architecture,
         const test::MadeCorpus& made,
         std::size_t pairs,
         const Head* head = nullptr)
        : team_(1), objective_(objective_of(architecture, head, team_))
    {
        annex::BatchMaker maker(made.corpus.vocabulary.size(), architecture);
        std::vector<std::uint32_t> numbers(pairs);
        std::iota(numbers.begin(), numbers.end(), 0U);
        maker.make(made.corpus, numbers, batch_);
        for (std::size_t word = 0; word < made.corpus.vocabulary.size(); ++word) {
            std::vector<float> row(architecture.inputs);
            if (word == annex::unknown)
                std::ranges::copy(made.vectors->unknown(), row.begin());
            else
                made.vectors->read(made.corpus.vocabulary.rows[word], row);
            words.insert(words.end(), row.begin(), row.end());
        }
        const auto initial = annex::initial_weights(architecture, 3);
        parameters.assign(initial.begin(), initial.end());
        parameters.resize(initial.size() + (head == nullptr ? 0 : head->parameter_count()));
        for (std::size_t i = 0; i < parameters.size();
             ++i) // so that zeros (peepholes, biases) are none
            parameters[i] += 0.1 * std::sin(static_cast<double>(i));
        width_ = architecture.inputs;
    }

    double operator()()
    {
        const std::size_t stride = core::padded(width_);
        std::vector<double> rows(words.size() / width_ * stride);
        for (std::size_t i = 0; i < words.size(); ++i)
            rows[i / width_ * stride + i % width_] = words[i];
        objective_.reserve(batch_);
        team_.run([&](unsigned member) {
            objective_.compute(member, batch_, {rows.data(), stride}, parameters, 0);
        });
        return objective_.loss();
    }

    /// The greatest distance between the gradient of `values` and finite differences, relative to the
    /// largest of them.
    double error(std::vector<double>& values, const std::vector<double>& gradient)
    {
        double largest = 0;
        double worst = 0;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double step = 1e-4;
            const double kept = values[i];
            const auto at = [&](double offset) {
                values[i] = kept + offset;
                return (*this)();
            };
            // Fourth order: what is left is of the order of step^4.
            const double slope =
                (8 * (at(step) - at(-step)) - (at(2 * step) - at(-2 * step))) / (12 * step);
            values[i] = kept;
            largest = std::max(largest, std::abs(slope));
            worst = std::max(worst, std::abs(slope - gradient[i]));
        }
        REQUIRE(largest > 0);
        return worst / largest;
    }

    [[nodiscard]] std::vector<double> word_gradient()
    {
        (*this)();
        std::vector<double> gradient(words.size());
        std::vector<double> row(core::padded(width_));
        for (std::size_t place = 0; place < batch_.words.size(); ++place) {
            objective_.word_gradient(0, batch_, place, row.data());
            std::copy_n(row.begin(), width_,
                        gradient.begin() +
                            static_cast<std::ptrdiff_t>(batch_.words[place] * width_));
        }
        return gradient;
    }

    [[nodiscard]] std::vector<double> parameter_gradient()
    {
        (*this)();
        std::vector<double> gradient(parameters.size());
        objective_.parameter_gradient(batch_, 0, gradient.size(), gradient.data());
        return gradient;
    }

    std::vector<double> words;
    std::vector<double> parameters;

private:
    annex::Team team_;
    annex::Objective<double> objective_;
    annex::Batch batch_;
    std::size_t width_ = 0;
};

} // namespace

TEST_CASE("every gradient of every model is that of finite differences")
{
    const Architecture architectures[] = {
        {Kind::word, Activation::identity, 4, 4, 1},
        {Kind::projection, Activation::identity, 4, 3, 1},
        {Kind::dan, Activation::tanh, 4, 3, 2},
        {Kind::dan, Activation::relu, 4, 8, 1},
        {Kind::rnn, Activation::tanh, 4, 3, 1},
        {Kind::rnn, Activation::relu, 4, 8, 1},
        {Kind::identity_rnn, Activation::identity, 4, 4, 1},
        {Kind::lstm, Activation::identity, 4, 3, 1},
        {Kind::lstm_no_output_gate, Activation::identity, 4, 3, 1},
    };
    const test::MadeCorpus made(12, 4, 8);
    for (const Architecture& architecture : architectures) {
        CAPTURE(static_cast<int>(architecture.kind));
        CAPTURE(static_cast<int>(architecture.activation));
        Loss loss(architecture, made, 6);
        CHECK(loss() > 0);
        const std::vector<double> of_words = loss.word_gradient();
        CHECK(loss.error(loss.words, of_words) < 1e-6);
        if (loss.parameters.empty())
            continue;
        const std::vector<double> of_parameters = loss.parameter_gradient();
        for (const paragram::Parameter& parameter : paragram::parameters_of(architecture)) {
            CAPTURE(parameter.name);
            const auto begin =
                of_parameters.begin() + static_cast<std::ptrdiff_t>(parameter.offset);
            CHECK(std::any_of(begin, begin + static_cast<std::ptrdiff_t>(parameter.size()),
                              [](double value) { return value != 0; }));
        }
        CHECK(loss.error(loss.parameters, of_parameters) < 1e-6);
    }
}

TEST_CASE(
    "every gradient of a similarity head and of the models below it is that of finite differences")
{
    const Architecture architectures[] = {
        {Kind::word, Activation::identity, 4, 4, 1},
        {Kind::dan, Activation::tanh, 4, 3, 1},
        {Kind::identity_rnn, Activation::identity, 4, 4, 1},
        {Kind::lstm, Activation::identity, 4, 3, 1},
    };
    test::MadeCorpus made(12, 4, 8);
    for (std::size_t pair = 0; pair < made.corpus.pairs(); ++pair) // whole ones and others
        made.corpus.scores[pair] = 1 + 0.5F * static_cast<float>(pair);
    const annex::ScoreRange range = annex::range_of(made.corpus.scores);
    CHECK(range.classes() == 5);
    for (const Architecture& architecture : architectures) {
        CAPTURE(static_cast<int>(architecture.kind));
        const Head head(architecture.outputs, 3, range);
        Loss loss(architecture, made, 8, &head);
        CHECK(loss() > 0);
        CHECK(loss.error(loss.words, loss.word_gradient()) < 1e-6);
        CHECK(loss.error(loss.parameters, loss.parameter_gradient()) < 1e-6);
    }
}

TEST_CASE("a similarity head's loss is the divergence from the score's two classes")
{
    // Without weights all of five classes are as probable: KL(t, uniform) = log 5 - the entropy of t.
    Head head(2, 3, {1, 5});
    const std::vector<double> parameters(head.parameter_count());
    const std::vector<double> vectors{1, 0, 0, 1, 1, 1, 1, 0};
    const std::vector<float> scores{2.25F, 5};
    std::vector<double> slope(vectors.size());
    std::vector<double> gradient(head.parameter_count());
    const double loss =
        head.compute(parameters, {vectors.data(), 2, 2}, scores, {slope.data(), 2, 2}, gradient);
    const double entropy = -0.75 * std::log(0.75) - 0.25 * std::log(0.25);
    CHECK(loss == doctest::Approx(std::log(5.0) - entropy / 2));
    CHECK_THROWS_AS(annex::range_of(std::vector<float>{0, 250}), base::UsageError);
    CHECK(annex::range_of(std::vector<float>{3, 3}).empty());
}

TEST_CASE("the loss is that of the definition, and its negatives are the nearest of the batch")
{
    const test::MadeCorpus made(9, 5, 7);
    const Architecture architecture{Kind::word, Activation::identity, 5, 5, 1};
    Loss loss(architecture, made, 5);
    const double computed = loss();
    std::vector<std::vector<double>> units;
    for (const std::size_t side : {0U, 1U})
        for (std::size_t pair = 0; pair < 5; ++pair) {
            std::vector<double> mean(5);
            for (const annex::Word word : made.corpus.phrase(pair, side))
                for (std::size_t i = 0; i < 5; ++i)
                    mean[i] += loss.words[word * std::size_t{5} + i];
            const double norm =
                std::sqrt(std::inner_product(mean.begin(), mean.end(), mean.begin(), 0.0));
            for (double& value : mean)
                value /= norm;
            units.push_back(mean);
        }
    const auto cosine = [&](std::size_t a, std::size_t b) {
        return std::inner_product(units[a].begin(), units[a].end(), units[b].begin(), 0.0);
    };
    double expected = 0;
    for (std::size_t sentence = 0; sentence < 10; ++sentence) {
        double nearest = -2;
        for (std::size_t other = 0; other < 10; ++other)
            if (other % 5 != sentence % 5)
                nearest = std::max(nearest, cosine(sentence, other));
        expected += std::max(0.0, 1.5 - cosine(sentence, (sentence + 5) % 10) + nearest) / 5;
    }
    CHECK(computed == doctest::Approx(expected).epsilon(1e-12));
}

TEST_CASE("random negatives are neither the sentence nor its partner and reach all others")
{
    // Eight equal sentences but one pair: MAX would always take the first; MIX takes others, too.
    const test::MadeCorpus made(6, 3, 10);
    const Architecture architecture{Kind::word, Activation::identity, 3, 3, 1};
    annex::Team team(1);
    annex::BatchMaker maker(made.corpus.vocabulary.size(), architecture);
    annex::Batch batch;
    const std::vector<std::uint32_t> pairs{0, 1, 2, 3, 4};
    maker.make(made.corpus, pairs, batch);
    std::vector<float> words(made.corpus.vocabulary.size() * core::line_floats);
    for (annex::Word word = 1; word < made.corpus.vocabulary.size(); ++word)
        made.vectors->read(made.corpus.vocabulary.rows[word],
                           {words.data() + word * core::line_floats, 3});
    annex::Objective<float> max(architecture, 1.0, annex::Negatives::max, team);
    annex::Objective<float> mix(architecture, 1.0, annex::Negatives::mix, team);
    const auto separation = [&](annex::Objective<float>& objective, std::uint64_t coin) {
        objective.reserve(batch);
        team.run([&](unsigned member) {
            objective.compute(member, batch, {words.data(), core::line_floats}, {}, coin);
        });
        return objective.separation();
    };
    const double least = separation(max, 0);
    bool differs = false;
    for (std::uint64_t coin = 0; coin < 50; ++coin) {
        CHECK(separation(max, coin << 20U) == least);
        const double one = separation(mix, coin << 20U);
        CHECK(one >= least - 1e-6); // no negative is nearer than the nearest
        differs = differs || one > least + 1e-3;
    }
    CHECK(differs);
}
