// Times the forward pass of a transformer on token ids, without its tokenizer, and states its peak memory.
//
//   transformer_bench FOLDER IDS [VECTORS]
//
// IDS is JSON, one list of ids per sentence. VECTORS takes the float32 of all tokens.
#include "model_files/files.hpp"
#include "transformer/network.hpp"

#include <fmt/format.h>

#include <sys/resource.h>

#include <ctime>
#include <fstream>
#include <string>
#include <vector>

using namespace senteval;

namespace {

double processor_seconds()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

long peak_megabytes()
{
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss / 1024;
}

} // namespace

int main(int count, char** arguments)
{
    if (count < 3)
        return 2;
    double start = processor_seconds();
    const transformer::Network network(arguments[1], transformer::Arithmetic::float32);
    fmt::print("opened in {:.2f} s, {} MB\n", processor_seconds() - start, peak_megabytes());
    const std::vector<std::vector<model_files::Id>> sentences =
        model_files::read_json(arguments[2]);
    std::ofstream vectors(count > 3 ? arguments[3] : "/dev/null", std::ios::binary);
    senteval_call never_cancelled{};
    never_cancelled.is_cancelled = [](const senteval_call*) { return 0U; };
    const sdk::Call call(&never_cancelled);
    std::size_t tokens = 0;
    double spent = 0.0;
    transformer::Packed packed;
    const auto flush = [&] {
        start = processor_seconds();
        const std::vector<float> rows = network.run(packed, call);
        spent += processor_seconds() - start;
        tokens += packed.ids.size();
        vectors.write(reinterpret_cast<const char*>(rows.data()),
                      static_cast<std::streamsize>(packed.ids.size() * network.width() * 4));
        packed = {};
    };
    for (const auto& ids : sentences) {
        if (!packed.ids.empty() && packed.ids.size() + ids.size() > 512)
            flush();
        packed.ids.insert(packed.ids.end(), ids.begin(), ids.end());
        packed.lengths.push_back(ids.size());
    }
    flush();
    fmt::print("{} tokens in {:.3f} s: {:.1f} us a token; peak {} MB\n", tokens, spent,
               spent / static_cast<double>(tokens) * 1e6, peak_megabytes());
}
