#include "host/dry_run_table.hpp"

#include "core/byte_text.hpp"
#include "host/progress_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace senteval::host {
namespace {

using run::Prospect;

using Row = std::array<std::string, 10>;

/// "12 s", and "12 s + ?" where the pace of the encoder is not known.
std::string time_of(const Prospect& one)
{
    return in_words(one.encode.value_or(0) + one.fit.seconds) + (one.encode ? "" : " + ?");
}

std::string memory_of(const Prospect& one)
{
    const auto text = [](std::uint64_t bytes) {
        return core::byte_text(static_cast<double>(bytes));
    };
    return text(one.bytes_in_memory()) +
           (one.is_spilled ? ", file " + text(one.bytes_in_file()) : "");
}

Row row_of(const Prospect& one)
{
    const auto text = [](std::size_t count) { return fmt::format("{}", count); };
    if (!one.problem.empty())
        return {one.encoder, one.task, text(one.cells), text(one.stored)};
    if (one.to_do() == 0)
        return {one.encoder, one.task, text(one.cells), text(one.stored), text(one.sentences)};
    const bool has_dimension = one.dimension.has_value();
    return {one.encoder,
            one.task,
            text(one.cells),
            text(one.stored),
            text(one.sentences),
            text(one.to_encode),
            text(one.cached),
            has_dimension ? text(*one.dimension) : "?",
            has_dimension ? time_of(one) : "?",
            has_dimension ? memory_of(one) : "?"};
}

const Row headings = {"encoder",   "task",   "cells",     "stored", "sentences",
                      "to encode", "cached", "dimension", "time",   "memory"};

/// Characters, not bytes.
std::size_t width_of(const std::string& text)
{
    return static_cast<std::size_t>(std::ranges::count_if(
        text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::vector<Row> rows_of(std::span<const Prospect> prospects)
{
    std::vector<Row> rows = {headings};
    for (const Prospect& one : prospects)
        rows.push_back(row_of(one));
    return rows;
}

std::string csv_field(std::string text)
{
    if (text.find_first_of(",\"\n\r") == std::string::npos)
        return text;
    for (std::size_t quote = text.find('"'); quote != std::string::npos;
         quote = text.find('"', quote + 2))
        text.insert(quote, "\"");
    return "\"" + text + "\"";
}

} // namespace

std::string in_words(double seconds)
{
    return seconds < 1 ? "< 1 s" : duration(seconds);
}

std::string as_columns(std::span<const Prospect> prospects)
{
    const std::vector<Row> rows = rows_of(prospects);
    std::array<std::size_t, headings.size()> widths{};
    for (const Row& row : rows)
        for (std::size_t at = 0; at < row.size(); ++at)
            widths[at] = std::max(widths[at], width_of(row[at]));
    std::string text;
    for (std::size_t number = 0; number < rows.size(); ++number) {
        std::string line;
        for (std::size_t at = 0; at < widths.size(); ++at) {
            const std::string space(widths[at] - width_of(rows[number][at]), ' ');
            line += at < 2 ? rows[number][at] + space : space + rows[number][at];
            line += at + 1 < widths.size() ? "  " : "";
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
        if (number == 0)
            text += std::string(width_of(line), '-') + "\n";
    }
    return text;
}

std::string as_markdown(std::span<const Prospect> prospects)
{
    const std::vector<Row> rows = rows_of(prospects);
    std::string text;
    for (std::size_t number = 0; number < rows.size(); ++number) {
        text += "|";
        for (std::string cell : rows[number]) {
            for (std::size_t bar = cell.find('|'); bar != std::string::npos;
                 bar = cell.find('|', bar + 2))
                cell.insert(bar, "\\");
            text += fmt::format(" {} |", cell);
        }
        text += "\n";
        if (number == 0)
            text += "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|\n";
    }
    return text;
}

std::string as_csv(std::span<const Prospect> prospects)
{
    std::string text =
        "encoder,task,cells,stored,to_do,sentences,to_encode,cached,dimension,seconds,"
        "bytes,bytes_in_file,fits,problem\n";
    for (const Prospect& one : prospects)
        text += fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", csv_field(one.encoder),
            csv_field(one.task), one.cells, one.stored, one.to_do(), one.sentences, one.to_encode,
            one.cached, one.dimension ? fmt::format("{}", *one.dimension) : "",
            one.dimension ? fmt::format("{:.3f}", one.encode.value_or(0) + one.fit.seconds) : "",
            one.vectors ? fmt::format("{}", one.bytes_in_memory()) : "",
            one.vectors ? fmt::format("{}", one.bytes_in_file()) : "",
            one.fits ? fmt::format("{}", *one.fits) : "", csv_field(one.problem));
    return text;
}

core::Json to_json(const Prospect& one)
{
    using core::Json;
    Json json = {{"encoder", one.encoder}, {"task", one.task},          {"cells", one.cells},
                 {"stored", one.stored},   {"replaced", one.replaced},  {"skipped", one.skipped},
                 {"to_do", one.to_do()},   {"sentences", one.sentences}};
    json["fits"] = one.fits ? Json(*one.fits) : Json();
    if (!one.problem.empty()) {
        json["problem"] = one.problem;
        return json;
    }
    if (one.to_do() == 0)
        return json;
    json["to_encode"] = one.to_encode;
    json["cached"] = one.cached;
    json["dimension"] = one.dimension ? Json(*one.dimension) : Json();
    json["seconds"] = {{"encode", one.encode ? Json(*one.encode) : Json()},
                       {"fit", one.dimension ? Json(one.fit.seconds) : Json()}};
    json["bytes"] = {{"vectors", one.vectors ? Json(*one.vectors) : Json()},
                     {"features", one.features}};
    json["tight"] = one.is_tight;
    return json;
}

} // namespace senteval::host
