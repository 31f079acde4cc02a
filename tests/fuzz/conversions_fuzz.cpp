// Any bytes as any original: the first byte chooses the conversion.
#include "base/error.hpp"
#include "data/conversions.hpp"
#include "fuzz.hpp"

#include <array>

using namespace senteval;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static constexpr std::array<std::string_view, 10> names = {
        "as-is", "ptb",  "trec",        "sts-input",  "stsbenchmark",
        "sick",  "mrpc", "snli-labels", "snli-first", "snli-second"};
    if (size == 0)
        return 0;
    const std::string original(fuzz::text(bytes + 1, size - 1));
    const auto name = names[bytes[0] % names.size()];
    const auto wording = bytes[0] < 128 ? data::Wording::prepared : data::Wording::original;
    try {
        const std::string converted = data::convert(name, {original, original}, wording);
        const bool by_line = name != "as-is" && name != "trec" && name != "ptb";
        fuzz::require(!by_line || converted.empty() || converted.back() == '\n');
    } catch (const base::Error&) {
    }
    return 0;
}
