#include "encoder/encoder.hpp"

#include "core/fingerprint.hpp"

namespace senteval::encoder {

std::string Identity::fingerprint() const
{
    const core::Json all = {
        {"id", id}, {"version", version}, {"parameters", parameters}, {"files", files}};
    return core::fingerprint(all.dump());
}

} // namespace senteval::encoder
