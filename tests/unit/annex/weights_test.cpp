#include "annex/weights.hpp"
#include "support/support.hpp"

using namespace senteval;
using paragram::Activation;
using paragram::Architecture;
using paragram::Kind;

TEST_CASE("what maps states to states begins as 0.9 times an orthogonal matrix for each gate")
{
    constexpr std::size_t width = 7;
    const Architecture architecture{Kind::lstm, Activation::identity, 5, width, 1};
    const std::vector<float> weights = annex::initial_weights(architecture, 1);
    const auto parameters = paragram::parameters_of(architecture);
    const auto found = std::ranges::find(parameters, "W_h", &paragram::Parameter::name);
    REQUIRE(found != parameters.end());
    const auto product = [&](std::size_t a, std::size_t b) {
        const float* const row = weights.data() + found->offset;
        double sum = 0;
        for (std::size_t i = 0; i < width; ++i)
            sum +=
                static_cast<double>(row[a * width + i]) * static_cast<double>(row[b * width + i]);
        return sum;
    };
    for (std::size_t gate = 0; gate < 4; ++gate)
        for (std::size_t a = 0; a < width; ++a)
            for (std::size_t b = 0; b < width; ++b)
                CHECK(std::abs(product(gate * width + a, gate * width + b) -
                               (a == b ? 0.81 : 0.0)) < 1e-5);
    CHECK(std::abs(product(0, width)) > 1e-4); // gates differ
    CHECK_FALSE(weights == annex::initial_weights(architecture, 2));
}
