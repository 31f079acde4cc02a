// bench.hpp -- what a trial works with: the encoder, and calls of its functions that are observed.
#pragma once

#include "check/check.hpp"
#include "check/host.hpp"
#include "check/process.hpp"
#include "check/report.hpp"
#include "check/sentences.hpp"
#include "encoder/identity.hpp"
#include "encoder/parameters.hpp"

#include <senteval/encoder.h>

#include <bit>
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

/// The outcome of a call. Where it broke a rule on its way out, such as failing without a word, that has been
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

/// Thrown where the time of the check is over; the encoder is not to blame.
struct TooSlow {
    Seconds call{0}; ///< that the call lasted which was cancelled for it
};

/// The time for which something is repeated: short, so that a check takes seconds whatever the encoder costs.
inline constexpr Seconds a_while{0.2};

/// Calls the body up to `most` times, as long as the period lasts; once in any case. How often it was called.
std::size_t repeat(std::size_t most, const std::function<void()>& body, Seconds period = a_while);

/// Thrown where going on makes no sense, after everything has been reported.
struct TrialEnded {};

/// The content of a matrix on entry: not a number, and one that no arithmetic makes but from itself.
inline constexpr auto untouched = std::bit_cast<float>(0x7fc0beefU);

/// The place of the matrix in memory that batcher() gets.
struct Layout {
    std::size_t gap = 0;  ///< floats between rows
    std::size_t skew = 0; ///< floats from an address that is a multiple of 64 bytes
    float content = untouched;
};

class Bench;

/// An instance at work; destroys itself.
class Instance {
public:
    Instance(Bench& bench, senteval_instance* raw) : bench_(bench), raw_(raw) {}
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;
    ~Instance();

    /// The raw functions, observed.
    Reply prepare(const Sentences& samples, const char* language = "en");
    Reply dimension(std::size_t& out);
    Reply
    batcher(const Sentences& sentences, senteval_matrix& out, const CallOptions& options = {});

    /// batcher() into memory that nobody looks at.
    Reply batcher(const Sentences& sentences, const CallOptions& options = {});

    /// prepare() and dimension(); a refusal is a finding.
    void ready_for(const Sentences& samples);

    /// Encodes into memory of its own and looks at every float of it. A refusal is a finding; throws
    /// TrialEnded where there are no vectors to go on with.
    Vectors
    encode(const Sentences& sentences, const CallOptions& options = {}, const Layout& layout = {});

    /// The dimension at the last ready_for().
    [[nodiscard]] std::size_t cols() const noexcept { return cols_; }
    [[nodiscard]] senteval_instance* raw() const noexcept { return raw_; }

private:
    Bench& bench_;
    senteval_instance* raw_;
    std::size_t cols_ = 0;
};

class Bench {
public:
    Bench(const senteval_encoder& encoder,
          std::vector<encoder::Parameter> settings,
          const Texts& texts,
          Report& report,
          const TrialRequest& request);

    [[nodiscard]] const senteval_encoder& encoder() const noexcept { return encoder_; }
    [[nodiscard]] const std::vector<encoder::Parameter>& settings() const noexcept
    {
        return settings_;
    }
    [[nodiscard]] const Texts& texts() const noexcept { return texts_; }
    [[nodiscard]] Report& report() noexcept { return report_; }

    /// Whether the encoder claims all of these SENTEVAL_CAP_*, and no trial has shown otherwise.
    [[nodiscard]] bool claims(std::uint32_t capabilities) const noexcept
    {
        return (request_.claims & capabilities) == capabilities;
    }

    /// Whether the encoder judges pairs: prepare() is then shown one sentence, whatever is tried.
    [[nodiscard]] bool reranks();

    /// What an instance in another process gave and stated.
    [[nodiscard]] const TrialRequest& elsewhere() const noexcept { return request_; }

    /// From now on, encode() of senteval_roles with this role stands for batcher(); null: batcher() itself.
    void use_role(decltype(senteval_roles::encode) encode, senteval_role role);
    [[nodiscard]] auto encode_of_role() const noexcept { return encode_of_role_; }
    [[nodiscard]] senteval_role role() const noexcept { return role_; }

    /// The number of sentences, 1 to `most`, that the main instance can encode in a while.
    [[nodiscard]] std::size_t fitting(std::size_t most);

    /// Whether a call lasted far longer than those of the main instance do: it waits for something.
    [[nodiscard]] bool is_stuck(Seconds call) const noexcept
    {
        return call > a_while + 100 * per_sentence_;
    }

    /// Begins a step: what goes wrong until the next one breaks this rule; else it is kept.
    void step(std::string_view rule, std::string shown);

    /// The rule of the step is broken, or another.
    void broken(std::string_view detail) { broken(rule_, detail); }
    void broken(std::string_view rule, std::string_view detail)
    {
        report_.broken(rule, shown_, detail);
    }

    /// The rule of the step cannot be tried.
    void skip(std::string_view why) { report_.skipped(rule_, why); }

    /// One call of a function of the plugin, observed from all sides.
    Reply call(const char* function,
               const CallOptions& options,
               const std::function<senteval_status(const senteval_call*)>& body);

    /// A function that cannot fail.
    void call_plain(const char* function, const std::function<void()>& body);

    /// create(); `out` is null where it made nothing.
    Reply create(const std::vector<encoder::Parameter>& settings, std::unique_ptr<Instance>& out);

    /// An instance with the settings of the user. A refusal breaks the rule of the step.
    std::unique_ptr<Instance> create();

    /// Ready for these sentences.
    std::unique_ptr<Instance> create_for(const Sentences& samples);

    /// The instance that trials share: making one may take long. Ready for the ordinary sentences.
    Instance& main();

    /// The vectors that the main instance gave for the ordinary sentences the first time, and the second.
    const Vectors& first() { return main(), first_; }
    const Vectors& second() { return main(), second_; }

    /// The vectors that the main instance has for the ordinary sentences. Null where it has others the next
    /// time: then nothing can be compared, and the rule of the step is skipped.
    const Vectors* expected();

    /// No trial shares what is there by now.
    void forget_main();

    /// A call that has to succeed: see require().
    void must(const char* function,
              const std::function<senteval_status(const senteval_call*)>& body)
    {
        require(call(function, {}, body), function);
    }

    /// Breaks a rule where the reply is a refusal, and ends the trial where it is no success.
    void require(const Reply& reply, const char* function) { require(reply, function, rule_); }

    /// require() of a call that was given sentences: refusing them breaks 10.1, where no other rule of text
    /// is tried.
    void require_of_text(const Reply& reply, const char* function);

    /// Compares and reports the first element that differs by more than this share of the largest one of its row
    /// as breaking the rule of the step, or another.
    bool same(const Vectors& expected,
              const Vectors& found,
              std::string_view how,
              double tolerance = encoder::rounding,
              std::string_view rule = {});

private:
    void end_call(const char* function);
    void require(const Reply& reply, const char* function, std::string_view rule);

    const senteval_encoder& encoder_;
    std::vector<encoder::Parameter> settings_;
    const Texts& texts_;
    Report& report_;
    const TrialRequest& request_;
    senteval_host host_;
    decltype(senteval_roles::encode) encode_of_role_ = nullptr;
    senteval_role role_ = SENTEVAL_ROLE_AS_IS;
    std::vector<Property> state_ = process_state();
    std::thread::id thread_ = std::this_thread::get_id();
    int calls_in_step_ = 0;
    std::string rule_;
    std::string shown_;
    std::unique_ptr<Instance> main_;
    Vectors first_; ///< empty: not yet encoded
    Vectors second_;
    std::optional<bool> reranks_;
    Seconds per_sentence_{0};
    Seconds slowest_create_{0};
    std::mutex mutex_;
    std::deque<std::unique_ptr<TrialCall>> calls_; ///< the last ones: they may be used too late
};

} // namespace senteval::check
