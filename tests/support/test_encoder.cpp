#include "support/test_encoder.hpp"

#include <dlfcn.h>

#include <limits>

namespace senteval::test {
namespace {

constexpr float untouched = std::numeric_limits<float>::quiet_NaN();
constexpr float guard_value = -12345.0F;
constexpr std::size_t padding = 3;

std::vector<senteval_string> views_of(const std::vector<std::string>& texts)
{
    std::vector<senteval_string> views;
    for (const std::string& text : texts)
        views.push_back({text.data(), text.size()});
    return views;
}

senteval_batch batch_of(const std::vector<senteval_string>& views)
{
    return {sizeof(senteval_batch), SENTEVAL_BATCH_TOKENISED, views.size(), views.data()};
}

senteval_type declared_type(const senteval_encoder& encoder, std::string_view key)
{
    for (std::size_t i = 0; i < encoder.param_count; ++i)
        if (encoder.params[i]->key == key)
            return encoder.params[i]->default_value.type;
    throw std::runtime_error("the encoder declares no parameter " + std::string(key));
}

senteval_value
to_value(const senteval_encoder& encoder, std::string_view key, const ParamValue& given)
{
    senteval_value value{};
    value.type = declared_type(encoder, key);
    if (const bool* boolean = std::get_if<bool>(&given)) {
        value.as.boolean = *boolean ? 1 : 0;
    } else if (const int* integer = std::get_if<int>(&given)) {
        if (value.type == SENTEVAL_TYPE_REAL)
            value.as.real = *integer;
        else
            value.as.integer = *integer;
    } else if (const double* real = std::get_if<double>(&given)) {
        value.as.real = *real;
    } else {
        const std::string& text = std::get<std::string>(given);
        value.as.string = {text.data(), text.size()};
    }
    return value;
}

const void* no_extension(const senteval_host* /*host*/, const char* /*id*/)
{
    return nullptr;
}

} // namespace

LoadedPlugin::LoadedPlugin(const std::filesystem::path& library)
{
    void* handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (handle == nullptr)
        throw std::runtime_error(dlerror());
    entry_ = reinterpret_cast<senteval_plugin_entry_fn>(dlsym(handle, SENTEVAL_PLUGIN_ENTRY_NAME));
    if (entry_ == nullptr)
        throw std::runtime_error(library.string() + " has no entry point");
}

const senteval_encoder& LoadedPlugin::encoder(std::string_view id) const
{
    const senteval_plugin* plugin = table();
    for (std::size_t i = 0; i < plugin->encoder_count; ++i)
        if (plugin->encoders[i]->id == id)
            return *plugin->encoders[i];
    throw std::runtime_error("the plugin has no encoder " + std::string(id));
}

/// Runs `function(call)` with a call of its own and throws where its status is not SENTEVAL_OK.
template <typename Function>
void TestEncoder::call(Function&& function) const
{
    Failure failure{{}, this};
    senteval_call call{};
    call.struct_size = sizeof call;
    call.thread_budget = 1;
    call.ctx = &failure;
    call.fail = [](const senteval_call* self, senteval_string message) {
        static_cast<Failure*>(self->ctx)->message.assign(message.data, message.size);
    };
    call.progress = [](const senteval_call*, std::uint64_t, std::uint64_t) {};
    call.is_cancelled = [](const senteval_call* self) -> std::uint32_t {
        return static_cast<Failure*>(self->ctx)->encoder->cancelled_ ? 1 : 0;
    };
    if (const senteval_status status = function(&call); status != SENTEVAL_OK)
        throw CallFailed(status, failure.message);
}

TestEncoder::TestEncoder(const senteval_encoder& encoder, const Params& params)
    : encoder_(encoder), host_{}
{
    host_.struct_size = sizeof host_;
    host_.abi_version = SENTEVAL_ABI_VERSION;
    host_.name = "test";
    host_.version = "1";
    host_.ctx = &log_;
    host_.log = [](const senteval_host* self, senteval_log_level, senteval_string line) {
        static_cast<std::vector<std::string>*>(self->ctx)->emplace_back(line.data, line.size);
    };
    host_.get_extension = &no_extension;

    std::vector<senteval_param> values;
    for (const auto& [key, value] : params)
        values.push_back({{key.data(), key.size()}, to_value(encoder, key, value)});
    call([&](const senteval_call* c) {
        return encoder_.create(c, &host_, values.data(), values.size(), &instance_);
    });
}

TestEncoder::~TestEncoder()
{
    encoder_.destroy(instance_);
}

void TestEncoder::prepare(const std::vector<std::string>& samples, const char* task)
{
    if (encoder_.prepare == nullptr)
        return;
    const auto views = views_of(samples);
    const senteval_batch batch = batch_of(views);
    const senteval_task description{sizeof(senteval_task), 0, task, "en"};
    call([&](const senteval_call* c) {
        return encoder_.prepare(c, instance_, &description, &batch);
    });
}

std::size_t TestEncoder::dimension() const
{
    std::size_t dimension = 0;
    call([&](const senteval_call* c) { return encoder_.dimension(c, instance_, &dimension); });
    return dimension;
}

Rows TestEncoder::encode(const std::vector<std::string>& sentences) const
{
    const auto views = views_of(sentences);
    const senteval_batch batch = batch_of(views);
    const std::size_t cols = dimension();
    const std::size_t stride = cols + padding;
    std::vector<float> data(sentences.size() * stride, guard_value);
    for (std::size_t i = 0; i < sentences.size(); ++i)
        std::fill_n(data.begin() + static_cast<std::ptrdiff_t>(i * stride), cols, untouched);

    senteval_matrix out{sizeof(senteval_matrix), 0, data.data(), sentences.size(), cols, stride};
    call([&](const senteval_call* c) { return encoder_.batcher(c, instance_, &batch, &out); });

    Rows rows;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        const float* row = data.data() + i * stride;
        rows.emplace_back(row, row + cols);
        for (std::size_t k = cols; k < stride; ++k)
            if (row[k] != guard_value)
                throw std::runtime_error("the encoder wrote beyond the columns of a row");
    }
    return rows;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>>
TestEncoder::count_known(const std::vector<std::string>& sentences) const
{
    const auto* vocabulary = static_cast<const senteval_vocabulary*>(
        encoder_.get_extension == nullptr
            ? nullptr
            : encoder_.get_extension(&encoder_, SENTEVAL_VOCABULARY_EXTENSION));
    if (vocabulary == nullptr)
        throw std::runtime_error("the encoder has no vocabulary");
    const auto views = views_of(sentences);
    const senteval_batch batch = batch_of(views);
    std::vector<std::uint32_t> tokens(sentences.size());
    std::vector<std::uint32_t> known(sentences.size());
    call([&](const senteval_call* c) {
        return vocabulary->count_known(c, instance_, &batch, tokens.data(), known.data());
    });
    std::vector<std::pair<std::uint32_t, std::uint32_t>> counts;
    for (std::size_t i = 0; i < sentences.size(); ++i)
        counts.emplace_back(tokens[i], known[i]);
    return counts;
}

} // namespace senteval::test
