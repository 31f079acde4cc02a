#include "learn/network.hpp"

#include "support/support.hpp"
#include "vectors.hpp"

using namespace senteval;
using learn::Activation;
using learn::AlignedVector;
using learn::DesignMatrix;
using learn::Kernels;
using learn::Network;
using learn::NetworkShape;

namespace {

const arma::fmat six_items{{0.5F, -0.25F, 1.5F, -1.0F, 0.0F, 0.875F},
                           {-1.25F, 0.5F, 0.25F, -0.75F, 1.0F, -0.5F},
                           {0.75F, 2.0F, -0.5F, 0.125F, -1.5F, 0.25F}};
const std::vector<std::uint32_t> two_classes{0, 1, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
const std::vector<std::uint32_t> three_classes{0, 1, 2, 0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};

/// Weights, then biases, layer by layer: torch's order of parameters.
std::vector<float> parameters(const learn::NetworkWeights& weights, const NetworkShape& shape)
{
    std::vector<float> all;
    const auto append = [&](const AlignedVector<float>& layer, std::size_t outputs,
                            std::size_t inputs) {
        const std::size_t stride = outputs == 0 ? 0 : layer.size() / outputs;
        for (std::size_t k = 0; k < outputs; ++k)
            all.insert(all.end(), layer.data() + k * stride, layer.data() + k * stride + inputs);
        for (std::size_t k = 0; k < outputs; ++k)
            all.push_back(layer[k * stride + inputs]);
    };
    append(weights.hidden, shape.hidden, shape.inputs);
    append(weights.output, shape.classes, shape.hidden > 0 ? shape.hidden : shape.inputs);
    return all;
}

/// Five steps on all six items at once, from the weights of seed 1111.
std::vector<float>
five_steps(const Kernels& kernels, Network::Training training, NetworkShape shape, double strength)
{
    training.batch_size = 6;
    const test::OwnColumns x(six_items);
    const DesignMatrix matrix(x.features());
    shape.inputs = matrix.inputs();
    shape.input_stride = matrix.stride();
    Network network(shape, training, std::span(&strength, 1), 1111, kernels);
    DesignMatrix::Batch batch(matrix, 6);
    batch.load(x.index);
    const auto& labels = shape.classes == 2 ? two_classes : three_classes;
    for (int step = 0; step < 5; ++step)
        network.train(batch.rows(), labels.data());
    return parameters(network.weights(0), shape);
}

void check_close(const std::vector<float>& values, const std::vector<double>& expected)
{
    REQUIRE(values.size() == expected.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        CHECK(std::fabs(static_cast<double>(values[i]) - expected[i]) < 2e-6);
}

} // namespace

TEST_CASE("five steps of each optimiser are torch's")
{
    // torch 1.13: Linear(3, 2) made after manual_seed(1111), mean cross-entropy, weight_decay 0.01.
    const std::vector<std::pair<const char*, std::vector<double>>> cases{
        {"sgd,lr=0.1,momentum=0.9,dampening=0.5",
         {-0.08371581, -0.6581078, 0.3449287, -0.07910167, 0.703642, 0.1119825, 0.03389936,
          0.4545544}},
        {"sgd,lr=0.1,momentum=0.9,nesterov=1",
         {-0.1163219, -0.8057563, 0.3327952, -0.04515652, 0.8509158, 0.120358, 0.06916443,
          0.415272}},
        {"adagrad,lr=0.1,lr_decay=0.1,initial_accumulator_value=0.2",
         {-0.08506081, -0.6301394, 0.3404267, -0.07768372, 0.6758338, 0.1161162, 0.03055536,
          0.4578219}},
        {"adadelta,lr=2",
         {-0.07697773, -0.5116875, 0.3276889, -0.08720027, 0.5576161, 0.1051516, 0.01060283,
          0.4819788}},
        {"adamax,lr=0.05",
         {-0.2316803, -0.7098595, 0.2658843, 0.06967999, 0.7557466, 0.1850381, 0.1537269,
          0.333941}},
        {"asgd,lr=0.5,lambd=0.1,alpha=0.5",
         {-0.1215665, -0.7640892, 0.2449233, -0.003833489, 0.7991589, 0.1069838, 0.06002326,
          0.3161775}},
        {"rprop,lr=0.1",
         {-0.3255, -1.223384, 0.2655042, 0.1612689, 1.269314, 0.1953739, 0.1393273, 0.3533673}},
        {"rmsprop,momentum=0.8,alpha=0.9",
         {-0.269426, -0.7362455, 0.245981, 0.1073297, 0.7821504, 0.211263, 0.192659, 0.2947709}},
        {"adam,lr=0.1",
         {-0.403211, -0.9688103, 0.123506, 0.2516313, 1.014701, 0.3227394, 0.2863778, 0.1747799}}};
    for (const Kernels* kernels : learn::available_kernels())
        for (const auto& one : cases) {
            CAPTURE(kernels->name);
            CAPTURE(one.first);
            Network::Training training;
            training.optimizer = learn::Optimizer(one.first);
            check_close(five_steps(*kernels, training, {}, 1e-2), one.second);
        }
}

TEST_CASE("five steps with a hidden layer are torch's")
{
    // torch 1.13: Linear(3, 4), activation, Linear(4, 3) made after manual_seed(1111), summed
    // cross-entropy, SGD with lr 0.1 and weight_decay 0.01.
    const std::vector<std::pair<Activation, std::vector<double>>> cases{
        {Activation::sigmoid,
         {-0.1296564, -0.5381617,  0.3724824,  -0.06860811, 0.4179111, 0.09705427, -0.007039011,
          0.4476737,  0.007299825, 0.4599892,  -0.2203221,  0.5043162, 0.4049795,  0.2203681,
          -0.1464214, -0.1095044,  0.3586677,  0.07438744,  0.1365752, -0.2569974, -0.04047316,
          -0.2376879, 0.02800557,  -0.2602443, -0.2660424,  0.1652202, 0.1547564,  0.2311304,
          -0.2673713, 0.1231433,   -0.2129366}},
        {Activation::tanh,
         {-0.2949902, -0.6733672,  0.3515824,  0.07109264,  0.2063768,  0.06038765, 0.06023805,
          0.3323094,  -0.06178699, 0.7222139,  -0.3094196,  0.320038,   0.2551741,  0.2872987,
          -0.1699535, -0.06374685, 0.6574782,  -0.01336453, 0.03816816, -0.2329291, -0.3026799,
          -0.1633437, 0.08870798,  -0.5037066, -0.3026462,  0.1786279,  0.192461,   0.4505243,
          -0.2087935, -0.01498597, -0.1333852}},
        {Activation::relu,
         {-0.2669038, -0.789753,  0.2570027,  0.05653705, 0.2633569, -0.04605724, -0.002897468,
          0.3633186,  0.04352018, 0.7352233,  -0.244552,  0.2485082, 0.485596,    -0.04276324,
          -0.3040863, 0.04954208, 0.6510885,  0.06826818, 0.26835,   -0.28176,    -0.2107188,
          -0.2032771, -0.1121587, -0.3641545, -0.3882175, 0.1369286, 0.1631458,   0.3598032,
          -0.3061089, 0.04378055, -0.09483621}}};
    for (const Kernels* kernels : learn::available_kernels())
        for (const auto& [activation, expected] : cases) {
            CAPTURE(kernels->name);
            Network::Training training;
            training.optimizer = learn::Optimizer("sgd,lr=0.1");
            training.loss_reduction = learn::LossReduction::sum;
            NetworkShape shape;
            shape.hidden = 4;
            shape.classes = 3;
            shape.activation = activation;
            check_close(five_steps(*kernels, training, shape, 1e-2), expected);
        }
}

TEST_CASE("the recorded optimiser steps are reproduced")
{
    const auto reference = test::reference_json("test_vectors.json");
    if (!reference)
        return;
    for (const auto& run : (*reference)["optimizer_steps"]["runs"])
        for (const Kernels* kernels : learn::available_kernels()) {
            Network::Training training;
            training.optimizer = learn::Optimizer(run["optimizer"].get<std::string>());
            auto expected = test::exact(run["steps"][4]["weight"]);
            for (const double bias : test::exact(run["steps"][4]["bias"]))
                expected.push_back(bias);
            check_close(five_steps(*kernels, training, {}, run["l2reg"].get<double>()), expected);
        }
}

TEST_CASE("a model trains alone as in a stack, bit for bit")
{
    auto problem = test::small_problem(90, 300, 3, 4);
    const DesignMatrix matrix(problem.x.features());
    problem.y.resize(learn::padded(90));
    const std::vector<double> strengths{1e-5, 1e-3, 0.1};
    for (const Kernels* kernels : learn::available_kernels())
        for (const std::size_t hidden : {0U, 7U}) {
            CAPTURE(kernels->name);
            NetworkShape shape{matrix.inputs(), matrix.stride(), hidden, 3, Activation::sigmoid};
            Network::Training training;
            training.batch_size = 90;
            training.dropout = hidden > 0 ? 0.3 : 0;
            Network stack(shape, training, strengths, 3, *kernels);
            Network alone(shape, training, std::span(strengths).last(1), 3, *kernels);
            DesignMatrix::Batch batch(matrix, 90);
            batch.load(problem.x.index);
            const auto both = [&](int steps) {
                for (int step = 0; step < steps; ++step) {
                    stack.train(batch.rows(), problem.y.data());
                    alone.train(batch.rows(), problem.y.data());
                }
            };
            both(3);
            stack.remove(0);
            both(3);
            CHECK(stack.models() == 2);
            CHECK(stack.weights(1).output == alone.weights(0).output);
            CHECK(stack.weights(1).hidden == alone.weights(0).hidden);
            CHECK(stack.weights(0).output != alone.weights(0).output);
        }
}
