#include "paragram_model/training_record.hpp"

#include "base/error.hpp"
#include "paragram_model/model_file.hpp"
#include "word_vectors/text_case.hpp"

#include <senteval/encoder.hpp>

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

namespace senteval::paragram {

namespace {

bool is_of_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c & 0x80) != 0;
}

} // namespace

std::optional<std::uint64_t> sentence_key(std::string_view sentence, std::size_t words)
{
    const std::string lower = word_vectors::lower_case(sentence);
    std::string letters;
    std::size_t found = 0;
    bool in_word = false; // a token counts once, and where it has a letter or digit
    for (const char c : lower) {
        if (c == ' ' || c == '\t')
            in_word = false;
        if (!is_of_word(c))
            continue;
        found += in_word ? 0 : 1;
        in_word = true;
        letters += c;
    }
    if (found < words)
        return std::nullopt;
    return XXH3_64bits(letters.data(), letters.size());
}

bool TrainingRecord::has(std::string_view sentence) const
{
    const auto key = sentence_key(sentence);
    return key && std::ranges::binary_search(keys, *key);
}

void add_keys(TrainingRecord& record, const std::vector<std::uint64_t>& keys)
{
    std::vector<std::uint64_t> both;
    std::ranges::set_union(record.keys, keys, std::back_inserter(both));
    record.keys = std::move(both);
}

std::string to_block(const TrainingRecord& record)
{
    std::string block = base::to_text(record.about) + "\n";
    const std::size_t begin = block.size();
    block.resize(begin + record.keys.size() * sizeof(std::uint64_t));
    if (!record.keys.empty())
        std::memcpy(block.data() + begin, record.keys.data(), block.size() - begin);
    return block;
}

TrainingRecord record_of(std::string_view block, const std::filesystem::path& file)
{
    const std::size_t end = block.find('\n');
    const std::string_view keys = end == block.npos ? "" : block.substr(end + 1);
    TrainingRecord record;
    record.about = base::Json::parse(block.substr(0, end), nullptr, false);
    const auto fail = [&file] {
        throw base::Error("{}: its record of the training data is damaged", file.string());
    };
    if (end == block.npos || !record.about.is_object() || keys.size() % sizeof(std::uint64_t) != 0)
        fail();
    record.keys.resize(keys.size() / sizeof(std::uint64_t));
    if (!keys.empty())
        std::memcpy(record.keys.data(), keys.data(), keys.size());
    const bool is_ascending =
        std::ranges::adjacent_find(record.keys, std::ranges::greater_equal()) == record.keys.end();
    if (!is_ascending)
        fail();
    return record;
}

std::optional<TrainingRecord> training_record_of(const std::filesystem::path& file)
{
    try {
        const auto block = training_block_of(file);
        return block ? std::optional<TrainingRecord>(record_of(*block, file)) : std::nullopt;
    } catch (const sdk::Error& error) {
        throw base::Error("{}", error.what());
    }
}

} // namespace senteval::paragram
