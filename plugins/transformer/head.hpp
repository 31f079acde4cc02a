// head.hpp -- what follows the transformer: modules.json's pooling, dense layers and normalisation.
#pragma once

#include "transformer/kernels.hpp"
#include "transformer/linear.hpp"

#include <senteval/encoder.hpp>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace senteval::transformer {

enum class Pooling { cls, max, mean, mean_sqrt_len, weightedmean, lasttoken };

/// One vector, `width` wide, of those of `count` tokens from the one at `first` on, of which there is at least one.
void pool(Pooling mode,
          const float* tokens,
          std::size_t width,
          std::size_t count,
          std::size_t first,
          float* out);

/// The user's choices in place of the folder's.
struct HeadChoices {
    std::optional<std::string> pooling; ///< a mode, or several joined by '+'
    std::optional<bool> normalises;
    bool has_dense = true; ///< false: the folder's dense layers are left out
};

/// The modules of a folder, as sentence-transformers runs them. Immutable.
class Head {
public:
    /// `width`: of the tokens' vectors. Without modules.json: mean pooling, and says so. Throws sdk::Error naming what is
    /// not supported, and where modules.json or its Pooling says less than sentence-transformers needs.
    Head(const std::filesystem::path& folder,
         std::size_t width,
         const HeadChoices& choices,
         const sdk::Host& host);

    [[nodiscard]] std::size_t token_width() const noexcept { return width_; }
    [[nodiscard]] std::size_t pooled_width() const noexcept { return modes_.size() * width_; }
    [[nodiscard]] std::size_t dimension() const noexcept { return dimension_; }
    /// Whether the tokens of a prompt count.
    [[nodiscard]] bool pools_prompt() const noexcept { return pools_prompt_; }

    /// The vectors of `count` tokens as pooling takes them, token_width() wide, of the transformer's (padded, too).
    [[nodiscard]] std::vector<float> before_pooling(std::vector<float> tokens,
                                                    std::size_t count) const
    {
        return apply(token_steps_, std::move(tokens), count);
    }

    /// One vector of a sentence's tokens, by each of its modes.
    void pool(const float* tokens, std::size_t count, std::size_t first, float* out) const;

    /// The final vectors, count x dimension(), of pooled ones (Linear::padded(count) x pooled_width()).
    [[nodiscard]] std::vector<float> finish(std::vector<float> pooled, std::size_t count) const
    {
        return apply(steps_, std::move(pooled), count);
    }

private:
    struct Dense {
        Linear linear;
        Activation activation;
        std::optional<Linear> residual; ///< of what is added, where it is not the input itself
        bool adds_input;
    };
    struct Normalise {
        std::size_t width;
    };
    using Steps = std::vector<std::variant<Dense, Normalise>>;

    void read_pooling(const std::filesystem::path& file);
    [[nodiscard]] Dense
    read_dense(const std::filesystem::path& folder, std::size_t inputs, const char* stage) const;
    static std::vector<float> apply(const Steps& steps, std::vector<float> rows, std::size_t count);
    void add_mode(const std::string& name, const std::filesystem::path& where);

    std::size_t width_; ///< of tokens where they are pooled
    Steps token_steps_;
    std::vector<Pooling> modes_; ///< side by side
    bool pools_prompt_ = true;
    Steps steps_;
    std::size_t dimension_ = 0;
};

} // namespace senteval::transformer
