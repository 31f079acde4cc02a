// training_loop.cpp -- trains a small encoder and evaluates it after every epoch.
//
// The encoder is a bag of words: each word has a fixed random direction and a weight, a sentence is the
// weighted sum of its words. The weights are learned from scored pairs of sentences (the training part of
// STSBenchmark), so that the cosine of two sentences comes near their score.
//
//     training_loop DATA [EPOCHS]

#include <senteval/senteval.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace {

constexpr std::size_t dimension = 256;
using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b)
{
    double sum = 0;
    for (std::size_t d = 0; d < dimension; ++d)
        sum += a[d] * b[d];
    return sum;
}

std::vector<std::string> words_of(std::string_view sentence)
{
    std::istringstream in{std::string(sentence)};
    std::vector<std::string> words;
    for (std::string word; in >> word;)
        words.push_back(word);
    return words;
}

class BagOfWords {
public:
    Vector embed(const std::vector<std::string>& words) const
    {
        Vector sum(dimension);
        for (const std::string& word : words) {
            const auto weight = weights_.find(word);
            add(word, weight == weights_.end() ? 1.0 : weight->second, sum);
        }
        return sum;
    }

    /// One step of gradient descent on (cosine - score)^2.
    void learn(const std::string& first, const std::string& second, double score)
    {
        const auto a = words_of(first);
        const auto b = words_of(second);
        const Vector u = embed(a);
        const Vector v = embed(b);
        const double lengths = std::sqrt(dot(u, u) * dot(v, v));
        if (lengths == 0)
            return;
        const double cosine = dot(u, v) / lengths;
        step(a, u, v, cosine, lengths, 2 * rate * (cosine - score));
        step(b, v, u, cosine, lengths, 2 * rate * (cosine - score));
    }

private:
    static constexpr double rate = 0.5;

    /// The direction of a word: signs drawn from its hash.
    static void add(const std::string& word, double weight, Vector& sum)
    {
        std::uint64_t state = 14695981039346656037U; // FNV-1a
        for (const char c : word)
            state = (state ^ static_cast<unsigned char>(c)) * 1099511628211U;
        for (std::size_t d = 0; d < dimension; ++d) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            sum[d] += (state >> 63U) == 0 ? weight : -weight;
        }
    }

    /// d cosine / d weight = x . (v / lengths - cosine u / |u|^2), x the word's direction.
    void step(const std::vector<std::string>& words,
              const Vector& u,
              const Vector& v,
              double cosine,
              double lengths,
              double rate_and_error)
    {
        for (const std::string& word : words) {
            Vector x(dimension);
            add(word, 1, x);
            const double slope = dot(x, v) / lengths - cosine * dot(x, u) / dot(u, u);
            double& weight = weights_.try_emplace(word, 1.0).first->second;
            weight = std::max(0.0, weight - rate_and_error * slope);
        }
    }

    std::unordered_map<std::string, double> weights_;
};

struct Pair {
    std::string first, second;
    double score; ///< 0 to 1
};

std::vector<Pair> read_pairs(const std::string& data)
{
    std::ifstream file(data + "/downstream/STS/STSBenchmark/sts-train.csv");
    std::vector<Pair> pairs;
    for (std::string line; std::getline(file, line);) {
        std::vector<std::string> columns;
        std::istringstream in(line);
        for (std::string column; std::getline(in, column, '\t');)
            columns.push_back(column);
        if (columns.size() >= 7)
            pairs.push_back({columns[5], columns[6], std::stod(columns[4]) / 5});
    }
    return pairs;
}

int train(const std::string& data, int epochs)
{
    const auto pairs = read_pairs(data);
    BagOfWords model;
    double best = -1;

    for (int epoch = 0; epoch <= epochs; ++epoch) {
        if (epoch > 0)
            for (const Pair& pair : pairs)
                model.learn(pair.first, pair.second, pair.score);

        senteval::Encoder encoder;
        encoder.name = "bag of words";
        encoder.version = "epoch " + std::to_string(epoch);
        encoder.dimension = dimension;
        encoder.batch_invariant = true;
        encoder.concurrent = true;
        encoder.encode = [&](senteval::Sentences sentences, std::span<float> vectors) {
            auto out = vectors.begin();
            for (const std::string_view sentence : sentences)
                for (const double x : model.embed(words_of(sentence)))
                    *out++ = static_cast<float>(x);
        };

        // The other tasks are worth their time only where the first one, on its development part, says
        // that the epoch was a good one.
        std::stop_source stop;
        senteval::Observer observer;
        observer.finished = [&](const senteval::Result& result) {
            std::printf("epoch %d: %s %s %.4f\n", epoch, result.task.c_str(), result.metric.c_str(),
                        result.value);
            if (result.task != "STSBenchmarkUnsupervised")
                return;
            const double dev = result.metrics.at("devpearson");
            if (dev <= best)
                stop.request_stop();
            best = std::max(best, dev);
        };
        const auto results =
            senteval::evaluate(encoder,
                               {.data = data,
                                .tasks = {"STSBenchmarkUnsupervised", "STS14", "CR"},
                                .options = {{"kfold", "5"}},
                                .stop = stop.get_token()},
                               observer);
        for (const senteval::Failure& failure : results.failures)
            std::printf("epoch %d: %s failed: %s\n", epoch, failure.task.c_str(),
                        failure.why.c_str());
        if (!results.failures.empty())
            return 1;
        if (results.stopped) {
            std::printf("epoch %d is no better: training ends\n", epoch);
            break;
        }
    }
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 2) {
        std::fprintf(stderr, "training_loop DATA [EPOCHS]\n");
        return 2;
    }
    try {
        return train(argv[1], argc > 2 ? std::atoi(argv[2]) : 20);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "training_loop: %s\n", e.what());
        return 2;
    }
}
