#include "host/version.hpp"

#include "learn/kernels.hpp"
#include "run/computer.hpp"

#include <fmt/format.h>

namespace senteval::host {

std::string version_text(const core::BlasKernels& blas)
{
    const core::Json computer = run::computer();
    std::string text = "senteval " SENTEVAL_PROGRAM_VERSION;
    const auto add = [&](const char* what, const std::string& value) {
        text += fmt::format("\n{:<10} {}", what, value);
    };
    add("compiler", computer.at("compiler").get<std::string>());
    add("ABI", computer.at("abi").get<std::string>());
    add("BLAS",
        computer.at("blas").get<std::string>() +
            (blas.used == blas.found ? "" : fmt::format(" (it had chosen {})", blas.found)));
    add("kernels", learn::kernels().name);
    add("processor", computer.at("processor").get<std::string>());
    return text;
}

} // namespace senteval::host
