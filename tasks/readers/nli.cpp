#include "tasks/readers/readers.hpp"
#include "tasks/readers/reading.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace senteval::tasks {
namespace {

const std::vector<std::string>& nli_classes()
{
    static const std::vector<std::string> classes = {"entailment", "neutral", "contradiction"};
    return classes;
}

struct PartFiles {
    std::string part;
    std::string s1, s2, labels;
};

std::vector<PartFiles> files_of(const std::string& folder, const NliParts& parts)
{
    std::vector<PartFiles> files;
    for (const auto& [part, ending] : {std::pair{"train", parts.train}, std::pair{"dev", parts.dev},
                                       std::pair{"test", parts.test}})
        files.push_back({part, folder + "/s1." + ending, folder + "/s2." + ending,
                         folder + "/labels." + ending});
    return files;
}

void sort_as_loaded(Part& part)
{
    keep_order(part);
    const auto key = [&](std::uint32_t i) {
        return std::tuple(part.second[i].tokens, part.first[i].tokens,
                          std::string_view(nli_classes()[part.labels[i]]));
    };
    std::stable_sort(part.order.begin(), part.order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
}

Part read_part(task::DataFolder& data,
               const PartFiles& files,
               text::Encoding encoding,
               text::Arena& arena)
{
    auto s1 = open_text(data, files.s1, encoding, text::LineEnds::newlines);
    auto s2 = open_text(data, files.s2, encoding, text::LineEnds::newlines);
    auto labels = open_text(data, files.labels, text::Encoding::utf8, text::LineEnds::newlines);
    Part part;
    part.name = files.part;
    part.tested = files.part == "test";
    PartWriter items(part, arena);
    const std::array<text::TextFile*, 3> all = {&s1, &s2, &labels};
    for (std::size_t lines = 0; next_together(all, lines); ++lines)
        items.add(s1.line(), s2.line(), class_index(labels, labels.line(), nli_classes()));
    require_items(part, labels.name());
    if (files.part == "train")
        require_two_classes(part, labels.name());
    sort_as_loaded(part);
    return part;
}

} // namespace

Source nli_source(const std::string& folder, text::Encoding encoding, const NliParts& parts)
{
    const std::vector<PartFiles> files = files_of(folder, parts);
    Source source;
    for (const PartFiles& part : files)
        source.files.insert(source.files.end(), {part.s1, part.s2, part.labels});
    source.read = [files, encoding](task::DataFolder& data) {
        Dataset dataset;
        dataset.classes = nli_classes();
        for (const PartFiles& part : files) {
            dataset.parts.push_back(read_part(data, part, encoding, dataset.arena));
            add_samples(dataset, dataset.parts.back(), SampleOrder::sorted);
        }
        return dataset;
    };
    return source;
}

} // namespace senteval::tasks
