// bench.hpp -- what a trial works with: the encoder, and calls of its functions that are observed.
#pragma once

#include "check/host.hpp"
#include "check/process.hpp"
#include "check/report.hpp"
#include "check/sentences.hpp"

#include <senteval/encoder.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace senteval::check {

/// A parameter that owns its text.
struct Setting {
    std::string key;
    senteval_value value; ///< the string of a text or a path is set when it is passed
    std::string text;
};

/// How a call went. Where it broke a rule on its way out, such as failing without a word, that has been
/// reported.
struct Reply {
    enum class Kind { done, refused, misbehaved } kind = Kind::done;
    senteval_status status = SENTEVAL_OK;
    std::string reason;

    [[nodiscard]] bool done() const noexcept { return kind == Kind::done; }
    [[nodiscard]] bool refused() const noexcept { return kind == Kind::refused; }
    /// Rule 8.5: refused as create() may refuse what it is given.
    [[nodiscard]] bool refused_a_value() const noexcept;
    /// "it failed with status 6: REASON"
    [[nodiscard]] std::string failure() const;
};

/// Thrown where the time of a trial is over; the encoder is not to blame.
struct TooSlow {};

/// Thrown where going on makes no sense, after everything has been reported.
struct TrialEnded {};

/// How the matrix lies in memory that batcher() gets.
struct Layout {
    std::size_t gap = 0;               ///< floats between rows
    std::size_t skew = 0;              ///< floats from an address that is a multiple of 64 bytes
    std::optional<float> content = {}; ///< on entry; a number that is none where nothing is given
};

class Bench;

/// An instance at work; destroys itself.
class Instance {
public:
    Instance(Bench& bench, senteval_instance* raw) : bench_(bench), raw_(raw) {}
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;
    Instance(Instance&&) = delete;
    Instance& operator=(Instance&&) = delete;
    ~Instance();

    /// The raw functions, observed.
    Reply prepare(const Sentences& samples, const char* language = "en");
    Reply dimension(std::size_t& out);
    Reply
    batcher(const Sentences& sentences, senteval_matrix& out, const CallOptions& options = {});

    /// What a task does, as far as it goes; how the last of the calls went.
    Reply put_to_use(const Sentences& samples);

    /// prepare() and dimension(); a refusal is a finding.
    void ready_for(const Sentences& samples);

    /// Encodes into memory of its own and looks at every float of it. A refusal is a finding; throws
    /// TrialEnded where there are no vectors to go on with.
    Vectors
    encode(const Sentences& sentences, const CallOptions& options = {}, const Layout& layout = {});

    /// Of the last ready_for().
    [[nodiscard]] std::size_t cols() const noexcept { return cols_; }
    [[nodiscard]] senteval_instance* raw() const noexcept { return raw_; }

private:
    Bench& bench_;
    senteval_instance* raw_;
    std::size_t cols_ = 0;
};

class Bench {
public:
    /// What is repeated in a trial is repeated for `enough` at the most.
    Bench(const senteval_encoder& encoder,
          std::vector<Setting> settings,
          const Texts& texts,
          Report& report,
          std::uint32_t claims,
          Seconds enough)
        : encoder_(encoder),
          settings_(std::move(settings)),
          texts_(texts),
          report_(report),
          claims_(encoder.capabilities & claims),
          enough_(Clock::now() + std::chrono::duration_cast<Clock::duration>(enough)),
          host_(report)
    {
    }

    [[nodiscard]] const senteval_encoder& encoder() const noexcept { return encoder_; }
    [[nodiscard]] const std::vector<Setting>& settings() const noexcept { return settings_; }
    [[nodiscard]] const Texts& texts() const noexcept { return texts_; }
    [[nodiscard]] Report& report() noexcept { return report_; }
    [[nodiscard]] bool has_time() const { return Clock::now() < enough_; }

    /// Whether the encoder claims all of these SENTEVAL_CAP_*, and no trial has shown otherwise.
    [[nodiscard]] bool claims(std::uint32_t capabilities) const noexcept
    {
        return (claims_ & capabilities) == capabilities;
    }

    /// What is tried now: what goes wrong until the next step breaks this rule.
    void step(std::string_view rule, std::string shown);

    /// The rule of the step is broken, or another.
    void broken(std::string_view detail) { broken(rule_, detail); }
    void broken(std::string_view rule, std::string_view detail)
    {
        report_.broken(rule, shown_, detail);
    }

    /// The rule of the step cannot be tried.
    void not_tried(std::string_view why) { report_.not_tried(rule_, why); }

    /// One call of a function of the plugin, observed from all sides.
    Reply call(const char* function,
               const CallOptions& options,
               const std::function<senteval_status(const senteval_call*)>& body);

    /// A function that cannot fail.
    void call_plain(const char* function, const std::function<void()>& body);

    /// From here on the texts of parameters cannot be read once create() has returned.
    void take_texts_away() noexcept { takes_texts_away_ = true; }

    /// create(); `out` is null where it made nothing.
    Reply create(const std::vector<Setting>& settings, std::unique_ptr<Instance>& out);

    /// An instance with the settings of the user. A refusal breaks the rule of the step.
    std::unique_ptr<Instance> create();

    /// Ready for these sentences.
    std::unique_ptr<Instance> create_for(const Sentences& samples);

    /// Breaks a rule where the reply is a refusal, and ends the trial where it is no success.
    void require(const Reply& reply, const char* function);

    /// The same of a call that was given sentences: refusing them breaks 10.1, where no other rule of text
    /// is tried.
    void require_of_text(const Reply& reply, const char* function);

    /// Compares row by row and reports the first that differ as breaking the rule of the step.
    bool same(const Vectors& expected, const Vectors& found, bool bits, std::string_view how);

    /// Whether the instance gives the batch the same vectors again. Where it does not, what depends on other
    /// circumstances cannot be told: the rule of the step is not tried.
    bool comes_again(Instance& instance, const Sentences& batch, const Vectors& expected);

private:
    void end_call(const char* function);
    void require(const Reply& reply, const char* function, std::string_view rule);

    const senteval_encoder& encoder_;
    std::vector<Setting> settings_;
    const Texts& texts_;
    Report& report_;
    std::uint32_t claims_;
    Clock::time_point enough_;
    TrialHost host_;
    Snapshot state_;
    std::thread::id thread_ = std::this_thread::get_id();
    std::size_t calls_in_step_ = 0;
    bool takes_texts_away_ = false;
    std::vector<GuardedMemory> gone_; ///< that stays out of reach, not given to somebody else
    std::string rule_;
    std::string shown_;
    std::mutex mutex_;
    std::deque<std::unique_ptr<TrialCall>> calls_; ///< the last ones: they may be used too late
};

} // namespace senteval::check
