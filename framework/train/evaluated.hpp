// evaluated.hpp -- the sentences of evaluation sets, to be kept apart from training.
#pragma once

#include "core/error.hpp"
#include "train/sentence_key.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace senteval::train {

/// At most 64 sets.
class EvaluatedSentences {
public:
    static constexpr std::size_t most = 64;

    /// Begins a set, to which add() adds. Pairs with a sentence of it are counted, and left out where
    /// `is_excluded`.
    void begin(std::string name, bool is_excluded)
    {
        if (names_.size() == most)
            throw core::UsageError("more than {} evaluation sets cannot be kept apart at once",
                                   most);
        excluded_ |= is_excluded ? std::uint64_t{1} << names_.size() : 0;
        names_.push_back(std::move(name));
    }
    void add(std::string_view sentence)
    {
        if (const auto key = sentence_key(sentence))
            sets_of_[*key] |= std::uint64_t{1} << (names_.size() - 1);
    }

    [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

    /// A bit for each set that has the sentence.
    [[nodiscard]] std::uint64_t sets_with(std::string_view sentence) const
    {
        const auto key = sets_of_.empty() ? std::nullopt : sentence_key(sentence);
        const auto at = key ? sets_of_.find(*key) : sets_of_.end();
        return at == sets_of_.end() ? 0 : at->second;
    }
    [[nodiscard]] bool is_excluded(std::uint64_t sets) const noexcept
    {
        return (sets & excluded_) != 0;
    }

private:
    std::vector<std::string> names_;
    std::unordered_map<std::uint64_t, std::uint64_t> sets_of_;
    std::uint64_t excluded_ = 0;
};

} // namespace senteval::train
