// kernels_impl.hpp -- the one source of all kernels, for vectors of SENTEVAL_LANES floats.
#pragma once

#include "numeric/elementwise.hpp"
#include "numeric/products.hpp"

/// Defines the table of this translation unit's kernels.
#define SENTEVAL_DEFINE_KERNELS(table, label)                                                      \
    const Kernels table                                                                            \
    {                                                                                              \
        label, dot, combine, add_combined, cross_entropy, squared_error, softmax, argmax,          \
            activate, activate_backward, update, update_softmax, multiply, exponentials            \
    }
