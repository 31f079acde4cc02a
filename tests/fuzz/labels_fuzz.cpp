// Any bytes as a file of any format: the first byte chooses it.
#include "data/disguise.hpp"
#include "data/labels.hpp"
#include "fuzz.hpp"

using namespace senteval;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    if (size == 0)
        return 0;
    data::File file;
    file.format = static_cast<data::Format>(bytes[0] % 11);
    if (bytes[0] >= 128)
        file.labels = {{"0", 1}, {"1", 1}, {"NEUTRAL", 1}};
    const std::string_view text = fuzz::text(bytes + 1, size - 1);
    const data::LabelCount count = data::count_labels(file, text);
    fuzz::require(count.first_bad_line <= count.lines && count.carriage_returns <= count.lines);
    (void)data::disguise_of(text);
    return 0;
}
