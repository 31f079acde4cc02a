// byte_text.hpp -- numbers of bytes as people read them.
#pragma once

#include <string>

namespace senteval::core {

/// "13.5 MiB", from a GiB on "1.50 GiB", "12 KiB" below a tenth of a MiB.
[[nodiscard]] std::string byte_text(double bytes);

} // namespace senteval::core
