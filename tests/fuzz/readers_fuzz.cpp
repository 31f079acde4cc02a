// Any bytes as the files of a task: the first byte chooses the task, zero bytes part the files.
#include "base/error.hpp"
#include "fuzz.hpp"
#include "tasks/readers/readers.hpp"

#include <string>
#include <vector>

using namespace senteval;

namespace {

std::vector<tasks::Source> all_sources()
{
    return {tasks::binary_source({"one", "one"}, {"zero", "zero"}),
            tasks::sst2_source("sst"),
            tasks::sst5_source("sst"),
            tasks::trec_source("trec"),
            tasks::mrpc_source("mrpc"),
            tasks::sick_entailment_source("sick"),
            tasks::sick_relatedness_source("sick"),
            tasks::nli_source("nli", text::Encoding::latin1, {"train", "dev", "test"}),
            tasks::nli_source("nli", text::Encoding::utf8, {"train", "dev", "test"}),
            tasks::sts_source("sts", {"a", "b"}),
            tasks::sts_benchmark_source("stsb"),
            tasks::probing_source("probing")};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static const std::vector<tasks::Source> sources = all_sources();
    static const fuzz::Folder scratch;
    if (size == 0)
        return 0;
    const tasks::Source& source = sources[bytes[0] % sources.size()];
    std::string_view rest = fuzz::text(bytes + 1, size - 1);
    for (const std::string& file : source.files) {
        const std::size_t end = rest.find('\0');
        scratch.write(file, rest.substr(0, end));
        if (end != std::string_view::npos)
            rest.remove_prefix(end + 1);
    }
    task::DataFolder folder(scratch.path());
    try {
        const tasks::Dataset dataset = source.read(folder);
        for (const tasks::Part& part : dataset.parts) {
            fuzz::require(part.order.size() == part.size());
            fuzz::require(part.labels.empty() || part.labels.size() == part.size());
            fuzz::require(part.scores.empty() || part.scores.size() == part.size());
            for (const std::uint32_t label : part.labels)
                fuzz::require(label < dataset.classes.size());
        }
    } catch (const base::Error&) {
    }
    return 0;
}
