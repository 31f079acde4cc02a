// blocks.hpp -- the blocks that a model's file ends with.
#pragma once

#include "word_vectors/blocks.hpp"

namespace senteval::paragram {

using word_vectors::block_footer;
using word_vectors::Blocks;
using word_vectors::has_block;

} // namespace senteval::paragram
