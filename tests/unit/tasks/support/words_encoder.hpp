// words_encoder.hpp -- an encoder for tests whose vectors can be worked out by hand.
#pragma once

#include "support/plain_encoder.hpp"

#include <string_view>

namespace senteval::test {

/// Dimension 4: how often the words "a", "b", "c" occur, and the number of all words.
class WordsEncoder : public PlainEncoder {
public:
    WordsEncoder() : PlainEncoder(4) { can.concurrent = true; }
    void encode(std::span<const text::Sentence> batch,
                float* out,
                const encoder::CallContext& /*context*/) override
    {
        for (std::size_t i = 0; i < batch.size(); ++i, out += 4) {
            for (const int k : {0, 1, 2})
                out[k] = static_cast<float>(occurrences(batch[i].text, "abc"[k]));
            out[3] = static_cast<float>(batch[i].tokens);
        }
    }

private:
    static int occurrences(std::string_view sentence, char word)
    {
        int count = 0;
        for (std::size_t at = 0; at < sentence.size(); ++at) {
            const bool begins = at == 0 || sentence[at - 1] == ' ';
            const bool ends = at + 1 == sentence.size() || sentence[at + 1] == ' ';
            count += sentence[at] == word && begins && ends ? 1 : 0;
        }
        return count;
    }
};

} // namespace senteval::test
