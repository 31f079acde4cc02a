// isolated_encoder.hpp -- an encoder of a plugin in a process of its own: a crash costs the current task and nothing
// else.
#pragma once

#include "base/printed_text.hpp"
#include "encoder/encoder.hpp"
#include "encoder/plugin_encoder.hpp"
#include "isolation/calls.hpp"
#include "isolation/limits.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace senteval::isolation {

/// Vectors are the same as a PluginEncoder's, bit for bit. Where the process dies (a crash, exit(), a
/// limit), the calls at work throw encoder::ProcessEnded, which says how and in which function; the next
/// call finds a new process in the state that the old one was in.
class IsolatedEncoder final : public encoder::Encoder {
public:
    /// Starts the process and makes the encoder in it: see PluginEncoder. `plugin` may be one that is
    /// only described.
    IsolatedEncoder(Service service,
                    const encoder::Plugin& plugin,
                    const senteval_encoder& table,
                    const std::vector<encoder::Parameter>& parameters,
                    encoder::Identity identity,
                    encoder::Logger logger,
                    const encoder::CallContext& context);
    ~IsolatedEncoder() override;
    IsolatedEncoder(const IsolatedEncoder&) = delete;
    IsolatedEncoder& operator=(const IsolatedEncoder&) = delete;

    [[nodiscard]] const encoder::Identity& identity() const override { return identity_; }
    [[nodiscard]] encoder::Capabilities capabilities() const override { return capabilities_; }
    [[nodiscard]] bool has_prepare() const override { return prepare_matters_; }
    [[nodiscard]] bool ranks() const override { return ranks_; }
    void prepare(std::string_view task,
                 std::span<const text::Sentence> samples,
                 const encoder::CallContext& context) override;
    [[nodiscard]] std::size_t dimension() override;
    void encode(std::span<const text::Sentence> batch,
                float* out,
                const encoder::CallContext& context) override;
    bool count_known(std::span<const text::Sentence> batch,
                     std::span<std::uint32_t> tokens,
                     std::span<std::uint32_t> known) override;

private:
    void end_process();
    [[nodiscard]] Waiting waiting_for(const encoder::CallContext& context);
    [[nodiscard]] Channel channel(std::size_t lane, unsigned thread_budget);
    Made start(const encoder::CallContext& context);
    void ensure_process(const encoder::CallContext& context);
    /// A call that no other overlaps.
    template <typename Body>
    auto alone(const encoder::CallContext& context, const Body& body);
    /// Calls body(channel), which calls of other threads may overlap, each on a lane of its own.
    template <typename Body>
    void on_lane(const encoder::CallContext& context, const Body& body);

    const Service service_;
    const bool prepares_;
    encoder::Capabilities capabilities_;
    encoder::Identity identity_;
    encoder::Logger logger_;
    Order order_;
    base::PrintedText printed_; ///< by all its processes
    bool prepare_matters_ = true;
    bool ranks_ = false;
    SharedBuffer samples_{samples_size};
    std::vector<std::unique_ptr<Lane>> lanes_;
    std::optional<Prepared> prepared_;
    std::size_t dimension_ = 0;
    std::atomic<bool> counts_known_ = true;

    std::mutex mutex_; ///< of what follows, and of starting and ending the process
    std::condition_variable changed_;
    std::shared_ptr<EncoderProcess> process_; ///< those at work hold it, too
    std::vector<std::size_t> free_lanes_;
    bool is_worn_ = false; ///< it was refused memory: a new one for the next task
};

} // namespace senteval::isolation
