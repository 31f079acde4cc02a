#include "annex/word_table.hpp"

#include "core/aligned.hpp"
#include "learn/random.hpp"
#include "support/support.hpp"

using namespace senteval;
using annex::Word;
using annex::WordTable;

namespace {

std::vector<float> row_of(const WordTable& table, Word word)
{
    const auto row = table.row(word);
    return {row.begin(), row.end()};
}

} // namespace

TEST_CASE("a penalty that is paid late is the one that is paid in every step")
{
    constexpr std::size_t words = 5;
    constexpr std::size_t dimension = 18;
    constexpr double rate = 0.05;
    constexpr double strength = 0.7;
    for (const std::string optimiser : {"adam,lr=0.05", "adagrad,lr=0.05"}) {
        CAPTURE(optimiser);
        const learn::Optimizer method(optimiser);
        WordTable table(words, dimension, method.initial_square(), rate * strength);
        std::vector<double> initial;
        for (Word word = 0; word < words; ++word)
            for (std::size_t i = 0; i < dimension; ++i) {
                table.initial(word)[i] = static_cast<float>(word) - 0.5F * static_cast<float>(i);
                initial.push_back(static_cast<double>(table.initial(word)[i]));
            }
        table.begin();

        // The dense update: all rows in every step, in double precision.
        std::vector<double> dense = initial;
        std::vector<double> first(dense.size());
        std::vector<double> second(dense.size());
        const core::FloatBlock gradient = core::make_float_block(core::padded(dimension));
        std::fill_n(gradient.get(), core::padded(dimension), 0.0F);
        learn::Mt19937 random(5);
        constexpr std::uint64_t steps = 200;
        for (std::uint64_t step = 1; step <= steps; ++step) {
            const Word touched = random.next() % 4; // the last one never is
            table.catch_up(touched, step - 1);
            for (std::size_t i = 0; i < dimension; ++i)
                gradient[i] = static_cast<float>(random.next() % 1000) / 500.0F - 1;
            if (step % 3 != 0)
                table.update(touched, step, method.method(), method.constants(step),
                             gradient.get());
            const auto constants = method.constants(step);
            for (std::size_t i = 0; i < dimension && step % 3 != 0; ++i) {
                const std::size_t at = touched * dimension + i;
                const auto g = static_cast<double>(gradient[i]);
                if (method.method() == learn::Method::adam) {
                    first[at] = 0.9 * first[at] + 0.1 * g;
                    second[at] = 0.999 * second[at] + 0.001 * g * g;
                    dense[at] -=
                        static_cast<double>(constants.rate) * first[at] /
                        (std::sqrt(second[at]) * static_cast<double>(constants.square_scale) +
                         1e-8);
                } else {
                    second[at] += g * g;
                    dense[at] -= rate * g / (std::sqrt(second[at]) + 1e-10);
                }
            }
            for (std::size_t at = 0; at < dense.size(); ++at)
                dense[at] -= rate * strength * (dense[at] - initial[at]);
        }
        bool moved = false;
        for (Word word = 0; word < words; ++word) {
            table.catch_up(word, steps);
            const std::vector<float> row = row_of(table, word);
            for (std::size_t i = 0; i < dimension; ++i) {
                CHECK(static_cast<double>(row[i]) ==
                      doctest::Approx(dense[word * dimension + i]).epsilon(1e-5));
                moved = moved || row[i] != table.initial(word)[i];
            }
        }
        CHECK(moved);
        CHECK(row_of(table, 4)[1] == table.initial(4)[1]);
    }
}
