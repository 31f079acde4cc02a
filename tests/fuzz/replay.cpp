// Runs a harness without libFuzzer: every seed of the folders given, and random changes of each.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace {

void feed(const std::string& input)
{
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

std::string changed(std::string input, std::mt19937& random)
{
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
        const std::size_t at = input.empty() ? 0 : random() % input.size();
        switch (random() % 4) {
        case 0:
            input.insert(at, 1, static_cast<char>(random()));
            break;
        case 1:
            input.erase(at, random() % 8);
            break;
        case 2:
            input.resize(at);
            break;
        default:
            if (!input.empty())
                input[at] = static_cast<char>(random());
        }
    }
    return input;
}

} // namespace

int main(int argc, char** argv)
{
    constexpr int changes_of_each = 1'000;
    std::mt19937 random(1);
    int seeds = 0;
    for (int i = 1; i < argc; ++i)
        for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
            std::ifstream file(entry.path(), std::ios::binary);
            const std::string seed(std::istreambuf_iterator<char>(file), {});
            feed(seed);
            for (int n = 0; n < changes_of_each; ++n)
                feed(changed(seed, random));
            ++seeds;
        }
    std::printf("%d seeds\n", seeds);
    return seeds > 0 ? 0 : 1;
}
