#include "model_files/files.hpp"

#include "base/lines.hpp"
#include "base/refuse.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>

namespace senteval::model_files {
namespace {

constexpr int most_levels = 64;
constexpr std::size_t most_json_bytes = std::size_t{256} << 20U;

/// The number as the library's reader has it: the digits as a 64-bit integer, those beyond are dropped and count as
/// powers of ten, and one product or quotient with a power of ten.
double library_number(std::string_view text)
{
    const bool negative = text.starts_with('-');
    std::uint64_t digits = 0;
    int exponent = 0;
    bool in_fraction = false;
    bool full = false;
    std::size_t at = negative ? 1 : 0;
    for (; at < text.size() && text[at] != 'e' && text[at] != 'E'; ++at) {
        if (text[at] == '.') {
            in_fraction = true;
            continue;
        }
        const auto digit = static_cast<std::uint64_t>(text[at] - '0');
        full = full || digits > (std::numeric_limits<std::uint64_t>::max() - digit) / 10;
        if (!full)
            digits = digits * 10 + digit;
        exponent += (full ? 1 : 0) - (in_fraction ? 1 : 0);
    }
    int written = 0;
    const std::size_t begin = text.substr(std::min(at + 1, text.size())).starts_with('+') ? 2 : 1;
    if (at < text.size())
        std::from_chars(text.data() + at + begin, text.data() + text.size(), written);
    exponent = std::clamp(written, -100000, 100000) + exponent;
    const double power = std::pow(10.0, std::abs(exponent));
    const double value =
        exponent >= 0 ? static_cast<double>(digits) * power : static_cast<double>(digits) / power;
    return negative ? -value : value;
}

/// Builds the document; counts its levels, since a deep one would overflow the stack of whoever frees it.
class Builder : public nlohmann::detail::json_sax_dom_parser<Json> {
public:
    using json_sax_dom_parser::json_sax_dom_parser;

    bool number_float(number_float_t /*nearest*/, const string_t& text)
    {
        return json_sax_dom_parser::number_float(library_number(text), text);
    }
    bool start_object(std::size_t size)
    {
        return ++levels_ <= most_levels && json_sax_dom_parser::start_object(size);
    }
    bool start_array(std::size_t size)
    {
        return ++levels_ <= most_levels && json_sax_dom_parser::start_array(size);
    }
    bool end_object() { return --levels_, json_sax_dom_parser::end_object(); }
    bool end_array() { return --levels_, json_sax_dom_parser::end_array(); }

private:
    int levels_ = 0;
};

} // namespace

Json parse_json(const std::filesystem::path& path, std::string_view bytes)
{
    base::refuse_disguise(path, bytes, base::Wanted::model);
    Json document;
    try {
        Builder builder(document);
        if (!Json::sax_parse(bytes, &builder))
            base::refuse(path, "is not JSON of a model: it goes more than {} levels deep",
                         most_levels);
    } catch (const Json::parse_error& e) {
        if (e.byte > bytes.size())
            base::refuse(path, "is cut off after {} bytes", bytes.size());
        base::refuse(path, "is not JSON (at byte {})", e.byte);
    } catch (const Json::exception&) {
        base::refuse(path, "has a number that no double can hold");
    }
    return document;
}

Json read_json(const std::filesystem::path& path)
{
    const base::MappedFile file = base::open_file(path);
    if (file.bytes().size() > most_json_bytes)
        base::refuse(path, "is no JSON of a model: it has {} bytes", file.bytes().size());
    return parse_json(path, file.bytes());
}

std::string model_files_of(const std::filesystem::path& folder)
{
    namespace fs = std::filesystem;
    std::set<std::string> folders = {"."};
    const fs::path modules = folder / "modules.json";
    reading(modules, [&] {
        for (const Json& module : read_json_if(modules))
            folders.insert(fs::path(module.at("path").get<std::string>()).relative_path());
    });
    std::set<std::string> names;
    std::error_code absent; // modules without files, such as Normalize, may have no folder
    for (const std::string& one : folders)
        for (const auto& entry : fs::directory_iterator(folder / one, absent)) {
            const std::string ending = entry.path().extension();
            if (entry.is_regular_file() && (ending == ".json" || ending == ".txt" ||
                                            ending == ".model" || ending == ".safetensors"))
                names.insert((fs::path(one) / entry.path().filename()).lexically_normal());
        }
    std::string lines;
    for (const std::string& name : names)
        lines += name + "\n";
    return lines;
}

void warn_of_cut(const sdk::Host& host,
                 const sdk::Task& task,
                 std::size_t cut,
                 std::size_t total,
                 std::size_t most,
                 const char* unit)
{
    if (cut > 0)
        host.warn(fmt::format(
            "{} of {} texts of {} ({:.1f} %) are longer than {} {} and were cut", cut, total,
            task.name, 100.0 * static_cast<double>(cut) / static_cast<double>(total), most, unit));
}

Json read_json_if(const std::filesystem::path& path)
{
    return std::filesystem::exists(path) ? read_json(path) : Json::object();
}

std::vector<std::string> other_keys(const Json& object, std::string_view known)
{
    const std::string words = fmt::format(" {} ", known);
    std::vector<std::string> others;
    for (const auto& [key, value] : object.items())
        if (words.find(fmt::format(" {} ", key)) == std::string::npos && !value.is_null() &&
            value != false && value != "" && (!value.is_structured() || !value.empty()))
            others.push_back(key);
    return others;
}

void allow_keys(const Json& object, std::string_view known)
{
    for (const std::string& key : other_keys(object, known))
        throw std::invalid_argument(fmt::format("the key '{}' ({})", key, object.at(key).dump()));
}

void warn_of_others(const sdk::Host& host,
                    const std::filesystem::path& path,
                    const Json& object,
                    std::string_view known)
{
    for (const std::string& key : other_keys(object, known))
        host.warn(fmt::format("{}: '{}' ({}) is not known here and was not read", path.string(),
                              key, object.at(key).dump().substr(0, 60)));
}

std::size_t count_of(const Json& object, const char* key, std::size_t least)
{
    constexpr std::size_t most = 1'000'000;
    const Json& value = object.at(key);
    if (!value.is_number_integer() || value < least || value > most)
        throw std::length_error(
            fmt::format("its {} is {}, not from {} to {}", key, value.dump(), least, most));
    return value.get<std::size_t>();
}

void allow_step(const Json& step)
{
    struct Step {
        std::string_view type;
        std::string_view keys;
    };
    constexpr std::array steps = {
        Step{"Sequence", "normalizers pretokenizers processors"},
        Step{"BertNormalizer", "clean_text handle_chinese_chars strip_accents lowercase"},
        Step{"Replace", "pattern content"},
        Step{"Strip", "strip_left strip_right"},
        Step{"Prepend", "prepend"},
        Step{"Precompiled", "precompiled_charsmap"},
        Step{"Metaspace", "replacement add_prefix_space prepend_scheme split str_rep"},
        Step{"ByteLevel", "add_prefix_space trim_offsets use_regex"},
        Step{"Split", "pattern behavior invert"},
        Step{"BertProcessing", "cls sep"},
        Step{"RobertaProcessing", "cls sep trim_offsets add_prefix_space"},
        Step{"TemplateProcessing", "single pair special_tokens"},
        Step{"WordPiece", "vocab unk_token continuing_subword_prefix max_input_chars_per_word"},
        Step{"Unigram", "vocab unk_id byte_fallback"},
        Step{"BPE", "vocab merges unk_token dropout continuing_subword_prefix end_of_word_suffix "
                    "fuse_unk byte_fallback ignore_merges"},
    };
    const auto found = std::ranges::find(steps, step.value("type", ""), &Step::type);
    allow_keys(step, fmt::format("type {}", found == steps.end() ? "" : found->keys));
}

std::vector<Json> members_of(const Json& spec, const char* key)
{
    std::vector<Json> all;
    if (spec.is_null())
        return all;
    allow_step(spec);
    if (spec.at("type") != "Sequence") {
        all.push_back(spec);
        return all;
    }
    for (const Json& member : spec.at(key))
        for (Json& one : members_of(member, key))
            all.push_back(std::move(one));
    return all;
}

std::vector<std::string> read_lines(const std::filesystem::path& path)
{
    const base::MappedFile file = base::open_file(path);
    base::refuse_disguise(path, file.bytes(), base::Wanted::model);
    std::vector<std::string> lines;
    for (std::string_view rest = file.bytes(); !rest.empty();) {
        std::string_view line = base::take_line(rest);
        while (line.ends_with('\r'))
            line.remove_suffix(1);
        lines.emplace_back(line);
    }
    return lines;
}

} // namespace senteval::model_files
