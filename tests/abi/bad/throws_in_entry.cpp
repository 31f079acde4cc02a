// What leaves the entry point.
#include <senteval/encoder.h>

#include <cstdint>
#include <stdexcept>

extern "C" const senteval_plugin* senteval_plugin_entry(std::uint32_t)
{
    throw std::runtime_error("thrown in the entry point");
}
