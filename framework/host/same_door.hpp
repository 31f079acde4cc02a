// same_door.hpp -- an encoder of `senteval same`: asked for texts, also with other settings.
#pragma once

#include "encoder/encoder.hpp"
#include "run/plan.hpp"
#include "same/agreement.hpp"

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace senteval::host {

/// Keeps the encoder, and one more with the settings that were asked for last.
class Door {
public:
    using Settings = std::vector<std::pair<std::string, std::string>>;

    /// Throws base::UsageError as run::plan_encoder(), and where it has no vectors.
    Door(run::EncoderRequest request, unsigned threads, std::stop_token stop);

    [[nodiscard]] const std::string& label() const { return planned_.label; }
    /// Whether it declares a parameter.
    [[nodiscard]] bool has(std::string_view key) const;
    /// Whether it comes with the program and its vectors depend on nothing but the text.
    [[nodiscard]] bool is_certain() const;
    /// Texts that its model's folder puts before others.
    [[nodiscard]] std::vector<std::string> prompts() const;

    /// What is answered to some of the texts in calls of `batch`, one after the other unless calls may overlap. A call that
    /// fails is an error of each of its texts. Throws base::Error where an encoder cannot be made so, or the first 20 calls
    /// fail.
    [[nodiscard]] same::Answers ask(const std::vector<std::string>& texts,
                                    const same::Numbers& which,
                                    std::size_t batch,
                                    const Settings& settings = {});

    /// Tokens of each text; nothing where it counts none.
    [[nodiscard]] std::vector<std::size_t> tokens_of(const std::vector<std::string>& texts);

private:
    struct Made {
        Settings settings;
        run::PlannedEncoder planned; ///< whose address the encoder keeps
        std::unique_ptr<encoder::Encoder> encoder;
    };

    encoder::Encoder& encoder_with(const Settings& settings);
    [[nodiscard]] encoder::CallContext context(unsigned threads) const
    {
        return {threads, stop_, {}};
    }

    run::EncoderRequest request_;
    run::PlannedEncoder planned_;
    unsigned threads_;
    std::stop_token stop_;
    bool is_known_ = false; ///< it was asked: its warnings have been shown
    std::unique_ptr<Made> usual_;
    std::unique_ptr<Made> changed_;
};

} // namespace senteval::host
