// test_encoder.hpp -- loads an encoder plugin without the host and calls it as the ABI says.
#pragma once

#include <senteval/encoder.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace senteval::test {

/// Row i is the vector of sentence i.
using Rows = std::vector<std::vector<float>>;

/// A status other than SENTEVAL_OK, with the message of call->fail() (may be empty).
struct CallFailed : std::runtime_error {
    CallFailed(senteval_status status_in, const std::string& message)
        : std::runtime_error(message), status(status_in)
    {
    }
    senteval_status status;
};

/// A loaded library; it stays loaded until the process ends. Throws std::runtime_error where
/// dlopen() fails or there is no entry point.
class LoadedPlugin {
public:
    explicit LoadedPlugin(const std::filesystem::path& library);

    [[nodiscard]] const senteval_plugin* table(std::uint32_t version = SENTEVAL_ABI_VERSION) const
    {
        return entry_(version);
    }
    /// The encoder with that id. Throws std::runtime_error where there is none.
    [[nodiscard]] const senteval_encoder& encoder(std::string_view id) const;

private:
    senteval_plugin_entry_fn entry_ = nullptr;
};

/// A parameter of a test: bool, integer, real or text. Text is passed with the type the encoder
/// declares for the key, so paths need no type of their own.
using ParamValue = std::variant<bool, int, double, std::string>;
using Params = std::vector<std::pair<std::string, ParamValue>>;

/// One instance of an encoder. Every failed call throws CallFailed. Text is borrowed for the call.
class TestEncoder {
public:
    TestEncoder(const senteval_encoder& encoder, const Params& params);
    TestEncoder(const TestEncoder&) = delete;
    TestEncoder& operator=(const TestEncoder&) = delete;
    TestEncoder(TestEncoder&&) = delete;
    TestEncoder& operator=(TestEncoder&&) = delete;
    ~TestEncoder();

    /// Does nothing where the encoder has no prepare.
    void prepare(const std::vector<std::string>& samples, const char* task = "test");
    [[nodiscard]] std::size_t dimension() const;

    /// Encodes one batch. The rows are padded (row_stride > cols), and the padding is checked to be
    /// left alone; elements that the encoder does not write come back as NaN. May be called from
    /// several threads where the encoder is concurrent.
    [[nodiscard]] Rows encode(const std::vector<std::string>& sentences) const;

    /// (tokens, known) of each sentence. Throws std::runtime_error where the encoder has no
    /// vocabulary.
    [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>>
    count_known(const std::vector<std::string>& sentences) const;

    /// What the encoder logged, a line each.
    [[nodiscard]] const std::vector<std::string>& log() const noexcept { return log_; }

    /// What call->is_cancelled() answers from now on.
    void cancel() noexcept { cancelled_ = true; }

private:
    struct Failure {
        std::string message;
        const TestEncoder* encoder = nullptr;
    };
    template <typename Function>
    void call(Function&& function) const;

    const senteval_encoder& encoder_;
    senteval_host host_;
    senteval_instance* instance_ = nullptr;
    std::vector<std::string> log_;
    bool cancelled_ = false;
};

} // namespace senteval::test
