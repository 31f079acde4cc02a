// An encoder that states an identity of its own: its parameter `states`, whatever that is; `prepares`
// says whether prepare() changes its vectors, which it then gives another first element; `invariant`,
// whether it keeps what its table declares. What else changes its vectors: the file weight.txt of the
// folder `model`, and the library that it is linked with.
#include <senteval/encoder.hpp>

#include <fstream>
#include <string>

extern "C" float neighbour_weight(void);

namespace {

namespace sdk = senteval::sdk;

class Stating {
public:
    static constexpr sdk::Descriptor descriptor{
        .id = "bad.stating",
        .name = "Stating",
        .version = "1.0",
        .description = "States what it is told to.",
        .capabilities = SENTEVAL_CAP_BATCH_INVARIANT,
    };
    static constexpr senteval_param_spec params[] = {
        sdk::no_effect(sdk::param("states", "{}", "The JSON text that it states.")),
        sdk::param("prepares", true, "Whether prepare() matters."),
        sdk::path_param("model", "Folder with a number in weight.txt.", 0),
        sdk::param("invariant", true, "Whether a row depends on its sentence only."),
    };

    explicit Stating(const sdk::Setup& setup)
        : states_(setup.params.get("states", "{}")),
          prepares_(setup.params.find<bool>("prepares").value_or(true)),
          invariant_(setup.params.find<bool>("invariant").value_or(true))
    {
        if (const auto model = setup.params.find<std::string>("model"))
            std::ifstream(*model + "/weight.txt") >> weight_;
    }

    [[nodiscard]] const std::string& identity() const { return states_; }
    [[nodiscard]] bool ignores_prepare() const { return !prepares_; }
    [[nodiscard]] std::uint32_t capabilities() const
    {
        return invariant_ ? ~0U : ~std::uint32_t{SENTEVAL_CAP_BATCH_INVARIANT};
    }

    void prepare(sdk::Call&, const sdk::Task& task, sdk::Batch)
    {
        first_ = prepares_ ? static_cast<float>(task.name.size()) : 0.0F;
    }
    [[nodiscard]] std::size_t dimension() const { return 2; }
    void count_known(sdk::Batch batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) const
    {
        for (std::size_t i = 0; i < batch.size(); ++i) {
            tokens[i] = 3;
            known[i] = batch[i] == "impossible" ? 4 : 3;
        }
    }
    void encode(sdk::Call&, sdk::Batch batch, sdk::Matrix out)
    {
        for (std::size_t i = 0; i < batch.size(); ++i) {
            out.row(i)[0] = first_ + weight_;
            out.row(i)[1] = static_cast<float>(batch[i].size());
        }
    }

private:
    std::string states_;
    bool prepares_;
    bool invariant_;
    float first_ = 0;
    float weight_ = neighbour_weight();
};

} // namespace

SENTEVAL_PLUGIN(Stating);
