#include "use/use_encoder.hpp"

#include "model_files/files.hpp"

#include <algorithm>

namespace senteval::use {

namespace fs = std::filesystem;
using model_files::Id;

std::string UseEncoder::files_of(const char* folder)
{
    const std::vector<std::string> weights = weight_files(folder);
    if (weights.empty() || !fs::exists(fs::path(folder) / "vocab.json"))
        return "";
    std::string lines = "model.json\nvocab.json\n";
    for (const std::string& name : weights)
        lines += name + "\n";
    return lines;
}

UseEncoder::UseEncoder(const sdk::Setup& setup)
    : host_(setup.host),
      folder_(setup.params.require<std::string>("model")),
      tokeniser_(folder_ / "vocab.json"),
      network_(folder_)
{
    if (tokeniser_.size() > network_.vocabulary())
        base::refuse(folder_, "its vocabulary has {} pieces, and its table of tokens {} rows",
                     tokeniser_.size(), network_.vocabulary());
    if (10 * tokeniser_.size() < 9 * network_.vocabulary())
        base::refuse(folder_ / "vocab.json",
                     "has {} pieces, and the model's table of tokens {} rows: is it cut "
                     "short?",
                     tokeniser_.size(), network_.vocabulary());
}

void UseEncoder::prepare(sdk::Call& call, const sdk::Task& task, sdk::Batch samples) const
{
    std::size_t cut = 0;
    for (const std::string_view sample : samples) {
        call.check_cancelled();
        cut += tokeniser_.encode(sample).size() > Network::most_tokens ? 1U : 0U;
    }
    model_files::warn_of_cut(host_, task, cut, samples.size(), Network::most_tokens);
}

void UseEncoder::encode(sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const
{
    constexpr std::size_t tokens_at_once = 256; // of several sentences
    Packed packed;
    std::size_t first = 0;
    const auto flush = [&] {
        call.check_cancelled();
        const arma::fmat vectors = network_.run(packed);
        for (std::size_t i = 0; i < packed.lengths.size(); ++i)
            std::copy_n(vectors.colptr(i), vectors.n_rows, out.row(first++).begin());
        packed = {};
    };
    for (std::size_t i = 0; i < batch.size(); ++i) {
        std::vector<Id> ids = tokeniser_.encode(batch[i]);
        ids.resize(std::min(ids.size(), Network::most_tokens));
        if (packed.ids.size() + ids.size() > tokens_at_once)
            flush();
        packed.ids.insert(packed.ids.end(), ids.begin(), ids.end());
        packed.lengths.push_back(ids.size());
    }
    flush();
}

void UseEncoder::count_known(sdk::Batch batch,
                             std::span<std::uint32_t> tokens,
                             std::span<std::uint32_t> known) const
{
    for (std::size_t i = 0; i < batch.size(); ++i) {
        const std::vector<Id> ids = tokeniser_.encode(batch[i]);
        tokens[i] = static_cast<std::uint32_t>(ids.size());
        known[i] = static_cast<std::uint32_t>(
            std::ranges::count_if(ids, [](Id id) { return id != Tokeniser::unknown; }));
    }
}

} // namespace senteval::use
