#include "random/initialise.hpp"

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace senteval::random {
namespace {

/// The finaliser of SplitMix64: near seeds give unrelated engines.
std::uint64_t mix(std::uint64_t z)
{
    z += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

arma::fmat
draw_normal(std::size_t rows, std::size_t columns, double deviation, RandomStream& random)
{
    arma::fmat matrix(rows, columns);
    matrix.imbue([&] { return static_cast<float>(deviation * random.normal()); });
    return matrix;
}

/// The orthogonal factor of a normal matrix, its signs fixed by a positive diagonal of the other
/// factor, which makes it uniform among the orthogonal ones (Mezzadri 2007).
arma::fmat draw_orthogonal(std::size_t rows, std::size_t columns, RandomStream& random)
{
    const bool tall = rows >= columns;
    arma::mat normal(tall ? rows : columns, tall ? columns : rows);
    normal.imbue([&] { return random.normal(); });
    arma::mat q;
    arma::mat r;
    if (!arma::qr_econ(q, r, normal))
        throw std::runtime_error("the orthogonal matrix could not be computed");
    q.each_row() %= arma::sign(r.diag()).t();
    return arma::conv_to<arma::fmat>::from(tall ? q : arma::mat(q.t()));
}

double largest_modulus(const arma::mat& matrix)
{
    arma::cx_vec eigenvalues;
    if (!arma::eig_gen(eigenvalues, matrix))
        throw std::runtime_error("the eigenvalues of the reservoir could not be computed");
    return arma::abs(eigenvalues).max();
}

/// An orthonormal basis of span{v, Av, A^2 v, ...}, and A within it (a Hessenberg matrix).
class Krylov {
public:
    explicit Krylov(const arma::fmat& matrix) : matrix_(matrix), basis_(matrix.n_rows, 1)
    {
        RandomStream random(0, 0); // where it starts hardly matters
        basis_.imbue([&] { return static_cast<float>(random.normal()); });
        basis_ /= arma::norm(basis_);
    }

    /// Grows the space to `size` dimensions, unless it is invariant before.
    void grow(arma::uword size)
    {
        const arma::uword before = hessenberg_.n_cols;
        hessenberg_.resize(size + 1, size);
        basis_.resize(basis_.n_rows, size + 1);
        for (arma::uword k = before; k < size; ++k)
            if (!add(k)) {
                hessenberg_.resize(k + 1, k + 1);
                return;
            }
    }

    [[nodiscard]] double radius() const
    {
        return largest_modulus(hessenberg_.head_rows(hessenberg_.n_cols));
    }

private:
    bool add(arma::uword k)
    {
        arma::fvec next = matrix_ * basis_.col(k);
        const arma::fmat known(basis_.memptr(), basis_.n_rows, k + 1, false, true); // no copy
        const float length = arma::norm(next);
        for (int pass = 0; pass < 2;
             ++pass) { // the second one takes back the rounding of the first
            const arma::fvec parts = known.t() * next;
            next -= known * parts;
            hessenberg_.col(k).head(k + 1) += arma::conv_to<arma::vec>::from(parts);
        }
        const float rest = arma::norm(next);
        if (!(rest > 1e-6F * length))
            return false;
        hessenberg_(k + 1, k) = rest;
        basis_.col(k + 1) = next / rest;
        return true;
    }

    const arma::fmat& matrix_;
    arma::fmat basis_;
    arma::mat hessenberg_;
};

} // namespace

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t stream)
    : engine_(mix(mix(seed) ^ stream))
{
}

double RandomStream::uniform()
{
    return static_cast<double>(engine_() >> 11) * 0x1p-53;
}

double RandomStream::normal()
{
    if (has_spare_) {
        has_spare_ = false;
        return spare_;
    }
    double x = 0;
    double y = 0;
    double square = 0;
    do {
        x = uniform(-1, 1);
        y = uniform(-1, 1);
        square = x * x + y * y;
    } while (square >= 1 || square == 0);
    const double factor = std::sqrt(-2 * std::log(square) / square);
    spare_ = y * factor;
    has_spare_ = true;
    return x * factor;
}

std::size_t RandomStream::index(std::size_t bound)
{
    // Numbers from the incomplete last round would favour the small indices.
    const std::uint64_t range = bound;
    const std::uint64_t rejected = (0 - range) % range;
    std::uint64_t number = 0;
    do
        number = engine_();
    while (number < rejected);
    return static_cast<std::size_t>(number % range);
}

arma::fmat draw_uniform(std::size_t rows, std::size_t columns, double bound, RandomStream& random)
{
    arma::fmat matrix(rows, columns);
    matrix.imbue([&] { return static_cast<float>(random.uniform(-bound, bound)); });
    return matrix;
}

void make_sparse(arma::fmat& matrix, double share, RandomStream& random)
{
    const std::size_t rows = matrix.n_rows;
    const auto zeros = static_cast<std::size_t>(std::ceil(share * static_cast<double>(rows)));
    std::vector<arma::uword> order(rows);
    for (arma::uword column = 0; column < matrix.n_cols; ++column) {
        std::iota(order.begin(), order.end(), arma::uword{0});
        for (std::size_t k = 0; k < zeros; ++k) { // the first steps of a shuffle
            std::swap(order[k], order[k + random.index(rows - k)]);
            matrix(order[k], column) = 0;
        }
    }
}

arma::fmat
draw_matrix(std::size_t outputs, std::size_t inputs, Initialisation how, RandomStream& random)
{
    const auto in = static_cast<double>(inputs);
    const auto both = static_cast<double>(inputs + outputs);
    switch (how) {
    case Initialisation::orthogonal:
        return draw_orthogonal(outputs, inputs, random);
    case Initialisation::sparse: {
        arma::fmat matrix = draw_normal(outputs, inputs, 0.01, random);
        make_sparse(matrix, 0.1, random);
        return matrix;
    }
    case Initialisation::normal:
        return draw_normal(outputs, inputs, 0.1, random);
    case Initialisation::uniform:
        return draw_uniform(outputs, inputs, 0.1, random);
    case Initialisation::kaiming:
        return draw_uniform(outputs, inputs, std::sqrt(6 / in), random);
    case Initialisation::xavier:
        return draw_uniform(outputs, inputs, std::sqrt(6 / both), random);
    case Initialisation::standard:
        break;
    }
    return draw_uniform(outputs, inputs, 1 / std::sqrt(in), random);
}

double spectral_radius(const arma::fmat& matrix)
{
    constexpr arma::uword small = 256;
    if (matrix.n_rows <= small)
        return largest_modulus(arma::conv_to<arma::mat>::from(matrix));
    Krylov space(matrix);
    double radius = 0;
    for (arma::uword size = 128; size < matrix.n_rows; size += 128) {
        const double before = radius;
        space.grow(size);
        radius = space.radius();
        if (std::abs(radius - before) <= 1e-6 * radius)
            return radius;
    }
    return largest_modulus(arma::conv_to<arma::mat>::from(matrix));
}

} // namespace senteval::random
