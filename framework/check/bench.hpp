// bench.hpp -- what a trial works with: the encoder, and calls of its functions that are observed.
#pragma once

#include "check/measure.hpp"
#include "check/pages.hpp"
#include "check/reporter.hpp"
#include "check/sentences.hpp"
#include "check/services.hpp"
#include "check/state_trial.hpp"
#include "check/watchdog.hpp"

#include <senteval/encoder.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// From here on a crash on this thread is known not to be one on a thread that the encoder started.
void watch_this_thread();

/// Thrown where a trial takes longer than it may; the encoder is not to blame.
struct TooSlow {};

/// Why something was not tried.
std::string too_slow(Seconds limit);

/// What a part of a trial may take of the time for all.
struct Allowance {
    Seconds enough{0}; ///< it repeats nothing any more
    Seconds most{0};   ///< its calls are cancelled
};

/// Thrown where going on makes no sense, after everything has been reported.
struct TrialEnded {};

/// How the matrix lies in memory that batcher() gets.
struct Layout {
    std::size_t gap = 0;  ///< floats between rows
    std::size_t skew = 0; ///< floats from an address that is a multiple of 64 bytes
    bool guarded = false; ///< pages that nobody may touch before and behind it, one after the other
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
    Reply dimension(std::size_t& out, const CallOptions& options = {});
    Reply
    batcher(const Sentences& sentences, senteval_matrix& out, const CallOptions& options = {});

    /// What a task does, as far as it goes; how the last of the calls went.
    Reply put_to_use(const Sentences& samples);

    /// prepare() and dimension(). Refusals break the rule of the step.
    void ready_for(const Sentences& samples);

    /// Encodes into memory of its own and looks at every float of it. A refusal breaks the rule of
    /// the step; throws TrialEnded where there are no vectors to go on with.
    Vectors
    encode(const Sentences& sentences, const CallOptions& options = {}, const Layout& layout = {});

    /// Of the last ready_for().
    [[nodiscard]] std::size_t cols() const noexcept { return cols_; }
    [[nodiscard]] senteval_instance* raw() const noexcept { return raw_; }

private:
    Bench& bench_;
    senteval_instance* raw_;
    std::size_t cols_ = 0;
    Watchdog::Alive alive_;
};

class Bench {
public:
    Bench(const senteval_encoder& encoder,
          std::vector<Setting> settings,
          const Texts& texts,
          Reporter& reporter,
          Seconds limit,
          bool again);

    /// A part begins.
    void begin(Allowance allowance)
    {
        allowance_ = allowance;
        time_ = OwnTime();
        state_.emplace(reporter_);
    }

    /// What its last calls did to the process is told.
    void end() { compare_state_now(); }

    /// Of the part.
    [[nodiscard]] Seconds enough() const noexcept { return allowance_.enough; }
    [[nodiscard]] Seconds most() const noexcept { return allowance_.most; }
    [[nodiscard]] Seconds passed() const { return time_.passed(); }
    [[nodiscard]] bool has_time() const { return passed() < enough(); }

    /// The rule of the step was tried with less than was planned, such as "4 of 1000 instances".
    void in_part(std::string_view tried);
    void in_part(std::string_view rule, std::string_view tried);

    /// Whether this is the second process, for a comparison of results.
    [[nodiscard]] bool is_again() const noexcept { return again_; }

    /// Whether it takes long to make an instance, or to encode: then instance_for() makes one for all parts, and these try
    /// with less from the beginning.
    void set_slow(bool is_slow) noexcept { is_slow_ = is_slow; }
    [[nodiscard]] bool is_slow() const noexcept { return is_slow_; }

    [[nodiscard]] const senteval_encoder& encoder() const noexcept { return encoder_; }
    [[nodiscard]] const std::vector<Setting>& settings() const noexcept { return settings_; }
    [[nodiscard]] const Texts& texts() const noexcept { return is_slow_ ? short_ : texts_; }
    [[nodiscard]] Reporter& reporter() noexcept { return reporter_; }
    [[nodiscard]] bool claims(std::uint32_t capability) const noexcept
    {
        return (claims_ & capability) != 0;
    }

    /// SENTEVAL_CAP_* that are left of the table's, where an instance says that it keeps fewer, or a trial
    /// has shown that one does not hold.
    void set_claims(std::uint32_t claims) noexcept { claims_ = encoder_.capabilities & claims; }

    /// What is tried now: what goes wrong until the next step breaks this rule.
    void step(std::string_view rule, std::string shown);

    /// The rule of the step is broken.
    void broken(std::string_view detail);
    void broken(std::string_view rule, std::string_view detail);

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

    /// For what can be tried with any instance, at whatever it was before.
    std::shared_ptr<Instance> instance();
    std::shared_ptr<Instance> instance_for(const Sentences& samples);

    /// The one that parts share is destroyed, once none of them holds it.
    void forget_instance() { shared_.reset(); }

    /// Breaks the rule of the step where the reply is a refusal, and ends the trial where it is no
    /// success.
    void require(const Reply& reply, const char* function);

    /// The same of a call that was given these sentences. Where a new instance refuses them, too, that is what
    /// is broken, and the rule of the step was not tried.
    void require_of(const Sentences& sentences, const Reply& reply, const char* function);

    /// Compares row by row and reports the first that differ as breaking the rule of the step.
    bool same(const Vectors& expected, const Vectors& found, bool bits, std::string_view how);

    /// Whether the instance gives the batch the same vectors again. Where it does not, what depends on other
    /// circumstances cannot be told: the rule of the step is not tried.
    bool comes_again(Instance& instance, const Sentences& batch, const Vectors& expected);

private:
    bool is_refused_anyway(const Sentences& sentences);
    void compare_state(std::string_view function);
    void compare_state_now();
    void keep_for_a_while(std::unique_ptr<TrialCall> ended);

    const senteval_encoder& encoder_;
    std::vector<Setting> settings_;
    const Texts& texts_;
    const Texts short_ = texts_.shortened();
    Reporter& reporter_;
    Seconds limit_;
    bool again_;
    bool is_slow_ = false;
    Allowance allowance_;
    OwnTime time_;
    std::shared_ptr<Instance> shared_;
    TrialHost host_;
    std::optional<StateTrial> state_;
    std::size_t calls_in_step_ = 0;
    std::string last_call_; ///< that the state was not compared after
    std::uint32_t claims_ = encoder_.capabilities;
    bool takes_texts_away_ = false;
    std::vector<GuardedMemory> gone_; ///< that stays out of reach, not given to somebody else
    std::string rule_;
    std::string shown_;
    std::mutex mutex_;
    std::deque<std::unique_ptr<TrialCall>> calls_; ///< the last ones: they may be used too late
};

} // namespace senteval::check
