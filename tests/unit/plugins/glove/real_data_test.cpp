// The encoder on real vectors and sentences: skipped where they are not.
#include "glove/glove_encoder.hpp"
#include "support/plugin_harness.hpp"
#include "support/support.hpp"

#include <unordered_map>

using namespace senteval;

namespace {

/// The vectors' path, by the script that provides them; empty where it is not there.
std::string real_vectors()
{
    const auto script = test::shared_or_skip("vectors/get.sh");
    if (!script)
        return {};
    const test::Run run = test::shell("bash " + test::quoted(*script));
    return run.exit_code == 0 ? run.out.substr(0, run.out.find('\n')) : std::string();
}

using Vectors = std::unordered_map<std::string, std::vector<double>>;

/// The plainest way to read them: strtod on every field.
Vectors read_plainly(const std::string& path)
{
    Vectors vectors;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        const std::size_t space = line.find(' ');
        std::vector<double>& vector = vectors[line.substr(0, space)];
        vector.clear();
        const char* at = line.c_str() + space;
        for (char* end = nullptr; *at != '\0'; at = end) {
            const double value = std::strtod(at, &end);
            if (end == at)
                break;
            vector.push_back(value);
        }
    }
    return vectors;
}

std::vector<float> average_plainly(const Vectors& vectors, const std::string& sentence)
{
    std::vector<double> sum(100, 0.0);
    double known = 0.0;
    std::istringstream tokens(sentence);
    for (std::string token; std::getline(tokens, token, ' ');)
        if (const auto found = vectors.find(token); found != vectors.end()) {
            for (std::size_t i = 0; i < sum.size(); ++i)
                sum[i] += found->second[i];
            known += 1.0;
        }
    std::vector<float> mean;
    for (const double value : sum)
        mean.push_back(static_cast<float>(known > 0.0 ? value / known : 0.0));
    return mean;
}

} // namespace

TEST_CASE("real sentences on real vectors are the plain program's means, bit for bit")
{
    const auto data =
        test::shared_or_skip("senteval_data/downstream/STS/STS14-en-test/STS.input.headlines.txt");
    const std::string path = data ? real_vectors() : std::string();
    if (path.empty())
        return;
    std::vector<std::string> sentences;
    std::ifstream file(*data);
    for (std::string line; std::getline(file, line);) {
        const std::size_t tab = line.find('\t');
        sentences.push_back(line.substr(0, tab));
        sentences.push_back(line.substr(tab + 1));
    }
    REQUIRE(sentences.size() == 1500);

    auto encoder = test::PluginHarness::of<glove::GloveEncoder>({{"vectors", path}}, 2);
    encoder.prepare(sentences);
    const auto rows = encoder.encode(sentences);
    const Vectors vectors = read_plainly(path);
    std::size_t equal = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        equal += rows[i] == average_plainly(vectors, sentences[i]) ? 1 : 0;
    CHECK(equal == sentences.size());
}
