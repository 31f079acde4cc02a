// Word vectors in text: the rule of the unsupervised models, on the words of the file alone.
#include "fasttext/encoder.hpp"
#include "word_vectors/parameters.hpp"
#include "word_vectors/table.hpp"
#include "word_vectors/word_vectors.hpp"

#include <cmath>
#include <vector>

namespace senteval::fasttext {
namespace {

class VectorsModel : public Model {
public:
    explicit VectorsModel(const sdk::Setup& setup)
        : vectors_(word_vectors::source_from(setup.params, "model"), setup.host, setup.call),
          table_(vectors_,
                 word_vectors::resolve_by(vectors_, word_vectors::CasePolicy::exact),
                 setup.host)
    {
    }

    [[nodiscard]] std::size_t dimension() const noexcept override { return table_.dimension(); }

    void prepare(const sdk::Call& call, sdk::Batch samples) override { table_.fill(call, samples); }

    void encode(const sdk::Call& call, sdk::Batch batch, sdk::Matrix out) const override
    {
        word_vectors::SentenceReader reader(table_);
        std::vector<double> sum(dimension());
        for (std::size_t i = 0; i < batch.size(); ++i) {
            call.check_cancelled();
            sum.assign(sum.size(), 0.0);
            std::size_t count = 0;
            for (const word_vectors::Token& token : reader.read(batch[i]))
                count +=
                    token.vector != nullptr && add_unit({token.vector, sum.size()}, sum) ? 1 : 0;
            const double scale = count > 0 ? 1.0 / static_cast<double>(count) : 0.0;
            for (std::size_t k = 0; k < sum.size(); ++k)
                out.row(i)[k] = static_cast<float>(sum[k] * scale);
        }
    }

    void count_known(sdk::Batch batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) const override
    {
        table_.count_known(batch, tokens, known);
    }

private:
    /// Adds `vector`, scaled to length 1, to `sum`; false where it is zero.
    static bool add_unit(std::span<const double> vector, std::span<double> sum)
    {
        double squares = 0;
        for (const double value : vector)
            squares += value * value;
        if (!(squares > 0))
            return false;
        const double scale = 1.0 / std::sqrt(squares);
        for (std::size_t k = 0; k < sum.size(); ++k)
            sum[k] += vector[k] * scale;
        return true;
    }

    word_vectors::WordVectors vectors_;
    word_vectors::Table table_;
};

} // namespace

std::unique_ptr<Model> open_vectors_model(const sdk::Setup& setup)
{
    return std::make_unique<VectorsModel>(setup);
}

} // namespace senteval::fasttext
