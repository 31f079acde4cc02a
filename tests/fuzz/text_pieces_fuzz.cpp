// Any bytes as a tokenizer: by the first byte a tokenizer.json or one of the files in its place. Then it reads texts.
#include "fuzz.hpp"
#include "model_files/tokeniser.hpp"

#include <array>
#include <limits>
#include <string>

using namespace senteval;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    constexpr std::array files = {"tokenizer.json", "sentencepiece.bpe.model", "spiece.model",
                                  "vocab.json"};
    static const fuzz::Folder folder;
    static const bool is_written = [] {
        folder.write("merges.txt", "#version: 0.2\na b\nab a\n");
        return true;
    }();
    if (size == 0 || !is_written)
        return 0;
    const std::string file = files[bytes[0] % files.size()];
    folder.write(file, fuzz::text(bytes + 1, size - 1));
    try {
        const model_files::Tokeniser tokeniser(folder.path());
        for (const std::string text :
             {"", "abab a  b", "e\u0301\u4E2D\uFF21\u200B <s> 12 it's\n", "\xFF\xC3 a\xE2\x96"})
            for (const model_files::Id id :
                 tokeniser.encode(text, std::numeric_limits<std::size_t>::max()))
                fuzz::require(id >= 0 && id <= tokeniser.largest_id());
    } catch (const sdk::Error&) { // the bytes are refused
    }
    std::filesystem::remove(folder.path() + "/" + file);
    return 0;
}
