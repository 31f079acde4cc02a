#include "encoder/plugin_encoder.hpp"

#include "base/error.hpp"
#include "base/unicode.hpp"

#include <algorithm>
#include <deque>
#include <exception>
#include <utility>

namespace senteval::encoder {
namespace {

/// A message of an encoder, cut between two characters where it is long.
std::string shortened(senteval_string message)
{
    constexpr std::size_t most_bytes = 4096;
    const std::string_view text = message.size > 0 && message.data != nullptr
                                      ? std::string_view(message.data, message.size)
                                      : std::string_view();
    if (text.size() <= most_bytes)
        return std::string(text);
    return fmt::format("{}... ({} bytes in all)", base::first_characters(text, most_bytes),
                       text.size());
}

/// The services of one running call, and the reason of its failure.
class RunningCall {
public:
    explicit RunningCall(const CallContext& context)
        : context_(context),
          call_{sizeof(senteval_call), context.thread_budget, this, &fail, &progress, &is_cancelled}
    {
    }
    RunningCall(const RunningCall&) = delete;
    RunningCall& operator=(const RunningCall&) = delete;
    ~RunningCall() = default;

    [[nodiscard]] const senteval_call* get() const noexcept { return &call_; }

    /// Calls a function of the table. Throws when its status is not SENTEVAL_OK, and what it throws, which
    /// it must not (rule 4.1), as base::Error.
    template <typename Function, typename... Arguments>
    void operator()(Function* function, Arguments... arguments) const
    {
        senteval_status status = SENTEVAL_INTERNAL;
        try {
            status = function(get(), arguments...);
        } catch (const std::exception&) {
            process_.must_be_this();
            throw;
        } catch (...) {
            process_.must_be_this();
            throw base::Error("it threw something that is no std::exception");
        }
        process_.must_be_this();
        check(status);
    }

private:
    void check(senteval_status status) const
    {
        if (status == SENTEVAL_OK)
            return;
        if (status == SENTEVAL_CANCELLED && context_.stop.stop_requested())
            throw base::Cancelled();
        const std::string why = reason_.empty() ? "it gave no reason" : reason_;
        if (status == SENTEVAL_INVALID_ARGUMENT || status == SENTEVAL_NOT_FOUND)
            throw base::UsageError("{}", why);
        if (status == SENTEVAL_OUT_OF_MEMORY)
            throw OutOfMemory("{}", why);
        throw base::Error("{}", why);
    }

    static RunningCall& self(const senteval_call* call)
    {
        return *static_cast<RunningCall*>(call->ctx);
    }
    static void fail(const senteval_call* call, senteval_string message)
    {
        if (message.size > 0 && message.data != nullptr)
            self(call).reason_ = shortened(message);
    }
    static void progress(const senteval_call* call, std::uint64_t done, std::uint64_t total)
    {
        if (const auto& report = self(call).context_.progress)
            report(done, total);
    }
    static std::uint32_t is_cancelled(const senteval_call* call)
    {
        return self(call).context_.stop.stop_requested() ? 1 : 0;
    }

    const CallContext& context_;
    std::string reason_;
    senteval_call call_;
    ThisProcess process_;
};

const void* no_extension(const senteval_host*, const char*)
{
    return nullptr;
}

/// The parameters that the encoder itself has.
std::vector<senteval_param> to_params(const senteval_encoder& table,
                                      const std::vector<Parameter>& parameters)
{
    std::vector<senteval_param> params;
    params.reserve(parameters.size());
    for (const Parameter& p : parameters)
        if (!is_prefix_key(table, p.key))
            params.push_back({{p.key.data(), p.key.size()}, to_value(p.type, p.value)});
    return params;
}

/// Sentences as the ABI has them, behind their prefixes where there are any.
class Batch {
public:
    explicit Batch(std::span<const text::Sentence> sentences, const Prefixes* prefixes = nullptr)
    {
        strings_.reserve(sentences.size());
        for (const text::Sentence& sentence : sentences) {
            std::string_view text = sentence.text;
            if (prefixes != nullptr && prefixes->has(sentence.role))
                text = prefixed_.emplace_back(prefixes->before(sentence));
            strings_.push_back({text.data(), text.size()});
        }
        batch_ = {sizeof batch_, 0, strings_.size(), strings_.data()};
        if (std::ranges::none_of(sentences, &text::Sentence::verbatim))
            batch_.flags = SENTEVAL_BATCH_TOKENISED;
    }
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;
    ~Batch() = default;

    [[nodiscard]] const senteval_batch* get() const noexcept { return &batch_; }

private:
    std::vector<senteval_string> strings_;
    std::deque<std::string> prefixed_;
    senteval_batch batch_{};
};

senteval_role to_role(text::Role role, bool has_prefix)
{
    if (has_prefix || role == text::Role::as_is)
        return SENTEVAL_ROLE_AS_IS;
    return role == text::Role::query ? SENTEVAL_ROLE_QUERY : SENTEVAL_ROLE_DOCUMENT;
}

Capabilities to_capabilities(std::uint32_t bits)
{
    return {(bits & SENTEVAL_CAP_CONCURRENT_BATCHER) != 0,
            (bits & SENTEVAL_CAP_BATCH_INVARIANT) != 0, (bits & SENTEVAL_CAP_DETERMINISTIC) != 0};
}

} // namespace

Capabilities capabilities_of(const senteval_encoder& table)
{
    return to_capabilities(table.capabilities);
}

PluginEncoder::PluginEncoder(std::shared_ptr<const Plugin> plugin,
                             const senteval_encoder& table,
                             const std::vector<Parameter>& parameters,
                             Identity identity,
                             Logger logger,
                             const CallContext& context)
    : plugin_(std::move(plugin)),
      table_(table),
      identity_(std::move(identity)),
      logger_(std::move(logger)),
      prefixes_(table, parameters)
{
    host_ = {sizeof(senteval_host),
             SENTEVAL_ABI_VERSION,
             "senteval",
             SENTEVAL_PROGRAM_VERSION,
             this,
             [](const senteval_host* host, senteval_log_level level, senteval_string line) {
                 const auto& self = *static_cast<const PluginEncoder*>(host->ctx);
                 if (self.logger_)
                     self.logger_(level, self.identity_.label, shortened(line));
             },
             &no_extension};
    try {
        start(parameters, context);
    } catch (const base::UsageError& e) {
        throw base::UsageError("encoder '{}' cannot start: {}", identity_.label, e.what());
    } catch (const base::Cancelled&) {
        throw;
    } catch (const base::Error& e) {
        throw base::Error("encoder '{}' cannot start: {}", identity_.label, e.what());
    }
}

void PluginEncoder::start(const std::vector<Parameter>& parameters, const CallContext& context)
{
    const auto params = to_params(table_, parameters);
    const RunningCall call(context);
    call(table_.create, &host_, params.data(), params.size(), &instance_);
    if (instance_ == nullptr)
        throw base::Error("its create() reported success, but made no instance");
    try {
        read_extensions(context);
    } catch (...) {
        table_.destroy(instance_);
        throw;
    }
}

void PluginEncoder::read_extensions(const CallContext& context)
{
    extensions_ = extensions_of(table_);
    if (extensions_.state != nullptr) {
        const RunningCall call(context);
        senteval_string json{nullptr, 0};
        call(extensions_.state, instance_, &json);
        add_statement(identity_, json);
    }
    const std::uint32_t claims = claims_of(table_, extensions_, instance_);
    prepare_matters_ = table_.prepare != nullptr && (claims & SENTEVAL_CAP_PREPARE_IRRELEVANT) == 0;
    capabilities_ = to_capabilities(claims);
}

bool PluginEncoder::ranks() const
{
    return kind_of(table_) == Kind::ranker;
}

PluginEncoder::~PluginEncoder()
{
    if (instance_ == nullptr)
        return;
    const ThisProcess process;
    table_.destroy(instance_);
    process.must_be_this();
}

void PluginEncoder::prepare(std::string_view task,
                            std::span<const text::Sentence> samples,
                            const CallContext& context)
{
    if (table_.prepare == nullptr)
        return;
    const RunningCall call(context);
    const std::string name(task);
    const senteval_task about{sizeof(senteval_task), 0, name.c_str(), "en"};
    const Batch batch(samples, &prefixes_);
    call(table_.prepare, instance_, &about, batch.get());
}

std::size_t PluginEncoder::dimension()
{
    const CallContext context;
    const RunningCall call(context);
    dimension_ = 0;
    call(table_.dimension, instance_, &dimension_);
    return dimension_;
}

void PluginEncoder::encode(std::span<const text::Sentence> batch,
                           float* out,
                           const CallContext& context)
{
    const text::Role role = batch.empty() ? text::Role::none : batch.front().role;
    const bool has_prefix = prefixes_.has(role);
    const Batch sentences(batch, &prefixes_);
    senteval_matrix matrix{sizeof(senteval_matrix), 0, out, batch.size(), dimension_, dimension_};
    const RunningCall call(context);
    if (extensions_.encode != nullptr && (has_prefix || role != text::Role::none))
        call(extensions_.encode, instance_, to_role(role, has_prefix), sentences.get(), &matrix);
    else
        call(table_.batcher, instance_, sentences.get(), &matrix);
}

bool PluginEncoder::count_known(std::span<const text::Sentence> batch,
                                std::span<std::uint32_t> tokens,
                                std::span<std::uint32_t> known)
{
    if (extensions_.count_known == nullptr)
        return false;
    const Batch sentences(batch); // what is known of the task's own words
    const CallContext context;
    const RunningCall call(context);
    call(extensions_.count_known, instance_, sentences.get(), tokens.data(), known.data());
    for (std::size_t i = 0; i < batch.size(); ++i)
        if (known[i] > tokens[i])
            throw base::Error("it says that it knows {} of {} tokens of a sentence", known[i],
                              tokens[i]);
    return true;
}

} // namespace senteval::encoder
