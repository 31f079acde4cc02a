#include "text/records.hpp"

#include "base/disguise.hpp"
#include "base/json.hpp"
#include "base/unicode.hpp"

#include <csv.h>

#include <algorithm>
#include <array>
#include <utility>

namespace senteval::text {
namespace {

/// The separator of a CSV file: the one that the first line has most, outside quotation marks.
char separator_of(std::string_view line)
{
    constexpr std::array<char, 4> separators{',', ';', '\t', '|'};
    std::array<std::size_t, separators.size()> counts{};
    bool is_quoted = false;
    for (const char c : line) {
        is_quoted ^= c == '"';
        for (std::size_t i = 0; i < separators.size(); ++i)
            counts[i] += !is_quoted && c == separators[i] ? 1 : 0;
    }
    return separators[static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin())];
}

/// Takes one object: texts, numbers with their digits, true and false, and lists of those. What else there is, is left out.
class ObjectReader : public base::Json::json_sax_t {
public:
    /// A name that is new is added to `names`.
    ObjectReader(std::vector<std::string>& names, std::vector<Field>& fields)
        : names_(names), fields_(fields)
    {
        fields_.assign(names.size(), Field());
    }

    [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

    bool null() override { return take(std::nullopt); }
    bool boolean(bool value) override { return take(value ? "true" : "false"); }
    bool number_integer(number_integer_t value) override { return take(std::to_string(value)); }
    bool number_unsigned(number_unsigned_t value) override { return take(std::to_string(value)); }
    bool number_float(number_float_t, const string_t& digits) override { return take(digits); }
    bool string(string_t& value) override { return take(std::move(value)); }
    bool binary(binary_t&) override { return take(std::nullopt); }
    bool start_object(std::size_t) override { return start(Field()); }
    bool end_object() override { return end(); }
    bool start_array(std::size_t) override
    {
        if (depth_ == 0)
            return fail("a line must be one JSON object");
        return start(depth_ == 1 ? Field(std::vector<std::string>()) : Field());
    }
    bool end_array() override { return end(); }
    bool key(string_t& name) override
    {
        if (depth_ > 1)
            return true;
        if (std::ranges::find(seen_, name) != seen_.end())
            return fail(fmt::format("the key '{}' occurs twice", name));
        seen_.push_back(name);
        at_ = static_cast<std::size_t>(std::ranges::find(names_, name) - names_.begin());
        if (at_ == names_.size()) {
            names_.push_back(name);
            fields_.emplace_back();
        }
        return true;
    }
    bool parse_error(std::size_t at, const std::string&, const base::Json::exception&) override
    {
        return fail(fmt::format("this line is not valid JSON, at its byte {}", at));
    }

private:
    bool take(std::optional<std::string> value)
    {
        if (depth_ == 0)
            return fail("a line must be one JSON object");
        if (at_ >= fields_.size())
            return true;
        if (auto* list = std::get_if<std::vector<std::string>>(&fields_[at_]);
            list != nullptr && depth_ == 2 && value)
            list->push_back(*std::move(value));
        else if (depth_ == 1 && value)
            fields_[at_] = *std::move(value);
        else if (depth_ <= 2)
            fields_[at_] = Field();
        return true;
    }
    /// Starts a value; one within a list is none of the texts.
    bool start(Field field)
    {
        if (depth_ > 0 && at_ < fields_.size())
            fields_[at_] = std::move(field);
        ++depth_;
        return true;
    }
    bool end()
    {
        --depth_;
        return true;
    }
    bool fail(std::string problem)
    {
        problem_ = std::move(problem);
        return false;
    }

    std::vector<std::string>& names_;
    std::vector<Field>& fields_;
    std::vector<std::string> seen_;
    std::size_t depth_ = 0;
    std::size_t at_ = 0;
    std::string problem_;
};

} // namespace

/// The parser of libcsv, fed line by line.
struct Records::Csv {
    explicit Csv(char separator)
    {
        if (csv_init(&parser, CSV_STRICT | CSV_STRICT_FINI) != 0)
            throw std::bad_alloc();
        csv_set_delim(&parser, static_cast<unsigned char>(separator));
        csv_set_space_func(&parser, [](unsigned char) { return 0; }); // it is part of a field
    }
    Csv(const Csv&) = delete;
    Csv& operator=(const Csv&) = delete;
    ~Csv() { csv_free(&parser); }

    /// False where the text is no CSV.
    bool feed(std::string_view text)
    {
        return csv_parse(&parser, text.data(), text.size(), &take, &end, this) == text.size();
    }
    bool finish() { return csv_fini(&parser, &take, &end, this) == 0; }

    static void take(void* text, std::size_t size, void* self)
    {
        static_cast<Csv*>(self)->fields.emplace_back(std::in_place_type<std::string>,
                                                     static_cast<char*>(text), size);
    }
    static void end(int, void* self) { static_cast<Csv*>(self)->is_complete = true; }

    csv_parser parser{};
    std::vector<Field> fields;
    bool is_complete = false;
};

RecordForm record_form_of(std::string_view file_name)
{
    if (file_name.ends_with(".gz"))
        file_name.remove_suffix(3);
    if (file_name.ends_with(".csv"))
        return RecordForm::csv;
    const bool is_json = file_name.ends_with(".jsonl") || file_name.ends_with(".ndjson") ||
                         file_name.ends_with(".json") || file_name.ends_with(".parquet");
    return is_json ? RecordForm::json_lines : RecordForm::tsv;
}

Records::Records(TextFile& file, RecordForm form, bool has_header, std::optional<char> separator)
    : file_(file),
      form_(form),
      separator_(form == RecordForm::excel_tab ? std::optional('\t') : separator)
{
    if (form == RecordForm::json_lines)
        is_peeked_ = read(); // its names are the header
    else if (has_header && read())
        for (std::size_t i = 0; i < fields_.size(); ++i)
            header_.emplace_back(base::strip(field(i)));
}

Records::~Records() = default;

bool Records::next()
{
    return std::exchange(is_peeked_, false) || read();
}

bool Records::read()
{
    if (form_ == RecordForm::csv || form_ == RecordForm::excel_tab)
        return read_csv();
    if (form_ == RecordForm::json_lines)
        return read_json();
    if (!file_.next())
        return false;
    line_number_ = file_.line_number();
    fields_.clear();
    if (!file_.line().empty())
        for (const std::string_view field : file_.columns(file_.line(), 1))
            fields_.emplace_back(std::in_place_type<std::string>, field);
    return true;
}

bool Records::read_csv()
{
    bool has_begun = false;
    for (;;) {
        if (!file_.next()) {
            if (has_begun)
                fail("a quotation mark that opens in this record is not closed");
            return false;
        }
        if (const auto line = file_.line(); !csv_ && line.size() == 5 && line.starts_with("sep=")) {
            separator_ = separator_.value_or(line.back());
            continue;
        }
        if (!csv_)
            csv_ = std::make_unique<Csv>(separator_.value_or(separator_of(file_.line())));
        if (!std::exchange(has_begun, true)) {
            line_number_ = file_.line_number();
            csv_->fields.clear();
            csv_->is_complete = false;
        }
        if (!csv_->feed(file_.line()) || !csv_->feed("\n"))
            file_.fail("a quotation mark is misplaced: within quotes it must be doubled, and a "
                       "field with one must be quoted");
        if (csv_->is_complete) {
            fields_ = csv_->fields;
            return true;
        }
        has_begun = csv_->parser.pstate != 0; // an empty line is no record
    }
}

bool Records::read_json()
{
    while (file_.next()) {
        if (base::strip(file_.line()).empty()) // is no record
            continue;
        line_number_ = file_.line_number();
        ObjectReader reader(header_, fields_);
        if (!base::Json::sax_parse(file_.line(), &reader))
            fail("{}", reader.problem());
        return true;
    }
    return false;
}

std::string Records::field_name(std::size_t number) const
{
    return number < header_.size() ? fmt::format("'{}'", header_[number])
                                   : fmt::format("number {}", number + 1);
}

std::string_view Records::field(std::size_t number) const
{
    if (number >= fields_.size()) {
        const std::string_view why = form_ == RecordForm::tsv && fields_.size() == 1
                                         ? base::disguise_of_line(file_.line())
                                         : std::string_view();
        if (!why.empty())
            fail("{}", why);
        fail("there is no field {}: this record has {}{}", field_name(number), fields_.size(),
             form_ == RecordForm::tsv ? ", and they are separated by TABs" : "");
    }
    if (const auto* text = std::get_if<std::string>(&fields_[number]))
        return *text;
    const bool is_list = std::holds_alternative<std::vector<std::string>>(fields_[number]);
    fail("the field {} must be one text, and is {}", field_name(number),
         is_list ? "a list" : "missing, null or no text");
}

const std::vector<std::string>& Records::list(std::size_t number) const
{
    const auto* list =
        number < fields_.size() ? std::get_if<std::vector<std::string>>(&fields_[number]) : nullptr;
    if (list != nullptr)
        return *list;
    fail("the field {} is no list of texts or numbers", field_name(number));
}

} // namespace senteval::text
