// Times the word vectors: opening a file, preparing for a text, and averaging it.
//
//   vectors_bench VECTORS SENTENCES [THREADS]
//
// SENTENCES is a text with one tokenised sentence per line.
#include "glove/glove_encoder.hpp"
#include "support/plugin_harness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

namespace {

using senteval::test::PluginHarness;

template <typename Work>
double seconds(Work&& work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <typename Work>
double processor_seconds(Work&& work)
{
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

std::vector<std::string> lines_of(const char* path)
{
    std::ifstream file(path);
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);)
        lines.push_back(line);
    return lines;
}

/// Sentences per second of processor time, without what the harness adds around the encoding.
double encoding_rate(PluginHarness& encoder, const std::vector<std::string>& lines)
{
    constexpr int rounds = 5;
    const senteval::test::Sentences batch(lines);
    std::vector<float> rows(lines.size() * encoder.dimension());
    double best = 1e9;
    for (int round = 0; round < rounds; ++round)
        best = std::min(best, processor_seconds([&] { encoder.encode_into(batch, rows); }));
    return static_cast<double>(lines.size()) / best;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3) {
        fmt::print(stderr, "usage: vectors_bench VECTORS SENTENCES [THREADS]\n");
        return 2;
    }
    const unsigned threads = argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 1;
    const auto lines = lines_of(argv[2]);
    const auto open = [&] {
        return PluginHarness::of<senteval::glove::GloveEncoder>({{"vectors", std::string(argv[1])}},
                                                                threads);
    };

    fmt::print("{} sentences, {} threads\n", lines.size(), threads);
    fmt::print("open                {:.3f} s\n", seconds([&] { open(); }));
    auto encoder = open();
    fmt::print("prepare             {:.3f} s, {:.3f} s of processor time\n",
               seconds([&] { encoder.prepare(lines); }),
               processor_seconds([&] { encoder.prepare(lines); }));
    fmt::print("encode, one thread  {:.0f} sentences/s\n", encoding_rate(encoder, lines));
}
