#include "run/vectors_file.hpp"

#include "base/files.hpp"
#include "base/json.hpp"
#include "results/store.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::run {
namespace {

/// The classes of the items that are one text.
std::map<std::string_view, std::string> labels_of(const task::LoadedTask& loaded,
                                                  const results::Outcomes& outcomes)
{
    std::map<std::string_view, std::string> labels;
    if (outcomes.kind != "class" && outcomes.kind != "cluster")
        return labels;
    for (const results::ItemOutcome& row : outcomes.rows)
        if (const task::ItemText item = loaded.item(row.item);
            !item.is_pair && row.gold >= 0 &&
            static_cast<std::size_t>(row.gold) < outcomes.classes.size())
            labels.try_emplace(item.first.text,
                               outcomes.classes[static_cast<std::size_t>(row.gold)]);
    return labels;
}

/// NumPy's header, version 1.0: padded so that values begin at a multiple of 64 bytes.
std::string npy_header(std::size_t rows, std::size_t columns)
{
    constexpr std::size_t before = 10;
    std::string text = fmt::format(
        "{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows, columns);
    text.append(63 - (before + text.size()) % 64, ' ');
    text += '\n';
    return std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(text.size() % 256) +
           static_cast<char>(text.size() / 256) + text;
}

} // namespace

std::filesystem::path vectors_file(const std::filesystem::path& folder,
                                   const results::Result& record)
{
    return results::Store(folder).path_of(record).replace_extension(".npy");
}

void write_vectors(const std::filesystem::path& file,
                   const task::LoadedTask& loaded,
                   const results::Outcomes& outcomes,
                   encoder::Session& session)
{
    std::vector<text::Sentence> texts;
    std::set<std::string_view> seen;
    for (const text::Sentence& sample : loaded.samples())
        if (seen.insert(sample.text).second)
            texts.push_back(sample);
    const auto labels = labels_of(loaded, outcomes);
    const auto embedded = session.embed(texts);
    std::string lines;
    base::Replacement vectors(file);
    vectors.write(npy_header(texts.size(), embedded.dimension()));
    for (std::size_t at = 0; at < texts.size(); ++at) {
        vectors.write({reinterpret_cast<const char*>(embedded.vector(at)),
                       embedded.dimension() * sizeof(float)});
        base::Json line = {{"text", texts[at].text}};
        if (const auto label = labels.find(texts[at].text); label != labels.end())
            line["label"] = label->second;
        lines += base::to_text(line) + "\n";
    }
    base::write_file_atomically(std::filesystem::path(file).replace_extension(".jsonl"), lines);
    vectors.commit();
}

} // namespace senteval::run
