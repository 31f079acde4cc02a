#include "check/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace senteval::check {
namespace {

/// Not a number that no arithmetic makes: what still holds it was not written.
constexpr std::uint32_t untouched_bits = 0x7fc0beefU;
constexpr std::size_t cache_line = 16; ///< floats of 64 bytes

bool is_untouched(float x)
{
    return std::bit_cast<std::uint32_t>(x) == untouched_bits;
}

} // namespace

Instance::~Instance()
{
    bench_.call_plain("destroy()", [&] { bench_.encoder().destroy(raw_); });
}

Reply Instance::prepare(const Sentences& samples, const char* language)
{
    if (bench_.encoder().prepare == nullptr)
        return {};
    const senteval_task task{sizeof task, 0, "Trial", language};
    const senteval_batch batch = samples.batch();
    return bench_.call("prepare()", {}, [&](const senteval_call* call) {
        return bench_.encoder().prepare(call, raw_, &task, &batch);
    });
}

Reply Instance::dimension(std::size_t& out)
{
    return bench_.call("dimension()", {}, [&](const senteval_call* call) {
        return bench_.encoder().dimension(call, raw_, &out);
    });
}

Reply Instance::batcher(const Sentences& sentences,
                        senteval_matrix& out,
                        const CallOptions& options)
{
    const senteval_batch batch = sentences.batch();
    return bench_.call("batcher()", options, [&](const senteval_call* call) {
        return bench_.encoder().batcher(call, raw_, &batch, &out);
    });
}

Reply Instance::put_to_use(const Sentences& samples)
{
    constexpr std::size_t most = std::size_t{1} << 24;
    if (Reply prepared = prepare(samples); !prepared.done())
        return prepared;
    std::size_t cols = 0;
    if (Reply answered = dimension(cols); !answered.done() || cols == 0 || cols > most)
        return answered;
    std::vector<float> memory(samples.size() * cols);
    senteval_matrix out{sizeof out, 0, memory.data(), samples.size(), cols, cols};
    return batcher(samples, out);
}

void Instance::ready_for(const Sentences& samples)
{
    bench_.require_of_text(prepare(samples), "prepare()");
    std::size_t cols = 0;
    bench_.require(dimension(cols), "dimension()");
    constexpr std::size_t most = std::size_t{1} << 28;
    if (cols == 0 || cols > most) {
        bench_.broken("9.3", fmt::format("the dimension is {}", cols));
        throw TrialEnded{};
    }
    if (bench_.encoder().prepare == nullptr && cols_ != 0 && cols != cols_) {
        bench_.broken("9.3", fmt::format("the dimension is {}, and was {} before; there is no "
                                         "prepare() that could change it",
                                         cols, cols_));
        throw TrialEnded{};
    }
    cols_ = cols;
}

Vectors
Instance::encode(const Sentences& sentences, const CallOptions& options, const Layout& layout)
{
    const std::size_t rows = sentences.size();
    const std::size_t stride = cols_ + layout.gap;
    const std::size_t used = rows == 0 ? 0 : (rows - 1) * stride + cols_;
    const float fill = layout.content.value_or(std::bit_cast<float>(untouched_bits));
    constexpr std::size_t around = cache_line; // floats that must stay as they are
    std::vector<float> plain(used + 3 * around + layout.skew);
    const auto address = reinterpret_cast<std::uintptr_t>(plain.data()) / sizeof(float);
    float* const memory =
        plain.data() + (cache_line - address % cache_line) % cache_line + layout.skew;
    std::fill_n(memory, used + 2 * around, std::bit_cast<float>(untouched_bits));
    float* const data = memory + around;
    for (std::size_t i = 0; i < rows; ++i)
        std::fill_n(data + i * stride, cols_, fill);

    senteval_matrix out{sizeof out, 0, data, rows, cols_, stride};
    bench_.require_of_text(batcher(sentences, out, options), "batcher()");

    const auto blame = [&](std::string_view rule, const std::string& detail) {
        bench_.report().broken(
            rule,
            fmt::format("batcher({}){}", sentences.shown(),
                        layout.gap == 0
                            ? ""
                            : fmt::format(" with cols {} and row_stride {}", cols_, stride)),
            detail);
        throw TrialEnded{};
    };
    // Of a batch that an empty sentence alone does not show it is not its emptiness.
    const auto is_lonely_empty = [&](std::size_t i) { return rows == 1 && sentences[i].empty(); };
    // A sentence that shows it alone says more than a batch.
    const auto try_alone = [&](std::size_t i) {
        if (rows > 1)
            (void)encode(Sentences({std::string(sentences[i])}), options, layout);
    };
    for (std::size_t at = 0; at < used + 2 * around; ++at) {
        const bool inside = at >= around && at < around + used && (at - around) % stride < cols_;
        if (!inside && !is_untouched(memory[at]))
            blame(
                rows == 0 ? "10.2" : "11.3",
                fmt::format("float {} of the matrix was written to",
                            static_cast<std::ptrdiff_t>(at) - static_cast<std::ptrdiff_t>(around)));
    }
    Vectors vectors{cols_, {}};
    vectors.values.reserve(rows * cols_);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t k = 0; k < cols_; ++k) {
            const float x = data[i * stride + k];
            if ((is_untouched(x) && !layout.content) || !std::isfinite(x))
                try_alone(i);
            if (is_untouched(x) && !layout.content) {
                Layout again = layout; // left as it was, or added to?
                again.content = 12345.0F;
                const Vectors other = encode(sentences, options, again);
                const bool left = other.row(i)[k] == *again.content;
                blame(!left                ? "11.5"
                      : is_lonely_empty(i) ? "10.3"
                                           : "11.1",
                      fmt::format("element {} of row {} {}", k + 1, i + 1,
                                  left ? "was not written" : "depends on what was there"));
            }
            if (!std::isfinite(x))
                blame(is_lonely_empty(i) ? "10.3" : "11.2",
                      fmt::format("element {} of row {} is {}", k + 1, i + 1, x));
            vectors.values.push_back(x);
        }
    return vectors;
}

} // namespace senteval::check
