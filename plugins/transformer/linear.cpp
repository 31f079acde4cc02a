// oneDNN 2 and 3, which differ in how a product is described.
#include "transformer/linear.hpp"

#include <oneapi/dnnl/dnnl.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

extern "C" {
int omp_get_max_threads();
void omp_set_num_threads(int);
}

namespace senteval::transformer {
namespace {

using dnnl::memory;
using Product = dnnl::inner_product_forward;

constexpr std::array product_rows = {std::size_t{64}, Linear::row_unit};

/// Holds oneDNN to the calling thread, of which there are as many as the host wants.
class OneThread {
public:
    OneThread() { omp_set_num_threads(1); }
    OneThread(const OneThread&) = delete;
    OneThread& operator=(const OneThread&) = delete;
    ~OneThread() { omp_set_num_threads(before_); }

private:
    int before_ = omp_get_max_threads();
};

const dnnl::engine& processor()
{
    static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    return engine;
}

memory::desc
matrix(std::size_t rows, std::size_t columns, memory::data_type type, memory::format_tag layout)
{
    return {{static_cast<memory::dim>(rows), static_cast<memory::dim>(columns)}, type, layout};
}

/// The product of `source` and weights, plus the bias.
Product::primitive_desc product_of(const memory::desc& source,
                                   const memory::desc& weights,
                                   const memory::desc& bias,
                                   const memory::desc& result,
                                   const dnnl::primitive_attr& attributes)
{
    constexpr auto kind = dnnl::prop_kind::forward_inference;
#if DNNL_VERSION_MAJOR < 3
    return {{kind, source, weights, bias, result}, attributes, processor()};
#else
    return {processor(), kind, source, weights, bias, result, attributes};
#endif
}

/// Rounded to nearest, ties to even.
std::uint16_t to_bfloat16(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    return static_cast<std::uint16_t>((bits + 0x7FFFU + (bits >> 16U & 1U)) >> 16U);
}

} // namespace

struct Linear::Primitives {
    memory weights;
    memory bias;
    std::array<Product::primitive_desc, product_rows.size()> descriptions;
    std::array<Product, product_rows.size()> products;
};

Linear::Linear(std::span<const float> weights,
               std::size_t inputs,
               std::span<const float> bias,
               Arithmetic arithmetic)
    : inputs_(inputs),
      outputs_(weights.size() / inputs),
      arithmetic_(arithmetic),
      primitives_(std::make_unique<Primitives>())
{
    using Layout = memory::format_tag;
    constexpr auto f32 = memory::data_type::f32;
    const auto type = arithmetic == Arithmetic::float32 ? f32 : memory::data_type::bf16;
    const OneThread one_thread;
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);        // calls may overlap
    memory::desc layout = matrix(outputs_, inputs_, type, Layout::any); // the first block chooses
    for (std::size_t i = 0; i < product_rows.size(); ++i) {
        primitives_->descriptions[i] =
            product_of(matrix(product_rows[i], inputs_, type, Layout::ab), layout,
                       {{static_cast<memory::dim>(outputs_)}, f32, Layout::a},
                       matrix(product_rows[i], outputs_, f32, Layout::ab), attributes);
        primitives_->products[i] = Product(primitives_->descriptions[i]);
        layout = primitives_->descriptions[i].weights_desc();
    }
    // oneDNN only reads through the pointer.
    memory plain(matrix(outputs_, inputs_, f32, Layout::ab), processor(),
                 const_cast<float*>(weights.data()));
    primitives_->weights = memory(layout, processor());
    dnnl::stream stream(processor());
    dnnl::reorder(plain, primitives_->weights).execute(stream, plain, primitives_->weights);
    stream.wait();
    primitives_->bias = memory({{static_cast<memory::dim>(outputs_)}, f32, Layout::a}, processor());
    auto* const values = static_cast<float*>(primitives_->bias.get_data_handle());
    std::fill_n(values, outputs_, 0.0F);
    std::ranges::copy(bias, values);
}

Linear::Linear(Linear&&) noexcept = default;
Linear& Linear::operator=(Linear&&) noexcept = default;
Linear::~Linear() = default;

void Linear::apply(const float* in, std::size_t rows, float* out) const
{
    const OneThread one_thread;
    dnnl::stream stream(processor());
    std::vector<std::uint16_t> rounded;
    for (std::size_t done = 0; done < padded(rows);) {
        std::size_t block = 0;
        while (product_rows[block] > padded(rows) - done)
            ++block;
        const auto& description = primitives_->descriptions[block];
        const float* const from = in + done * inputs_;
        void* source = const_cast<float*>(from);
        if (arithmetic_ == Arithmetic::bfloat16) {
            rounded.resize(product_rows[block] * inputs_);
            std::transform(from, from + rounded.size(), rounded.begin(), to_bfloat16);
            source = rounded.data();
        }
        memory scratch(description.scratchpad_desc(), processor());
        primitives_->products[block].execute(
            stream,
            {{DNNL_ARG_SRC, memory(description.src_desc(), processor(), source)},
             {DNNL_ARG_WEIGHTS, primitives_->weights},
             {DNNL_ARG_BIAS, primitives_->bias},
             {DNNL_ARG_DST, memory(description.dst_desc(), processor(), out + done * outputs_)},
             {DNNL_ARG_SCRATCHPAD, scratch}});
        done += product_rows[block];
    }
    stream.wait();
}

} // namespace senteval::transformer
