/* Uses every macro of the header; compiled as C11 and as each C++ standard, warnings as errors. */
#include <senteval/encoder.h>

int host_has_extensions(const senteval_host* host);
int host_has_extensions(const senteval_host* host)
{
    return SENTEVAL_HAS(host, senteval_host, get_extension) &&
           SENTEVAL_ABI_MAJOR_OF(host->abi_version) == SENTEVAL_ABI_MAJOR &&
           SENTEVAL_ABI_MINOR_OF(host->abi_version) == SENTEVAL_ABI_MINOR;
}

static const senteval_plugin plugin = {sizeof(senteval_plugin), SENTEVAL_ABI_VERSION, NULL, 0};

senteval_plugin_entry_fn entry_function(void);
senteval_plugin_entry_fn entry_function(void)
{
    return &senteval_plugin_entry;
}

const senteval_plugin* senteval_plugin_entry(uint32_t host_abi_version)
{
    return host_abi_version == SENTEVAL_ABI_VERSION ? &plugin : NULL;
}
