#include "random/borep.hpp"

#include <algorithm>

namespace senteval::random {
namespace {

arma::fmat draw_weights(const sdk::Params& params, std::size_t inputs)
{
    RandomStream random(seed_from(params), 0);
    return draw_matrix(size_from(params, "dimension", 4096, largest_dimension), inputs,
                       initialisation_from(params), random);
}

} // namespace

Borep::Borep(const sdk::Setup& setup)
    : words_(setup),
      pooling_(pooling_from(setup.params)),
      activation_(activation_from(setup.params)),
      weights_(draw_weights(setup.params, words_.dimension()))
{
}

void Borep::encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const
{
    if (is_linear(pooling_))
        encode_pooled(call, batch, out);
    else
        encode_tokens(call, batch, out);
    for (std::size_t i = 0; i < batch.size(); ++i)
        apply(activation_, out.row(i));
}

/// One column per sentence: its pooled word vectors.
void Borep::encode_pooled(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const
{
    const std::size_t inputs = words_.dimension();
    Words::Reader reader(words_);
    Block block(weights_);
    Pool pool(pooling_, inputs);
    std::vector<float> vectors;
    for (std::size_t begin = 0; begin < batch.size(); begin += block_columns) {
        call.check_cancelled();
        const std::size_t count = std::min(block_columns, batch.size() - begin);
        for (std::size_t k = 0; k < count; ++k) {
            vectors.clear();
            pool.clear();
            const std::size_t tokens = reader.append(batch[begin + k], vectors);
            for (std::size_t t = 0; t < tokens; ++t)
                pool.add(std::span(vectors).subspan(t * inputs, inputs));
            pool.write(block.input(k));
        }
        block.multiply(count);
        for (std::size_t k = 0; k < count; ++k)
            std::ranges::copy(block.output(k), out.row(begin + k).begin());
    }
}

/// One column per token, the blocks running on across the sentences.
void Borep::encode_tokens(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const
{
    Words::Reader reader(words_);
    Block block(weights_);
    Pool pool(pooling_, dimension());
    std::vector<std::size_t> owners; // sentence of each column
    std::size_t pooled = 0;          // the sentence that `pool` is at

    const auto flush = [&] {
        call.check_cancelled();
        block.multiply(owners.size());
        for (std::size_t k = 0; k < owners.size(); ++k) {
            if (owners[k] != pooled) {
                pool.write(out.row(pooled));
                pool.clear();
                pooled = owners[k];
            }
            pool.add(block.output(k));
        }
        owners.clear();
    };

    std::vector<float> vectors;
    for (std::size_t i = 0; i < batch.size(); ++i) {
        vectors.clear();
        const std::size_t tokens = reader.append(batch[i], vectors);
        for (std::size_t t = 0; t < tokens; ++t) {
            if (owners.size() == block_columns)
                flush();
            const auto vector =
                std::span(vectors).subspan(t * words_.dimension(), words_.dimension());
            std::ranges::copy(vector, block.input(owners.size()).begin());
            owners.push_back(i);
        }
    }
    if (!batch.empty()) {
        flush();
        pool.write(out.row(pooled));
    }
}

} // namespace senteval::random
