#include "word_vectors/index.hpp"

#include <utility>

namespace senteval::word_vectors {

Index build_index(std::string_view bytes, const Layout& layout, Scan scan)
{
    std::vector<WordEntry> words = std::move(scan.words);
    std::vector<Slot> slots = make_slots(words.size());
    std::uint32_t count = 0;
    for (const WordEntry word : words) {
        const auto text = [&](const WordEntry& entry) {
            return bytes.substr(entry.offset, entry.length);
        };
        Slot& slot = slots[find_slot(slots, word.tag, [&](std::uint32_t other) {
            return text(words[other]) == text(word);
        })];
        if (slot.entry == Slot::empty) {
            slot = {word.tag, count};
            words[count++] = word;
        } else {
            words[slot.entry] = word;
            ++scan.findings.repeated;
        }
    }
    words.resize(count);

    Index index{layout, std::move(scan.findings), {}, {}, {}};
    const auto& memory =
        index.memory.emplace<Index::Built>(Index::Built{std::move(words), std::move(slots)});
    index.words = memory.words;
    index.slots = memory.slots;
    return index;
}

} // namespace senteval::word_vectors
