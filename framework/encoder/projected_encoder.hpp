// projected_encoder.hpp -- an encoder brought to fewer dimensions, so that encoders can be compared
// at equal size (Eger, Rücklé & Gurevych 2019, section 3, "Size matters").
#pragma once

#include "embedding/projection.hpp"
#include "encoder/encoder.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

namespace senteval::encoder {

enum class ProjectionKind {
    random, ///< the same linear map for every task
    pca     ///< the principal components of the task's own sentences: transductive
};

inline constexpr std::array<std::pair<std::string_view, ProjectionKind>, 2> projection_names{{
    {"random", ProjectionKind::random},
    {"pca", ProjectionKind::pca},
}};

struct ProjectionSettings {
    ProjectionKind kind = ProjectionKind::random;
    std::size_t dimension = 0; ///< at least 1
};

/// Who an encoder is when it is projected: "glove" becomes "glove @50 random"; the settings stand
/// among its parameters, as "projection" (a parameter of its own by that name becomes "of_encoder" in
/// it).
Identity projected(Identity inner, const ProjectionSettings& settings);

/// Gives the vectors of another encoder in `dimension` dimensions. Where that has no more than these,
/// its vectors are passed on as they are.
class ProjectedEncoder final : public Encoder {
public:
    ProjectedEncoder(std::unique_ptr<Encoder> inner, const ProjectionSettings& settings);

    /// Once prepared, "from" in the parameter "projection" is the dimension without the projection.
    [[nodiscard]] const Identity& identity() const override { return identity_; }
    [[nodiscard]] Capabilities capabilities() const override { return inner_->capabilities(); }
    [[nodiscard]] bool has_prepare() const override;

    /// Principal components are those of at most 2000 of the different samples, evenly spread.
    void prepare(std::string_view task,
                 std::span<const text::Sentence> samples,
                 const CallContext& context) override;
    [[nodiscard]] std::size_t dimension() override;
    void
    encode(std::span<const text::Sentence> batch, float* out, const CallContext& context) override;
    bool count_known(std::span<const text::Sentence> batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) override
    {
        return inner_->count_known(batch, tokens, known);
    }

private:
    [[nodiscard]] embedding::Projection fit(std::span<const text::Sentence> samples,
                                            const CallContext& context);

    std::unique_ptr<Encoder> inner_;
    ProjectionSettings settings_;
    Identity identity_;
    std::optional<embedding::Projection> projection_; ///< none where nothing is to be projected
};

} // namespace senteval::encoder
