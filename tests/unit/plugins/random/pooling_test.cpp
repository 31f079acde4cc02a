#include "random/words.hpp"
#include "support/support.hpp"

namespace {

namespace random = senteval::random;
using Vector = std::vector<float>;

Vector pooled(random::Pooling pooling, const std::vector<Vector>& vectors)
{
    random::Pool pool(pooling, 3);
    pool.add(Vector{9, 9, 9});
    pool.clear(); // forgets it
    for (const Vector& vector : vectors)
        pool.add(vector);
    Vector out(3, -1);
    pool.write(out);
    return out;
}

Vector activated(random::Activation activation)
{
    Vector vector = {-2, 0, 0.5};
    random::apply(activation, vector);
    return vector;
}

} // namespace

TEST_CASE("pooling takes the mean, sum, maximum or minimum of each element")
{
    const std::vector<Vector> vectors = {{1, -2, 3}, {4, -5, -6}, {1, 1, 0}};
    CHECK(pooled(random::Pooling::mean, vectors) == Vector{2, -2, -1});
    CHECK(pooled(random::Pooling::sum, vectors) == Vector{6, -6, -3});
    CHECK(pooled(random::Pooling::max, vectors) == Vector{4, 1, 3});
    CHECK(pooled(random::Pooling::min, vectors) == Vector{1, -5, -6});
    CHECK(pooled(random::Pooling::max, {}) == Vector{0, 0, 0});
    CHECK(pooled(random::Pooling::min, {{2, 3, 4}}) == Vector{2, 3, 4});
}

TEST_CASE("activations apply to each element")
{
    CHECK(activated(random::Activation::none) == Vector{-2, 0, 0.5});
    CHECK(activated(random::Activation::relu) == Vector{0, 0, 0.5});
    const Vector tanh = activated(random::Activation::tanh);
    CHECK(tanh[0] == doctest::Approx(-0.9640276));
    CHECK(tanh[2] == doctest::Approx(0.4621172));
    const Vector sigmoid = activated(random::Activation::sigmoid);
    CHECK(sigmoid[0] == doctest::Approx(0.1192029));
    CHECK(sigmoid[1] == doctest::Approx(0.5));
}
