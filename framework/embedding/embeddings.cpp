#include "embedding/embeddings.hpp"

#include <algorithm>

namespace senteval::embedding {

arma::fmat Embeddings::matrix() const
{
    arma::fmat dense(dimension(), size(), arma::fill::none);
    for (std::size_t i = 0; i < size(); ++i)
        std::copy_n(vector(i), dimension(), dense.colptr(i));
    return dense;
}

} // namespace senteval::embedding
