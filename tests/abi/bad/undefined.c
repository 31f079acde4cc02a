/* A plugin that was linked without one of its parts: it cannot be loaded. */
#include <senteval/encoder.h>

const senteval_plugin* the_part_that_is_missing(void);

const senteval_plugin* senteval_plugin_entry(uint32_t host_abi_version)
{
    (void)host_abi_version;
    return the_part_that_is_missing();
}
