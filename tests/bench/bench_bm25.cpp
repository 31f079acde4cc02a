// bench_bm25.cpp -- processor time of BM25 on one thread: words of the documents to an index, and the ten best documents
// of each query. A line of a file is a text.
//
//     bench_bm25 DOCUMENTS QUERIES
//     bench_bm25 100000 1000            makes that many texts, of 100 words and of 8

#include "bm25/index.hpp"
#include "bm25/stemmers.hpp"

#include <fmt/format.h>

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

using namespace senteval;

namespace {

double cpu_seconds()
{
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Texts of words as frequent as those of a language, of 150 000.
std::vector<std::string> make(std::size_t count, std::size_t words, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(0, std::log(150000.0));
    std::vector<std::string> texts(count);
    for (std::string& text : texts)
        for (std::size_t i = 0; i < words; ++i) {
            auto number = static_cast<std::size_t>(std::exp(any(random)));
            for (text += 'w'; number > 0; number /= 20)
                text += std::string{"bdfglmnprstvz"[number % 13], "aeiou"[number % 5]};
            text += i % 3 == 0 ? "ing " : " ";
        }
    return texts;
}

std::vector<std::string> texts_of(const std::string& what, std::size_t words)
{
    if (what.find_first_not_of("0123456789") == std::string::npos)
        return make(std::stoul(what), words, static_cast<unsigned>(words));
    std::ifstream file(what);
    std::vector<std::string> texts;
    for (std::string line; std::getline(file, line);)
        texts.push_back(line);
    return texts;
}

/// The ten best of a row, summed up for something to be printed.
double best_of(const std::vector<float>& row, std::vector<std::uint32_t>& order)
{
    std::iota(order.begin(), order.end(), 0U);
    const auto tenth = order.begin() + std::min<std::ptrdiff_t>(10, std::ssize(order));
    std::partial_sort(order.begin(), tenth, order.end(),
                      [&](std::uint32_t a, std::uint32_t b) { return row[a] > row[b]; });
    return row[order.front()];
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3) {
        fmt::print("bench_bm25 DOCUMENTS QUERIES\n");
        return 2;
    }
    const auto documents = texts_of(argv[1], 100);
    const auto queries = texts_of(argv[2], 8);
    const double begin = cpu_seconds();
    bm25::Vocabulary vocabulary(
        [](std::string_view word) { return bm25::english_stem(word, bm25::Edition::snowball_3); },
        true);
    bm25::Documents read;
    std::string buffer;
    for (const std::string& document : documents) {
        bm25::for_each_token(document, buffer, [&](std::string_view word) {
            if (const auto term = vocabulary.add(word); term != bm25::Vocabulary::no_term)
                read.terms.push_back(term);
        });
        read.ends.push_back(read.terms.size());
    }
    const double counted = cpu_seconds();
    const bm25::Index index(read, vocabulary.size(), bm25::formula_from({nullptr, 0}), [] {});
    const double indexed = cpu_seconds();
    double sum = 0;
    std::vector<double> sums(documents.size());
    std::vector<float> scores(documents.size());
    std::vector<std::uint32_t> order(documents.size());
    for (const std::string& query : queries) {
        std::vector<bm25::Term> terms;
        bm25::for_each_token(query, buffer, [&](std::string_view word) {
            if (const auto term = vocabulary.find(word); term != bm25::Vocabulary::no_term)
                terms.push_back(term);
        });
        index.score(terms, sums, scores, [] {});
        sum += best_of(scores, order);
    }
    const double end = cpu_seconds();
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    fmt::print(
        "words {:.3f} s, index {:.3f} s, queries {:.3f} s, together {:.3f} s; at most {} MB, "
        "texts included; mean best score {:.5f}\n",
        counted - begin, indexed - counted, end - indexed, end - begin, used.ru_maxrss / 1024,
        sum / static_cast<double>(queries.size()));
}
