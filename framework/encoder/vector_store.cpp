#include "encoder/vector_store.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <utility>

namespace senteval::encoder {

void VectorStore::close()
{
    clear();
    vectors_.reset();
    memory_.reset();
    cache_ = nullptr;
    present_ = {};
    cached_ = 0;
}

void VectorStore::open(std::size_t dimension,
                       std::size_t sentences,
                       bool shares,
                       const SpillOptions& spill)
{
    vectors_ = memory_.allocate(dimension, VectorRows::padded, sentences, spill);
    dimension_ = dimension;
    shares_ = shares;
}

void VectorStore::use_cache(const EmbeddingCache& cache, std::string key)
{
    cache_ = &cache;
    key_ = std::move(key);
    present_ = cache.open(key_, dimension_);
}

const std::vector<std::uint32_t>* VectorStore::find(std::span<const text::Sentence> sentences) const
{
    const auto is_it = [&](const std::vector<std::uint32_t>& list) {
        return std::ranges::equal(list, sentences, {},
                                  [&](std::uint32_t column) { return sentences_[column]; });
    };
    const auto found = std::ranges::find_if(lists_, is_it);
    return found == lists_.end() ? nullptr : &*found;
}

std::uint32_t VectorStore::new_column(const text::Sentence& sentence)
{
    if (size() == capacity())
        throw base::Error("{} was not among the sentences it was prepared for",
                          shown(sentence.text));
    const auto column = static_cast<std::uint32_t>(size());
    float* const padding = vectors_.colptr(column) + dimension_;
    std::fill(padding, vectors_.colptr(column) + vectors_.n_rows, 0.0F);
    *padding = 1;
    sentences_.push_back(sentence);
    return column;
}

std::span<const std::uint32_t> VectorStore::add(std::span<const text::Sentence> sentences,
                                                std::vector<Slot>& missing)
{
    auto& columns = lists_.emplace_back();
    columns.reserve(sentences.size());
    for (const text::Sentence& sentence : sentences) {
        if (const auto known = column_of_.find(sentence); known != column_of_.end()) {
            columns.push_back(known->second);
            continue;
        }
        columns.push_back(new_column(sentence));
        if (shares_)
            column_of_.emplace(sentence, columns.back());
        float* const vector = vectors_.colptr(columns.back());
        if (cache_ != nullptr && present_.find(sentence, {vector, dimension_}))
            ++cached_;
        else
            missing.push_back({sentence, vector});
    }
    return columns;
}

void VectorStore::keep(std::span<const Slot> filled)
{
    if (cache_ != nullptr)
        for (const Slot& slot : filled)
            new_.push_back({slot.sentence, slot.vector});
}

void VectorStore::save()
{
    const auto entries = std::exchange(new_, {});
    if (!entries.empty())
        cache_->add(key_, dimension_, entries);
}

void VectorStore::clear()
{
    sentences_.clear();
    column_of_.clear();
    lists_.clear();
    new_.clear();
}

std::vector<Slot> VectorStore::slots()
{
    std::vector<Slot> all;
    for (std::size_t column = 0; column < size(); ++column)
        all.push_back({sentences_[column], vectors_.colptr(column)});
    return all;
}

std::size_t VectorStore::all_alike() const
{
    bool differ = false; // the sentences
    for (std::size_t column = 1; column < size(); ++column) {
        if (!std::ranges::equal(vector(0), vector(column)))
            return 0;
        differ |= sentences_[column].text != sentences_.front().text;
    }
    return differ ? size() : 0;
}

} // namespace senteval::encoder
