// The matrix that batcher() writes: how it lies in memory, and what is in it before.
#include "check/trials.hpp"

#include <fmt/format.h>

namespace senteval::check {

void try_matrix(Bench& bench)
{
    const Sentences samples(bench.texts().ordinary());
    bench.step("11.3", "batcher() with a row_stride above cols");
    auto instance = bench.instance_for(samples);
    const Vectors plain = instance->encode(samples);
    const bool repeats = bench.claims(SENTEVAL_CAP_DETERMINISTIC);
    const auto try_layout = [&](const Layout& layout, std::string_view how) {
        const Vectors other = instance->encode(samples, {}, layout);
        if (repeats)
            bench.same(plain, other, false, how);
    };
    try_layout({.gap = 5}, "with a larger row_stride");
    bench.step("11.5", "batcher() on a matrix that holds numbers");
    try_layout({.content = 1e30F}, "where the matrix held 1e30 on entry");
    try_layout({.content = 0.0F}, "where the matrix held 0 on entry");
    bench.step("11.4", "batcher() with a matrix whose address is a multiple of 4 bytes only");
    try_layout({.gap = 2, .skew = 1}, "in a matrix that begins elsewhere");
    try_layout({.skew = 3}, "in a matrix that begins elsewhere");
}

void try_matrix_edges(Bench& bench)
{
    // So many that the matrix is a multiple of 64 bytes long: it begins where any matrix may.
    const Sentences samples(bench.texts().many(16));
    bench.step("11.3", "batcher() with a matrix that ends where a page ends that can be written");
    auto instance = bench.instance_for(samples);
    (void)instance->encode(samples, {}, {.guarded = true});
    bench.step("11.3",
               "batcher() with a matrix that begins where a page begins that can be written");
    (void)instance->encode(samples, {}, {.gap = 3, .skew = 1, .guarded = true});
}

} // namespace senteval::check
