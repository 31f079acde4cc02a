#include "isolation/messages.hpp"

#include "base/error.hpp"
#include "base/json.hpp"
#include "encoder/identity.hpp"
#include "isolation/shared_buffer.hpp"

#include <cstdint>
#include <cstring>
#include <deque>
#include <utility>

namespace senteval::isolation {
namespace {

using base::Json;

Json text_or_null(const char* text)
{
    return text == nullptr ? Json() : Json(text);
}

Json encoder_json(const senteval_encoder& encoder)
{
    Json parameters = Json::array();
    for (std::size_t p = 0; p < encoder.param_count; ++p) {
        const senteval_param_spec& spec = *encoder.params[p];
        parameters.push_back({{"key", spec.key},
                              {"help", text_or_null(spec.help)},
                              {"flags", spec.flags},
                              {"type", spec.default_value.type},
                              {"default", encoder::to_json(spec.default_value)}});
    }
    return {{"id", encoder.id},
            {"name", encoder.name},
            {"version", encoder.version},
            {"description", text_or_null(encoder.description)},
            {"license", text_or_null(encoder.license)},
            {"capabilities", encoder.capabilities},
            {"prepares", encoder.prepare != nullptr},
            {"states", encoder::states_identity(encoder)},
            {"parameters", parameters}};
}

/// Owns the strings and arrays of a table.
class DescribedTable {
public:
    explicit DescribedTable(Json encoders) : encoders_json_(std::move(encoders))
    {
        for (const Json& one : encoders_json_)
            add(one);
        for (const senteval_encoder& encoder : encoders_)
            pointers_.push_back(&encoder);
        table_ = {sizeof(senteval_plugin), SENTEVAL_ABI_VERSION, pointers_.data(),
                  pointers_.size()};
    }

    [[nodiscard]] const senteval_plugin* get() const noexcept { return &table_; }

private:
    static const char* text_of(const Json& text)
    {
        return text.is_null() ? nullptr : text.get_ref<const std::string&>().c_str();
    }

    void add(const Json& json)
    {
        auto& specs = specs_.emplace_back();
        for (const Json& one : json.at("parameters"))
            specs.push_back(
                {sizeof(senteval_param_spec), one.at("flags").get<std::uint32_t>(),
                 text_of(one.at("key")), text_of(one.at("help")),
                 encoder::to_value(one.at("type").get<senteval_type>(), one.at("default"))});
        auto& pointers = spec_pointers_.emplace_back();
        for (const senteval_param_spec& spec : specs)
            pointers.push_back(&spec);

        senteval_encoder& encoder = encoders_.emplace_back();
        encoder.struct_size = sizeof(senteval_encoder);
        encoder.capabilities = json.at("capabilities").get<std::uint32_t>();
        encoder.id = text_of(json.at("id"));
        encoder.name = text_of(json.at("name"));
        encoder.version = text_of(json.at("version"));
        encoder.description = text_of(json.at("description"));
        encoder.license = text_of(json.at("license"));
        encoder.params = pointers.data();
        encoder.param_count = pointers.size();
        if (json.at("prepares").get<bool>())
            encoder.prepare = [](const senteval_call*, senteval_instance*, const senteval_task*,
                                 const senteval_batch*) -> senteval_status {
                return SENTEVAL_UNSUPPORTED;
            };
        if (json.at("states").get<bool>())
            encoder.get_extension = [](const senteval_encoder*, const char* id) -> const void* {
                static constexpr senteval_identity identity{
                    sizeof(senteval_identity), 0,
                    [](const senteval_call*, senteval_instance*,
                       senteval_string*) -> senteval_status { return SENTEVAL_UNSUPPORTED; },
                    nullptr, nullptr};
                return std::string_view(id) == SENTEVAL_IDENTITY_EXTENSION ? &identity : nullptr;
            };
    }

    Json encoders_json_; ///< owns the texts
    std::deque<std::vector<senteval_param_spec>> specs_;
    std::deque<std::vector<const senteval_param_spec*>> spec_pointers_;
    std::deque<senteval_encoder> encoders_;
    std::vector<const senteval_encoder*> pointers_;
    senteval_plugin table_{};
};

// Role and kind of a text stand above its size.
constexpr unsigned kind_shift = 56;
constexpr std::uint64_t size_mask = (std::uint64_t{1} << kind_shift) - 1;

std::uint64_t head_of(const text::Sentence& sentence)
{
    const std::uint64_t kind =
        static_cast<std::uint64_t>(sentence.role) * 2 + (sentence.verbatim ? 1 : 0);
    return sentence.text.size() | kind << kind_shift;
}

} // namespace

std::size_t write_texts(std::span<const text::Sentence> sentences, SharedBuffer& buffer)
{
    std::size_t used = sentences.size() * sizeof(std::uint64_t);
    for (const text::Sentence& sentence : sentences)
        used += sentence.text.size();
    buffer.grow(used);
    auto* heads = reinterpret_cast<std::uint64_t*>(buffer.data());
    std::byte* bytes = buffer.data() + sentences.size() * sizeof(std::uint64_t);
    for (const text::Sentence& sentence : sentences) {
        *heads++ = head_of(sentence);
        if (!sentence.text.empty())
            std::memcpy(bytes, sentence.text.data(), sentence.text.size());
        bytes += sentence.text.size();
    }
    return used;
}

std::size_t write_text(std::string_view text, SharedBuffer& buffer)
{
    const text::Sentence one{text};
    return write_texts({&one, 1}, buffer);
}

void read_texts(const SharedBuffer& buffer,
                std::size_t used,
                std::size_t count,
                std::vector<text::Sentence>& texts)
{
    const auto broken = [] { throw base::Error("a list of texts is longer than its memory"); };
    if (used > buffer.size() || count > used / sizeof(std::uint64_t))
        broken();
    texts.clear();
    texts.reserve(count);
    const auto* heads = reinterpret_cast<const std::uint64_t*>(buffer.data());
    std::size_t at = count * sizeof(std::uint64_t);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint64_t size = heads[i] & size_mask;
        const std::uint64_t kind = heads[i] >> kind_shift;
        if (size > used - at || kind / 2 > static_cast<std::uint64_t>(text::Role::as_is))
            broken();
        texts.push_back({.text = {reinterpret_cast<const char*>(buffer.data()) + at, size},
                         .role = static_cast<text::Role>(kind / 2),
                         .verbatim = kind % 2 != 0});
        at += size;
    }
}

// CBOR, not JSON: paths may be no UTF-8.
std::string bytes_of(const Order& order)
{
    Json parameters = Json::array();
    for (const encoder::Parameter& parameter : order.parameters)
        parameters.push_back({parameter.key, parameter.type, parameter.value});
    const auto bytes = Json::to_cbor({{"library", order.library.string()},
                                      {"encoder", order.encoder},
                                      {"label", order.label},
                                      {"parameters", parameters}});
    return {bytes.begin(), bytes.end()};
}

Order order_of(std::string_view bytes)
{
    try {
        const Json json = Json::from_cbor(bytes.begin(), bytes.end());
        Order order{json.at("library").get<std::string>(),
                    json.at("encoder").get<std::string>(),
                    json.at("label").get<std::string>(),
                    {}};
        for (const Json& one : json.at("parameters"))
            order.parameters.push_back(
                {one.at(0).get<std::string>(), one.at(1).get<senteval_type>(), one.at(2)});
        return order;
    } catch (const Json::exception& e) {
        throw base::Error("an order that cannot be read: {}", e.what());
    }
}

std::string table_text(const encoder::Plugin& plugin)
{
    Json encoders = Json::array();
    for (const senteval_encoder* encoder : plugin.encoders())
        encoders.push_back(encoder_json(*encoder));
    const auto bytes = Json::to_cbor(encoders); // takes strings that are no UTF-8
    return {bytes.begin(), bytes.end()};
}

std::shared_ptr<const encoder::Plugin> described_plugin(const std::filesystem::path& path,
                                                        std::string_view text)
{
    try {
        const auto table =
            std::make_shared<const DescribedTable>(Json::from_cbor(text.begin(), text.end()));
        return encoder::Plugin::described(path, {table, table->get()});
    } catch (const Json::exception& e) {
        throw base::Error("the description of '{}' cannot be read: {}", path.string(), e.what());
    }
}

} // namespace senteval::isolation
