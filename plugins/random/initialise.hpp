// initialise.hpp -- random matrices as Wieting and Kiela 2019 ("No Training Required") try them, of
// numbers that are the same on every platform.
#pragma once

#include <armadillo>

#include <cstddef>
#include <cstdint>
#include <random>

namespace senteval::random {

/// A stream of random numbers, given by a seed and a number of its own, so that each matrix of a
/// model has its own stream. The engine is std::mt19937_64, whose output the standard fixes; the
/// distributions are written here, because the standard leaves theirs to the library.
class RandomStream {
public:
    RandomStream(std::uint64_t seed, std::uint64_t stream);

    /// Uniform in [0, 1), 53 bits.
    double uniform();
    double uniform(double low, double high) { return low + (high - low) * uniform(); }

    /// Standard normal (the polar method of Marsaglia and Bray 1964).
    double normal();

    /// Uniform in {0, ..., bound - 1}; bound at least 1.
    std::size_t index(std::size_t bound);

private:
    std::mt19937_64 engine_;
    double spare_ = 0;
    bool has_spare_ = false;
};

/// How a matrix of `outputs x inputs` weights is drawn. The constants are those of the paper's
/// program and of PyTorch 1.0, which it calls.
enum class Initialisation {
    standard,   ///< U(-b, b), b = 1/sqrt(inputs): PyTorch's default for a linear layer
    orthogonal, ///< columns (or rows, where there are fewer) orthonormal (Saxe et al. 2014)
    sparse,     ///< N(0, 0.01^2), one tenth of each column zero (Martens 2010)
    normal,     ///< N(0, 0.1^2)
    uniform,    ///< U(-0.1, 0.1)
    kaiming,    ///< U(-b, b), b = sqrt(6 / inputs) (He et al. 2015)
    xavier      ///< U(-b, b), b = sqrt(6 / (inputs + outputs)) (Glorot and Bengio 2010)
};

arma::fmat
draw_matrix(std::size_t outputs, std::size_t inputs, Initialisation how, RandomStream& random);

arma::fmat draw_uniform(std::size_t rows, std::size_t columns, double bound, RandomStream& random);

/// Sets ceil(share * rows) random elements of each column to zero.
void make_sparse(arma::fmat& matrix, double share, RandomStream& random);

/// Largest modulus of the eigenvalues of a square matrix, to six digits or so: exact for small
/// ones, else from Krylov spaces that grow until the value stands (Arnoldi 1951).
double spectral_radius(const arma::fmat& matrix);

} // namespace senteval::random
