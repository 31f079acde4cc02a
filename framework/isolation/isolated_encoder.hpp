// isolated_encoder.hpp -- an encoder of a plugin in a process of its own: what it does to that process
// costs the task at hand and nothing else.
#pragma once

#include "core/printed_text.hpp"
#include "encoder/encoder.hpp"
#include "encoder/plugin_encoder.hpp"
#include "isolation/calls.hpp"
#include "isolation/investigation.hpp"
#include "isolation/limits.hpp"
#include "isolation/task_clock.hpp"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace senteval::isolation {

/// Vectors are the same as a PluginEncoder's, bit for bit. Where the process dies (a crash, exit(), a
/// limit), the call throws core::Error that says how, in which function, of which sentence, and with
/// which callers; the next call finds a new process in the state that the old one was in.
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
    IsolatedEncoder(IsolatedEncoder&&) = delete;
    IsolatedEncoder& operator=(IsolatedEncoder&&) = delete;

    [[nodiscard]] const encoder::Identity& identity() const override { return identity_; }
    [[nodiscard]] encoder::Capabilities capabilities() const override { return capabilities_; }
    [[nodiscard]] bool has_prepare() const override { return prepare_matters_; }
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
    void say_farewell();
    /// A call at work, and what became of it where its process died.
    struct AtWork {
        Suspect suspect;
        std::size_t lane = 0;
        std::optional<Death> death;
        std::optional<Verdict> verdict;
        bool is_settled = false;
    };
    using Place = std::list<AtWork>::iterator;
    using Lock = std::unique_lock<std::mutex>;

    [[nodiscard]] Waiting waiting_for(const encoder::CallContext& context);
    [[nodiscard]] Channel channel(std::size_t lane, unsigned thread_budget);
    Made start(const encoder::CallContext& context);
    void ensure_process(const encoder::CallContext& context);
    Place enter(const Suspect& suspect, const encoder::CallContext& context);
    void leave(Place place, bool is_worn = false);
    /// Calls body(channel) as one of the calls at work; what the death of the process comes to is
    /// thrown, unless the call can be done all the same: then it is false.
    template <typename Body>
    bool at_work(const Suspect& suspect, const encoder::CallContext& context, const Body& body);
    void settle(Place place, const Death& death, const encoder::CallContext& context);
    void investigate(const encoder::CallContext& context);
    [[nodiscard]] std::string
    guilt_of(const Suspect& suspect, const Death& death, const std::stop_token& stop);
    /// A call that no other overlaps.
    template <typename Body>
    auto alone(const encoder::CallContext& context, const Body& body);

    const Service service_;
    const bool prepares_;
    encoder::Capabilities capabilities_;
    encoder::Identity identity_;
    encoder::Logger logger_;
    Order order_;
    core::PrintedText printed_; ///< by all its processes
    bool prepare_matters_ = true;
    TaskClock clock_;
    SharedBuffer samples_{samples_size};
    std::vector<std::unique_ptr<Lane>> lanes_;
    std::unique_ptr<EncoderProcess> process_; ///< none where it has died
    std::optional<Prepared> prepared_;
    std::size_t dimension_ = 0;

    std::mutex mutex_; ///< of what follows, and of starting and ending the process
    std::condition_variable changed_;
    std::list<AtWork> at_work_; ///< in the order in which they began
    std::vector<std::size_t> free_lanes_;
    bool is_settling_ = false; ///< the process has died; nobody may begin
    bool is_worn_ = false;     ///< it was refused memory: a new one for the next task
    std::atomic<bool> counts_known_ = true;
};

} // namespace senteval::isolation
