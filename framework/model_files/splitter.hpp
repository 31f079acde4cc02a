// splitter.hpp -- a tokenizer's pre_tokenizer: where words begin and end.
#pragma once

#include "model_files/files.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace senteval::model_files {

/// A text and the words in it, none of them empty.
struct Words {
    struct Range {
        std::size_t begin = 0;
        std::size_t end = 0;
    };
    std::string text;
    std::vector<Range> ranges;
    bool at_start = true; ///< nothing stands before the text, such as an added token

    [[nodiscard]] std::string_view operator[](Range range) const
    {
        return std::string_view(text).substr(range.begin, range.end - range.begin);
    }
};

/// Cuts the words that it gets into more, and may change the text.
using Splitter = std::function<void(Words&)>;

/// Splitter of the `pre_tokenizer` of a tokenizer.json: BertPreTokenizer, ByteLevel, Metaspace, Split,
/// WhitespaceSplit, a Sequence of these, or null. Throws Json::exception, and std::invalid_argument naming what is
/// not supported.
Splitter splitter_of(const Json& spec);

} // namespace senteval::model_files
