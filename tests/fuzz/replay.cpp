// Runs a harness without libFuzzer: every seed of the folders given, and random changes of each, 1000 or
// as many as $SENTEVAL_FUZZ_CHANGES says. An input that is not done within a minute counts as a crash.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include <unistd.h>

// NOLINTNEXTLINE(readability-redundant-declaration): only where it is read as one with a harness
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size);

namespace {

void feed(const std::string& input)
{
    ::alarm(60);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

/// Numbers that sizes and counts go wrong at.
void put_number(std::string& input, std::size_t at, std::mt19937& random)
{
    constexpr std::int64_t numbers[] = {
        0,         1,        -1, 2, 255, 256, 0x7fff, 0x7fffffff, -0x80000000LL, 0x80000000LL,
        INT64_MAX, INT64_MIN};
    const std::int64_t number = numbers[random() % std::size(numbers)];
    const std::size_t width = random() % 2 == 0 ? 4 : 8;
    if (at + width <= input.size())
        std::memcpy(input.data() + at, &number, width);
}

std::string changed(std::string input, std::mt19937& random)
{
    const unsigned kinds = input.find('\0') == std::string::npos ? 4 : 6; // text has no sizes
    for (unsigned changes = 1 + random() % 4; changes > 0; --changes) {
        const std::size_t at = input.empty() ? 0 : random() % input.size();
        switch (random() % kinds) {
        case 0:
            input.insert(at, 1, static_cast<char>(random()));
            break;
        case 1:
            input.erase(at, random() % 8);
            break;
        case 2:
            input.resize(at);
            break;
        case 3:
            if (!input.empty())
                input[at] = static_cast<char>(random());
            break;
        case 4:
            put_number(input, at, random);
            break;
        default: // among the sizes that formats begin with
            put_number(input, at % 128, random);
        }
    }
    return input;
}

} // namespace

int main(int argc, char** argv)
{
    const char* const wanted = std::getenv("SENTEVAL_FUZZ_CHANGES");
    const int changes_of_each = wanted != nullptr ? std::atoi(wanted) : 1'000;
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
    std::printf("%d seeds, %d changes of each\n", seeds, changes_of_each);
    return seeds > 0 ? 0 : 1;
}
