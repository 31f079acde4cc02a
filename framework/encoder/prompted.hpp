// prompted.hpp -- an encoder that is given the texts of a task behind what the task asks for.
#pragma once

#include "encoder/encoder.hpp"

#include <map>
#include <string>

namespace senteval::encoder {

/// What stands in front of the texts of a role, in place of the encoder's own prompt; roles without one have no entry.
using Prompts = std::map<text::Role, std::string>;

class PromptedEncoder final : public Encoder {
public:
    explicit PromptedEncoder(Encoder& encoder) : encoder_(encoder) {}

    /// From now on.
    void use(Prompts prompts) { prompts_ = std::move(prompts); }

    [[nodiscard]] const Identity& identity() const override { return encoder_.identity(); }
    [[nodiscard]] Capabilities capabilities() const override { return encoder_.capabilities(); }
    [[nodiscard]] bool has_prepare() const override { return encoder_.has_prepare(); }
    [[nodiscard]] bool ranks() const override { return encoder_.ranks(); }
    [[nodiscard]] std::size_t dimension() override { return encoder_.dimension(); }
    void prepare(std::string_view task,
                 std::span<const text::Sentence> samples,
                 const CallContext& context) override;
    void
    encode(std::span<const text::Sentence> batch, float* out, const CallContext& context) override;
    bool count_known(std::span<const text::Sentence> batch, // of the task's own words
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) override
    {
        return encoder_.count_known(batch, tokens, known);
    }

private:
    Encoder& encoder_;
    Prompts prompts_;
};

} // namespace senteval::encoder
