#include "bag_of_words.hpp"

#include "core/files.hpp"
#include "support/support.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>
#include <sstream>
#include <unordered_map>

namespace senteval::test {

namespace {

using Tokens = std::vector<std::string>;

std::vector<std::string> lines_of(const std::filesystem::path& path)
{
    std::vector<std::string> lines;
    std::istringstream text(core::read_file(path));
    for (std::string line; std::getline(text, line);) {
        if (line.ends_with('\r'))
            line.pop_back();
        lines.push_back(line);
    }
    return lines;
}

std::vector<std::string> fields_of(const std::string& line, char separator)
{
    std::vector<std::string> fields;
    std::istringstream text(line);
    for (std::string field; std::getline(text, field, separator);)
        fields.push_back(field);
    return fields;
}

Tokens tokens_of(const std::string& text)
{
    Tokens tokens;
    std::istringstream words(text);
    for (std::string word; words >> word;)
        tokens.push_back(word);
    return tokens;
}

/// Stable, by lengths, then label.
void sort_by_length(Part& part)
{
    std::vector<std::size_t> order(part.label.size());
    std::iota(order.begin(), order.end(), 0U);
    const auto key = [&](std::size_t i) {
        return std::array<double, 3>{
            static_cast<double>(part.first[i].size()),
            part.second.empty() ? 0.0 : static_cast<double>(part.second[i].size()), part.label[i]};
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    const auto reorder = [&](auto& values) {
        auto before = values;
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = before[order[i]];
    };
    reorder(part.first);
    reorder(part.second);
    reorder(part.label);
}

using Vectors = std::unordered_map<std::string, std::vector<double>>;

const Vectors& vectors()
{
    static const Vectors all = [] {
        Vectors table;
        const auto script = shared_or_skip("vectors/get.sh");
        if (!script)
            return table;
        const Run run = shell(quoted(*script));
        for (const std::string& line : lines_of(tokens_of(run.out).at(0))) {
            const std::size_t space = line.find(' ');
            std::vector<double>& values = table[line.substr(0, space)];
            values.clear();
            for (const char* at = line.c_str() + space; *at != '\0';) {
                char* end = nullptr;
                values.push_back(std::strtod(at, &end));
                at = end;
            }
        }
        return table;
    }();
    return all;
}

} // namespace

std::optional<std::vector<Part>> read_cr()
{
    const auto folder = shared_or_skip("senteval_data/downstream/CR");
    if (!folder)
        return std::nullopt;
    Part part;
    for (const auto& [file, label] : {std::pair{"custrev.pos", 1.0}, {"custrev.neg", 0.0}})
        for (const std::string& line : lines_of(*folder / file)) {
            part.first.push_back(tokens_of(line));
            part.label.push_back(label);
        }
    sort_by_length(part);
    return std::vector{part};
}

std::optional<std::vector<Part>> read_trec()
{
    const auto folder = shared_or_skip("senteval_data/downstream/TREC");
    if (!folder)
        return std::nullopt;
    const std::map<std::string, double> classes{{"ABBR", 0}, {"DESC", 1}, {"ENTY", 2},
                                                {"HUM", 3},  {"LOC", 4},  {"NUM", 5}};
    std::vector<Part> parts;
    for (const char* file : {"train_5500.label", "TREC_10.label"}) {
        Part& part = parts.emplace_back();
        for (const std::string& line : lines_of(*folder / file)) {
            part.label.push_back(classes.at(line.substr(0, line.find(':'))));
            part.first.push_back(tokens_of(line.substr(line.find(' '))));
        }
        sort_by_length(part);
    }
    return parts;
}

std::optional<std::vector<Part>> read_sick(bool relatedness)
{
    const auto folder = shared_or_skip("senteval_data/downstream/SICK");
    if (!folder)
        return std::nullopt;
    const std::map<std::string, double> classes{
        {"CONTRADICTION", 0}, {"NEUTRAL", 1}, {"ENTAILMENT", 2}};
    std::vector<Part> parts;
    for (const char* file : {"SICK_train.txt", "SICK_trial.txt", "SICK_test_annotated.txt"}) {
        Part& part = parts.emplace_back();
        auto lines = lines_of(*folder / file);
        lines.erase(lines.begin());
        for (const std::string& line : lines) {
            const auto fields = fields_of(line, '\t');
            part.first.push_back(tokens_of(fields.at(1)));
            part.second.push_back(tokens_of(fields.at(2)));
            part.label.push_back(relatedness ? std::stod(fields.at(3)) : classes.at(fields.at(4)));
        }
        sort_by_length(part);
    }
    return parts;
}

std::optional<arma::fmat> embed(const std::vector<Tokens>& sentences)
{
    if (vectors().empty())
        return std::nullopt;
    const std::size_t dimension = vectors().begin()->second.size();
    arma::fmat matrix(dimension, sentences.size(), arma::fill::zeros);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        std::vector<double> sum(dimension);
        std::size_t found = 0;
        const Tokens& tokens = sentences[i].empty() ? Tokens{"."} : sentences[i];
        for (const std::string& token : tokens)
            if (const auto at = vectors().find(token); at != vectors().end()) {
                ++found;
                for (std::size_t f = 0; f < dimension; ++f)
                    sum[f] += at->second[f];
            }
        for (std::size_t f = 0; f < dimension && found > 0; ++f)
            matrix(f, i) = static_cast<float>(sum[f] / static_cast<double>(found));
    }
    return matrix;
}

} // namespace senteval::test
