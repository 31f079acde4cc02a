// errors.hpp -- what training may find wrong with its data.
#pragma once

#include "core/error.hpp"

namespace senteval::learn {

/// The training part is too small for what is to be learned from it.
class TooFewItems : public core::Error {
public:
    using core::Error::Error;
};

} // namespace senteval::learn
