// Rankings of published collections by every formula, against those of a plain program.
#include "bm25/bm25_encoder.hpp"

#include "base/json.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"
#include "text/text_file.hpp"

using namespace senteval;

namespace {

struct Collection {
    std::vector<std::string> ids;
    std::vector<std::string> texts;
    std::map<std::string, std::string> queries;
    std::map<std::string, std::set<std::string>> candidates; ///< empty: all documents
};

std::vector<base::Json> rows_of(const std::filesystem::path& path)
{
    std::ifstream file(path);
    std::vector<base::Json> rows;
    for (std::string line; std::getline(file, line);)
        rows.push_back(base::parse_json(line));
    return rows;
}

/// A row with a query and its candidates, of which both kinds are there.
Collection of_rows(const std::filesystem::path& path)
{
    Collection all;
    std::size_t number = 0;
    for (const base::Json& row : rows_of(path)) {
        if (row.at("positive").empty() || row.at("negative").empty())
            continue;
        const std::string query = fmt::format("test_query{}", number++);
        all.queries[query] = row.at("query");
        for (const char* kind : {"positive", "negative"})
            for (std::size_t i = 0; i < row.at(kind).size(); ++i) {
                all.ids.push_back(
                    fmt::format("{}{}_{}_{:05}", *kind == 'p' ? "a" : "", kind, query, i));
                all.texts.push_back(row.at(kind)[i]);
                all.candidates[query].insert(all.ids.back());
            }
    }
    return all;
}

Collection read(const std::filesystem::path& folder)
{
    if (exists(folder / "test.jsonl"))
        return of_rows(folder / "test.jsonl");
    Collection all;
    for (const base::Json& row : rows_of(folder / "corpus.jsonl")) {
        all.ids.push_back(row.at("_id"));
        all.texts.push_back(row.value("title", "") + " " + row.at("text").get<std::string>());
    }
    for (const base::Json& row : rows_of(folder / "queries.jsonl"))
        all.queries[row.at("_id")] = row.at("text");
    if (const auto top = folder / "top_ranked" / "test.jsonl"; exists(top))
        for (const base::Json& row : rows_of(top))
            all.candidates[row.at("query-id")] = row.at("corpus-ids").get<std::set<std::string>>();
    return all;
}

using Ranking = std::vector<std::pair<std::string, double>>; ///< documents and scores

std::map<std::string, Ranking> read_run(const std::filesystem::path& path)
{
    text::TextFile file(path.string(), base::MappedFile(path), text::Encoding::utf8,
                        text::LineEnds::newlines, nullptr, true);
    std::map<std::string, Ranking> run;
    file.next(); // the header
    while (file.next()) {
        const auto columns = file.columns(file.line(), 4);
        run[std::string(columns[0])].emplace_back(columns[2], file.number(columns[3], "score"));
    }
    return run;
}

/// Documents that the query finds, by score, then by id, both descending.
Ranking ranked(const Collection& all, const std::string& query, const std::vector<float>& scores)
{
    const auto candidates = all.candidates.find(query);
    Ranking found;
    for (std::size_t i = 0; i < scores.size(); ++i)
        if (scores[i] != SENTEVAL_NOT_FOUND_BY_QUERY &&
            (candidates == all.candidates.end() || candidates->second.contains(all.ids[i])))
            found.emplace_back(all.ids[i], scores[i]);
    std::ranges::sort(found, [](const auto& a, const auto& b) {
        return std::tie(a.second, a.first) > std::tie(b.second, b.first);
    });
    return found;
}

/// What differs: a score by more than float32 rounds, or a place where the scores differ by more than that.
std::string difference(const Ranking& found, Ranking expected)
{
    const std::map<std::string, double> scores(expected.begin(), expected.end());
    const std::map<std::string, double> all_found(found.begin(), found.end());
    std::erase_if(expected, [&](const auto& one) { return !all_found.contains(one.first); });
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto& [document, score] = expected[i];
        if (std::fabs(all_found.at(document) - score) > 1e-7 * std::fabs(score))
            return fmt::format("{}: {} in place of {}", document, all_found.at(document), score);
        const auto here = scores.find(found[i].first);
        if (here == scores.end() || std::fabs(here->second - score) > 2e-7 * std::fabs(score))
            return fmt::format("{} at place {} of {}", found[i].first, i + 1, document);
    }
    return "";
}

/// The wrong rankings of a run.
std::vector<std::string> wrong_rankings(const Collection& all,
                                        const std::map<std::string, Ranking>& run,
                                        const std::vector<test::Parameter>& parameters)
{
    auto encoder = test::PluginHarness::of<bm25::Bm25Encoder>(parameters);
    encoder.prepare(all.texts);
    std::vector<std::string> wrong;
    for (const auto& [query, expected] : run) {
        const auto found = ranked(all, query, encoder.encode(all.queries.at(query)));
        if (const std::string what = difference(found, expected); !what.empty())
            wrong.push_back(query + ": " + what);
    }
    return wrong;
}

std::vector<test::Parameter> reading(const std::string& kind)
{
    if (kind == "a")
        return {{"tokens", "words"}};
    return {{"stemmer", kind == "b" ? "3" : "2.2"}};
}

} // namespace

TEST_CASE("rankings of six collections, by words, and by stems of both editions")
{
    const auto runs = test::shared_or_skip("reference/retrieval/bm25/runs");
    const auto data = test::shared_or_skip("mteb_data");
    if (!runs || !data)
        return;
    for (const std::string name : {"adi", "cranfield", "cisi", "medline", "wikiqa", "trecqa"}) {
        const Collection all = read(*data / name);
        for (const std::string kind : {"a", "b", "b22"}) {
            CAPTURE(name);
            CAPTURE(kind);
            const auto run = read_run(*runs / (name + "." + kind + ".tsv.gz"));
            CHECK(run.size() >= 30);
            CHECK(wrong_rankings(all, run, reading(kind)) == std::vector<std::string>{});
        }
    }
}

TEST_CASE("rankings by every formula")
{
    const auto runs = test::shared_or_skip("reference/retrieval/bm25/runs/variants");
    const auto data = test::shared_or_skip("mteb_data/adi");
    if (!runs || !data)
        return;
    const Collection all = read(*data);
    const std::vector<std::tuple<std::string, std::string, double, double>> variants = {
        {"robertson", "robertson_1.5_0.75", 1.5, 0.75},
        {"atire", "atire_1.5_0.75", 1.5, 0.75},
        {"okapi", "okapi_rank_1.5_0.75", 1.5, 0.75},
        {"bm25l", "bm25l_1.5_0.75", 1.5, 0.75},
        {"bm25l_paper", "bm25l_paper_1.5_0.75", 1.5, 0.75},
        {"bm25plus", "bm25plus_1.5_0.75", 1.5, 0.75},
        {"bm25plus_paper", "bm25plus_paper_1.5_0.75", 1.5, 0.75},
        {"lucene", "lucene_1.2_0.75", 1.2, 0.75},
        {"lucene", "lucene_0.9_0.4", 0.9, 0.4},
    };
    for (const std::string kind : {"a", "b"})
        for (const auto& [formula, file, k1, b] : variants) {
            const std::string& run_file = file; // some compilers capture no structured binding
            CAPTURE(kind);
            CAPTURE(run_file);
            auto parameters = reading(kind);
            parameters.push_back({"formula", formula});
            parameters.push_back({"k1", k1});
            parameters.push_back({"b", b});
            const auto run = read_run(*runs / ("adi." + kind + "." + file + ".tsv.gz"));
            CHECK(run.size() >= 30);
            CHECK(wrong_rankings(all, run, parameters) == std::vector<std::string>{});
        }
}
