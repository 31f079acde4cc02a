#include "learn/kernels.hpp"

#include "core/error.hpp"
#include "core/names.hpp"

#include <string>
#include <vector>

namespace senteval::learn {

const Kernels& find_kernels(std::string_view name)
{
    std::vector<std::string> names{"auto"};
    if (name == "auto")
        return kernels();
    for (const Kernels* const one : available_kernels()) {
        if (name == one->name)
            return *one;
        names.emplace_back(one->name);
    }
    throw core::UsageError("this processor has no kernels '{}' (it has {}).{}", name,
                           fmt::join(names, ", "), core::did_you_mean(name, names));
}

} // namespace senteval::learn
