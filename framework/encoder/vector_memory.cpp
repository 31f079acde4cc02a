#include "encoder/vector_memory.hpp"

#include "base/byte_text.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <limits>
#include <new>

namespace senteval::encoder {

void VectorMemory::reset()
{
    constexpr std::size_t most_kept = 16U << 20U; // bytes
    if (capacity_ > most_kept / sizeof(float)) {
        memory_.reset();
        capacity_ = 0;
    }
    file_ = core::SpilledBlock();
}

arma::fmat VectorMemory::allocate(std::size_t dimension,
                                  VectorRows rows,
                                  std::size_t vectors,
                                  const SpillOptions& options)
{
    constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 64; // no overflow below
    reset();
    const std::string need =
        fmt::format("{} vectors of dimension {} need {}", vectors, dimension,
                    base::byte_text(static_cast<double>(dimension) * static_cast<double>(vectors) *
                                    sizeof(float)));
    if (dimension > most / std::max<std::size_t>(vectors, 1))
        throw base::Error("{}, which do not fit", need);
    const std::size_t stride = rows == VectorRows::padded ? core::row_stride(dimension) : dimension;
    return arma::fmat(room_for(stride * vectors, need, options), stride, vectors, false);
}

float*
VectorMemory::room_for(std::size_t count, const std::string& need, const SpillOptions& options)
{
    constexpr std::size_t fewest = 1U << 20U; // floats: two huge pages cost less than small ones
    if (!options.folder.empty()) {
        file_ = core::SpilledBlock(options.folder, count);
        return file_.get();
    }
    if (memory_ && count <= capacity_)
        return memory_.get();
    memory_.reset();
    capacity_ = 0;
    const std::uint64_t available = options.available();
    if (fits_in_memory(count * sizeof(float), available)) {
        try {
            memory_ = core::make_float_block(std::max(count, fewest));
            capacity_ = std::max(count, fewest);
            return memory_.get();
        } catch (const std::bad_alloc&) { // there was less than it seemed
        }
    }
    throw base::Error("{}, which do not fit: {} of memory are free, an eighth of which "
                      "is kept for computing with them; 'senteval run --spill DIR' keeps them in a "
                      "file",
                      need, base::byte_text(static_cast<double>(available)));
}

} // namespace senteval::encoder
