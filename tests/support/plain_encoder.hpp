// plain_encoder.hpp -- what the encoders and the sentences of tests have in common.
#pragma once

#include "encoder/encoder.hpp"

#include <string>
#include <utility>
#include <vector>

namespace senteval::test {

/// An encoder without prepare(), of which a test writes encode().
class PlainEncoder : public encoder::Encoder {
public:
    explicit PlainEncoder(std::size_t dimension = 2, const std::string& label = "")
        : dimension_(dimension)
    {
        named.label = label;
    }
    encoder::Capabilities can{.concurrent = false, .batch_invariant = true, .deterministic = true};
    encoder::Identity named;

    [[nodiscard]] const encoder::Identity& identity() const override { return named; }
    [[nodiscard]] encoder::Capabilities capabilities() const override { return can; }
    [[nodiscard]] bool has_prepare() const override { return false; }
    void
    prepare(std::string_view, std::span<const text::Sentence>, const encoder::CallContext&) override
    {
    }
    [[nodiscard]] std::size_t dimension() override { return dimension_; }

private:
    std::size_t dimension_;
};

/// Sentences of that many tokens each, with their text.
struct Texts {
    explicit Texts(std::vector<std::string> of, std::uint32_t tokens = 2) : texts(std::move(of))
    {
        for (const std::string& text : texts)
            sentences.push_back({text, tokens});
    }
    /// `before` and a number: 0 ... count - 1.
    static Texts numbered(std::size_t count, const std::string& before, std::uint32_t tokens = 2)
    {
        std::vector<std::string> texts;
        for (std::size_t i = 0; i < count; ++i)
            texts.push_back(before + std::to_string(i));
        return Texts(std::move(texts), tokens);
    }
    Texts(const Texts&) = delete;
    Texts& operator=(const Texts&) = delete;
    Texts(Texts&&) = default;
    Texts& operator=(Texts&&) = default;
    ~Texts() = default;

    std::vector<std::string> texts;
    std::vector<text::Sentence> sentences;
};

} // namespace senteval::test
