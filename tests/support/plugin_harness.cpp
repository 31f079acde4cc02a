#include "support/plugin_harness.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace senteval::test {

namespace {

senteval_value to_value(const std::variant<bool, std::int64_t, double, std::string>& value)
{
    senteval_value result{};
    if (const auto* flag = std::get_if<bool>(&value)) {
        result.type = SENTEVAL_TYPE_BOOLEAN;
        result.as.boolean = *flag ? 1 : 0;
    } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        result.type = SENTEVAL_TYPE_INTEGER;
        result.as.integer = *integer;
    } else if (const auto* real = std::get_if<double>(&value)) {
        result.type = SENTEVAL_TYPE_REAL;
        result.as.real = *real;
    } else {
        result.type = SENTEVAL_TYPE_STRING;
        result.as.string = sdk::to_c(std::get<std::string>(value));
    }
    return result;
}

} // namespace

FakeHost::FakeHost()
{
    host_.struct_size = sizeof host_;
    host_.abi_version = SENTEVAL_ABI_VERSION;
    host_.name = "test";
    host_.version = "1.0";
    host_.ctx = this;
    host_.log = [](const senteval_host* host, senteval_log_level level, senteval_string message) {
        auto& self = *static_cast<FakeHost*>(host->ctx);
        const std::lock_guard lock(self.mutex_);
        self.log_.emplace_back(level, sdk::to_view(message));
    };
    host_.get_extension = [](const senteval_host*, const char*) -> const void* { return nullptr; };
}

std::vector<std::string> FakeHost::messages(senteval_log_level level) const
{
    const std::lock_guard lock(mutex_);
    std::vector<std::string> result;
    for (const auto& [at, message] : log_)
        if (at == level)
            result.push_back(message);
    return result;
}

std::size_t FakeHost::warnings(std::string_view text) const
{
    const auto all = messages(SENTEVAL_LOG_WARNING);
    return static_cast<std::size_t>(std::ranges::count_if(
        all, [&](const std::string& message) { return message.find(text) != message.npos; }));
}

FakeCall::FakeCall(unsigned threads)
{
    call_.struct_size = sizeof call_;
    call_.thread_budget = threads;
    call_.ctx = this;
    call_.fail = [](const senteval_call* call, senteval_string message) {
        static_cast<FakeCall*>(call->ctx)->error_ = sdk::to_view(message);
    };
    call_.progress = [](const senteval_call*, std::uint64_t, std::uint64_t) {};
    call_.is_cancelled = [](const senteval_call* call) -> std::uint32_t {
        return static_cast<FakeCall*>(call->ctx)->cancelled_ ? 1 : 0;
    };
}

Sentences::Sentences(std::vector<std::string> sentences, bool tokenised)
    : text_(std::move(sentences))
{
    for (const std::string& sentence : text_)
        views_.push_back(sdk::to_c(sentence));
    batch_ = {sizeof batch_, 0, views_.size(), views_.data()};
    if (tokenised)
        batch_.flags = SENTEVAL_BATCH_TOKENISED;
}

PluginHarness::PluginHarness(const senteval_encoder& encoder,
                             const std::vector<Parameter>& parameters,
                             unsigned threads)
    : encoder_(&encoder),
      threads_(threads),
      host_(std::make_unique<FakeHost>()),
      instance_(nullptr, encoder.destroy)
{
    std::vector<senteval_param> params;
    for (const Parameter& parameter : parameters)
        params.push_back({sdk::to_c(parameter.key), to_value(parameter.value)});
    const FakeCall call(threads_);
    senteval_instance* instance = nullptr;
    check(encoder_->create(call.c(), host_->c(), params.data(), params.size(), &instance), call);
    instance_.reset(instance);
}

void PluginHarness::prepare(const std::vector<std::string>& sentences)
{
    const Sentences batch(sentences);
    const FakeCall call(threads_);
    const senteval_task task{sizeof task, 0, "Test", "en"};
    if (encoder_->prepare != nullptr)
        check(encoder_->prepare(call.c(), instance_.get(), &task, batch.c()), call);
}

std::size_t PluginHarness::dimension() const
{
    const FakeCall call(threads_);
    std::size_t result = 0;
    check(encoder_->dimension(call.c(), instance_.get(), &result), call);
    return result;
}

template <typename Call>
Rows PluginHarness::rows_of(const Sentences& batch, const Call& encode) const
{
    FakeCall call(threads_);
    if (cancelled_)
        call.cancel();
    const std::size_t size = batch.c()->count;
    const std::size_t cols = dimension();
    const std::size_t stride = cols + 1;
    std::vector<float> buffer(size * stride, std::numeric_limits<float>::quiet_NaN());
    senteval_matrix out{sizeof out, 0, buffer.data(), size, cols, stride};
    check(encode(call.c(), batch.c(), &out), call);
    Rows rows;
    for (std::size_t i = 0; i < size; ++i) {
        const float* row = buffer.data() + i * stride;
        rows.emplace_back(row, row + cols);
        if (!std::isnan(row[cols]))
            throw std::logic_error("the encoder wrote behind a row");
    }
    return rows;
}

Rows PluginHarness::encode(const std::vector<std::string>& sentences) const
{
    return rows_of(Sentences(sentences), [&](auto* call, auto* batch, auto* out) {
        return encoder_->batcher(call, instance_.get(), batch, out);
    });
}

Rows PluginHarness::encode_as(sdk::Role role, const std::vector<std::string>& texts) const
{
    const auto* roles = static_cast<const senteval_roles*>(
        encoder_->get_extension(encoder_, SENTEVAL_ROLES_EXTENSION));
    if (roles == nullptr)
        throw std::logic_error("the encoder knows no roles");
    return rows_of(Sentences(texts, false), [&](auto* call, auto* batch, auto* out) {
        return roles->encode(call, instance_.get(), static_cast<senteval_role>(role), batch, out);
    });
}

void PluginHarness::encode_into(const Sentences& sentences, std::span<float> rows) const
{
    const FakeCall call(threads_);
    const std::size_t cols = dimension();
    senteval_matrix out{sizeof out, 0, rows.data(), sentences.c()->count, cols, cols};
    check(encoder_->batcher(call.c(), instance_.get(), sentences.c(), &out), call);
}

std::vector<std::pair<std::uint32_t, std::uint32_t>>
PluginHarness::count_known(const std::vector<std::string>& sentences) const
{
    const auto* vocabulary = encoder_->get_extension == nullptr
                                 ? nullptr
                                 : static_cast<const senteval_vocabulary*>(encoder_->get_extension(
                                       encoder_, SENTEVAL_VOCABULARY_EXTENSION));
    if (vocabulary == nullptr)
        throw std::logic_error("the encoder counts no known tokens");
    const Sentences batch(sentences);
    const FakeCall call(threads_);
    std::vector<std::uint32_t> tokens(sentences.size());
    std::vector<std::uint32_t> known(sentences.size());
    check(
        vocabulary->count_known(call.c(), instance_.get(), batch.c(), tokens.data(), known.data()),
        call);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> result;
    for (std::size_t i = 0; i < sentences.size(); ++i)
        result.emplace_back(tokens[i], known[i]);
    return result;
}

void PluginHarness::check(senteval_status status, const FakeCall& call) const
{
    if (status != SENTEVAL_OK)
        throw PluginFailure(status, call.error());
}

} // namespace senteval::test
