#include "paragram_model/gemm.hpp"

extern "C" {
void sgemm_(const char* form_a,
            const char* form_b,
            const int* m,
            const int* n,
            const int* k,
            const float* alpha,
            const float* a,
            const int* stride_a,
            const float* b,
            const int* stride_b,
            const float* beta,
            float* c,
            const int* stride_c);
void dgemm_(const char* form_a,
            const char* form_b,
            const int* m,
            const int* n,
            const int* k,
            const double* alpha,
            const double* a,
            const int* stride_a,
            const double* b,
            const int* stride_b,
            const double* beta,
            double* c,
            const int* stride_c);
}

namespace senteval::paragram {

namespace {

/// A row-major matrix is the transpose of a column-major one: BLAS is asked for op(b)' op(a)'.
template <typename T, typename Gemm>
void multiply_by(Gemm* gemm, const Product<T>& p)
{
    if (p.m == 0 || p.n == 0 || p.k == 0)
        return;
    const auto as_int = [](std::size_t value) { return static_cast<int>(value); };
    const char form_a = p.form_a == Form::plain ? 'N' : 'T';
    const char form_b = p.form_b == Form::plain ? 'N' : 'T';
    const int m = as_int(p.m);
    const int n = as_int(p.n);
    const int k = as_int(p.k);
    const int stride_a = as_int(p.stride_a);
    const int stride_b = as_int(p.stride_b);
    const int stride_c = as_int(p.stride_c);
    const T one = 1;
    gemm(&form_b, &form_a, &n, &m, &k, &one, p.b, &stride_b, p.a, &stride_a, &p.scale_c, p.c,
         &stride_c);
}

} // namespace

void multiply(const Product<float>& product)
{
    multiply_by(&sgemm_, product);
}

void multiply(const Product<double>& product)
{
    multiply_by(&dgemm_, product);
}

} // namespace senteval::paragram
