// plugin_harness.hpp -- drives an encoder class through its C table, as the host does, from tests.
#pragma once

#include <senteval/encoder.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace senteval::test {

/// A host that remembers what is logged.
class FakeHost {
public:
    FakeHost();
    FakeHost(const FakeHost&) = delete;
    FakeHost& operator=(const FakeHost&) = delete;
    ~FakeHost() = default;

    [[nodiscard]] const senteval_host* c() const noexcept { return &host_; }
    [[nodiscard]] sdk::Host sdk() const noexcept { return sdk::Host(&host_); }
    /// The messages of a level, in order; and how often one contains `text`.
    [[nodiscard]] std::vector<std::string> messages(senteval_log_level level) const;
    [[nodiscard]] std::size_t warnings(std::string_view text) const;

private:
    senteval_host host_{};
    mutable std::mutex mutex_;
    std::vector<std::pair<senteval_log_level, std::string>> log_;
};

/// A call with a number of threads, which can be cancelled.
class FakeCall {
public:
    explicit FakeCall(unsigned threads = 1);
    FakeCall(const FakeCall&) = delete;
    FakeCall& operator=(const FakeCall&) = delete;
    ~FakeCall() = default;

    [[nodiscard]] const senteval_call* c() const noexcept { return &call_; }
    [[nodiscard]] const sdk::Call& sdk() const noexcept { return sdk_; }
    void cancel() noexcept { cancelled_ = true; }
    [[nodiscard]] const std::string& error() const noexcept { return error_; }

private:
    senteval_call call_{};
    sdk::Call sdk_{&call_};
    std::atomic<bool> cancelled_{false};
    std::string error_;
};

/// Sentences as the C ABI passes them.
class Sentences {
public:
    explicit Sentences(std::vector<std::string> sentences, bool tokenised = true);
    Sentences(const Sentences&) = delete;
    Sentences& operator=(const Sentences&) = delete;
    ~Sentences() = default;

    [[nodiscard]] const senteval_batch* c() const noexcept { return &batch_; }
    [[nodiscard]] sdk::Batch sdk() const noexcept { return sdk::Batch(&batch_); }

private:
    std::vector<std::string> text_;
    std::vector<senteval_string> views_;
    senteval_batch batch_{};
};

/// Parameters of create(), in order.
struct Parameter {
    std::string key;
    std::variant<bool, std::int64_t, double, std::string> value;
};

/// Thrown by PluginHarness where a function of the table fails.
struct PluginFailure : std::runtime_error {
    PluginFailure(senteval_status failed, const std::string& message)
        : std::runtime_error(message), status(failed)
    {
    }
    senteval_status status;
};

/// The status with which an action fails; SENTEVAL_OK where it does not.
template <typename Action>
senteval_status status_of(const Action& action)
{
    try {
        static_cast<void>(action());
    } catch (const PluginFailure& failure) {
        return failure.status;
    }
    return SENTEVAL_OK;
}

/// Row i is the vector of sentence i.
using Rows = std::vector<std::vector<float>>;

/// One instance of an encoder, made from its C table.
class PluginHarness {
public:
    PluginHarness(const senteval_encoder& encoder,
                  const std::vector<Parameter>& parameters,
                  unsigned threads = 1);

    /// The encoder class T, without a plugin.
    template <sdk::Encoder T>
    static PluginHarness of(const std::vector<Parameter>& parameters, unsigned threads = 1)
    {
        return PluginHarness(sdk::detail::Binding<T>::table, parameters, threads);
    }

    void prepare(const std::vector<std::string>& sentences);
    [[nodiscard]] std::size_t dimension() const;

    /// One row per sentence. Throws std::logic_error where something is written behind a row.
    [[nodiscard]] Rows encode(const std::vector<std::string>& sentences) const;
    [[nodiscard]] std::vector<float> encode(const std::string& sentence) const
    {
        return encode(std::vector{sentence}).front();
    }

    /// The same of texts of a role, through the encoder's extension; as they were written.
    [[nodiscard]] Rows encode_as(sdk::Role role, const std::vector<std::string>& texts) const;

    /// The same into sentences x dimension() floats.
    void encode_into(const Sentences& sentences, std::span<float> rows) const;

    /// Later encode() calls are cancelled from their beginning.
    void cancel() noexcept { cancelled_ = true; }

    /// Tokens and known tokens of each sentence.
    [[nodiscard]] std::vector<std::pair<std::uint32_t, std::uint32_t>>
    count_known(const std::vector<std::string>& sentences) const;

    [[nodiscard]] const FakeHost& host() const noexcept { return *host_; }

private:
    void check(senteval_status status, const FakeCall& call) const;
    template <typename Call>
    [[nodiscard]] Rows rows_of(const Sentences& batch, const Call& encode) const;

    const senteval_encoder* encoder_;
    unsigned threads_;
    bool cancelled_ = false;
    std::unique_ptr<FakeHost> host_;
    std::unique_ptr<senteval_instance, void (*)(senteval_instance*)> instance_;
};

} // namespace senteval::test
