// plugin_encoder.hpp -- an encoder of a plugin, behind the Encoder interface.
#pragma once

#include "base/error.hpp"
#include "encoder/encoder.hpp"
#include "encoder/identity.hpp"
#include "encoder/parameters.hpp"
#include "encoder/plugin.hpp"
#include "encoder/prefixes.hpp"

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace senteval::encoder {

/// Receives the log lines of encoders. Called from any thread.
using Logger =
    std::function<void(senteval_log_level level, std::string_view encoder, std::string_view line)>;

Capabilities capabilities_of(const senteval_encoder& table);

/// The encoder was refused memory.
class OutOfMemory : public base::Error {
public:
    using base::Error::Error;
};

class PluginEncoder final : public Encoder {
public:
    /// Creates an instance: may load a model, and take long. Throws base::UsageError when the encoder
    /// refuses its parameters, base::Error when it fails otherwise, base::Cancelled.
    PluginEncoder(std::shared_ptr<const Plugin> plugin,
                  const senteval_encoder& table,
                  const std::vector<Parameter>& parameters,
                  Identity identity,
                  Logger logger,
                  const CallContext& context);
    ~PluginEncoder() override;
    PluginEncoder(const PluginEncoder&) = delete;
    PluginEncoder& operator=(const PluginEncoder&) = delete;

    [[nodiscard]] const Identity& identity() const override { return identity_; }
    [[nodiscard]] Capabilities capabilities() const override { return capabilities_; }
    [[nodiscard]] bool has_prepare() const override { return prepare_matters_; }
    [[nodiscard]] bool ranks() const override;
    void prepare(std::string_view task,
                 std::span<const text::Sentence> samples,
                 const CallContext& context) override;
    [[nodiscard]] std::size_t dimension() override;
    void
    encode(std::span<const text::Sentence> batch, float* out, const CallContext& context) override;
    bool count_known(std::span<const text::Sentence> batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) override;

private:
    void start(const std::vector<Parameter>& parameters, const CallContext& context);
    void read_extensions(const CallContext& context);

    std::shared_ptr<const Plugin> plugin_;
    const senteval_encoder& table_;
    Identity identity_;
    Logger logger_;
    senteval_host host_{}; ///< the instance keeps its address
    senteval_instance* instance_ = nullptr;
    Prefixes prefixes_;
    Extensions extensions_;
    Capabilities capabilities_;
    bool prepare_matters_ = true;
    std::size_t dimension_ = 0; ///< what the plugin said last
};

} // namespace senteval::encoder
