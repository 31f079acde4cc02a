// kernels.hpp -- the inner loops of training and of the random encoders, compiled for several instruction sets.
//
// This room depends on nothing of the project. BLAS rounds by the number of vectors, by their place and by the
// processor; these kernels do not.
//
// A batch is `count` rows of `length` floats, given by pointers. Values by output and row are stored
// output-major: those of output k begin at k * row_stride, so that softmax and activations work on
// many rows at once. Lengths and strides are multiples of 16 floats, arrays begin at a cache line.
// Row pointers and row strides go up to the next multiple of 16; what is computed there is of no meaning.
//
// A softmax does not change when all logits of a row move together. So that of the first class is 0 by
// definition and not stored: the weights of the other classes are taken as differences to the first
// one's, which leaves classes - 1 outputs to compute. The first class's gradient is minus the sum of
// the others'.
//
// Every output's result is independent of the other outputs of the call, bit for bit. It is also the same
// for every instruction set: vector.hpp says how.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace senteval::numeric {

enum class Activation { sigmoid, tanh, relu };
enum class Method { adadelta, adagrad, adam, adamax, asgd, rmsprop, rprop, sgd };

/// Constants of one step of an optimiser, in single precision as torch computes with it.
struct StepConstants {
    float rate = 0;  ///< learning rate, bias-corrected where the method does
    float decay = 0; ///< of the first running value
    float gain = 0;  ///< with which the gradient enters it
    float square_decay = 0;
    float square_gain = 0;
    float square_scale = 1; ///< factor on the root of the running square (Adam's bias correction)
    float epsilon = 0;
    float shrink = 0; ///< joins the L2 strength
    bool nesterov = false;
};

/// A block of parameters with what the optimiser keeps of each.
struct ParameterBlock {
    std::size_t size = 0; ///< a multiple of 16
    float* weights = nullptr;
    const float* gradient = nullptr;
    float* first = nullptr;  ///< running mean, momentum, or the gradient before
    float* second = nullptr; ///< running square, or the size of a step
};

/// A row by those of its values that are not 0, in the order of their places.
struct SparseRow {
    const std::uint32_t* places = nullptr;
    const float* values = nullptr;
    std::size_t count = 0;
};

/// Rows of a batch.
struct RowPointers {
    const float* const* rows = nullptr; ///< null where `sparse` is not
    std::size_t count = 0;
    std::size_t length = 0;
    /// Rows that will be wanted next, as many as `rows`, to fetch short ones early; may be null.
    const float* const* next = nullptr;
    const SparseRow* sparse = nullptr; ///< count rows; products with them have the same bits
};

/// A matrix of coefficients by output and row: of output k and row i at data[k * by_output + i * by_row].
struct Coefficients {
    const float* data = nullptr;
    std::size_t by_output = 0;
    std::size_t by_row = 1;
};

/// Weights of a Product are kept in panels of so many rows, input after input.
inline constexpr std::size_t panel_rows = 48;
/// Vectors are multiplied so many at a time.
inline constexpr std::size_t tile_columns = 8;

/// outputs = weights * vectors. An element is the sum over the inputs, first to last: a vector's product has the
/// same bits at each place and in any company.
struct Product {
    const float* panels = nullptr; ///< panel_rows x inputs x panel_count, aligned to 64 bytes
    std::size_t panel_count = 0;
    std::size_t inputs = 0;
    const float* vectors = nullptr; ///< inputs x columns
    std::size_t columns = 0;        ///< a multiple of tile_columns
    float* outputs = nullptr;       ///< panel_rows * panel_count x columns
};

struct Kernels {
    const char* name;

    /// out[k * out_stride + i] = sum over f of weights[k * weight_stride + f] * rows[i][f]
    void (*dot)(const RowPointers& batch,
                const float* weights,
                std::size_t weight_stride,
                std::size_t outputs,
                float* out,
                std::size_t out_stride);

    /// out[k * out_stride + f] = sum over i of coefficient(k, i) * rows[i][f]
    void (*combine)(const RowPointers& batch,
                    const Coefficients& coefficients,
                    std::size_t outputs,
                    float* out,
                    std::size_t out_stride);

    /// The same, added to what `out` holds: rows that are combined in several calls give the bits of one.
    void (*add_combined)(const RowPointers& batch,
                         const Coefficients& coefficients,
                         std::size_t outputs,
                         float* out,
                         std::size_t out_stride);

    /// Logits become scale * (probability - one at the label), and 0 from row `count` up to
    /// the next multiple of 16.
    void (*cross_entropy)(float* logits,
                          std::size_t classes,
                          std::size_t row_stride,
                          std::size_t count,
                          const std::uint32_t* labels,
                          float scale);

    /// Logits become the gradient of scale / 2 * the squared distance between the probabilities and
    /// the targets (those of class c, the first one included, at targets[c * row_stride]), and 0 from
    /// row `count` up to the next multiple of 16.
    void (*squared_error)(float* logits,
                          std::size_t classes,
                          std::size_t row_stride,
                          std::size_t count,
                          const float* targets,
                          float scale);

    /// Logits become probabilities.
    void (*softmax)(float* logits, std::size_t classes, std::size_t row_stride, std::size_t count);

    /// The first of the most probable classes of each row.
    void (*argmax)(const float* logits,
                   std::size_t classes,
                   std::size_t row_stride,
                   std::size_t count,
                   std::uint32_t* labels);

    /// values become activation(values * mask); no mask: all ones.
    void (*activate)(Activation activation, float* values, const float* mask, std::size_t size);

    /// gradient *= derivative at the activated values * mask
    void (*activate_backward)(Activation activation,
                              float* gradient,
                              const float* values,
                              const float* mask,
                              std::size_t size);

    /// One step with the gradient + l2 * weights.
    void (*update)(Method method, const StepConstants& step, float l2, const ParameterBlock& block);

    /// The same for the weights of `classes` outputs under a softmax. The block's size is that of one
    /// output; its gradient is that of the differences, and those after the step go to `differences`.
    void (*update_softmax)(Method method,
                           const StepConstants& step,
                           float l2,
                           const ParameterBlock& block,
                           std::size_t classes,
                           float* differences);

    void (*multiply)(const Product& product);

    /// Each value, at most 700, becomes e to its power, to about an ulp; below -708 a smallest number.
    void (*exponentials)(double* values, std::size_t count);
};

/// The fastest for this processor; the same for the life of the process.
const Kernels& kernels();

/// All that this processor can run, the fastest first.
std::span<const Kernels* const> available_kernels();

extern const Kernels kernels_portable;
#if defined(__x86_64__)
extern const Kernels kernels_avx2;
extern const Kernels kernels_avx512;
#endif

} // namespace senteval::numeric
