/* The library of all encoders that BAD() makes, and the correct one. */
#include "correct.h"

BAD(nothing, "", .capabilities = ALL_CLAIMS)

extern const senteval_encoder* const __start_bad_encoders[] __attribute__((visibility("hidden")));
extern const senteval_encoder* const __stop_bad_encoders[] __attribute__((visibility("hidden")));

const senteval_plugin* senteval_plugin_entry(uint32_t host_abi_version)
{
    static senteval_plugin plugin = {sizeof(senteval_plugin), SENTEVAL_ABI_VERSION,
                                     __start_bad_encoders, 0};
    plugin.encoder_count = (size_t)(__stop_bad_encoders - __start_bad_encoders);
    return SENTEVAL_ABI_MAJOR_OF(host_abi_version) == SENTEVAL_ABI_MAJOR ? &plugin : NULL;
}
