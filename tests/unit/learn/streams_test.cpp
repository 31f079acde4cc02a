// The streams of MTEB's protocols, against what NumPy and Python drew.
#include "data/sha256.hpp"
#include "learn/draws.hpp"
#include "learn/random.hpp"
#include "support/support.hpp"
#include "vectors.hpp"

using namespace senteval;
using learn::NumpyGenerator;
using learn::NumpyRandom;
using learn::PythonRandom;

namespace {

using Items = std::vector<std::uint32_t>;

std::string bytes_hash(const Items& items)
{
    return data::sha256({reinterpret_cast<const char*>(items.data()), 4 * items.size()});
}

/// Against a list, or the first ones and the checksum of all.
void check_items(const Items& items, const base::Json& expected)
{
    if (expected.is_array()) {
        CHECK(items == expected.get<Items>());
        return;
    }
    const auto head = expected["head"].get<Items>();
    CHECK(Items(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(head.size())) == head);
    CHECK(bytes_hash(items) == expected["sha256_int32"].get<std::string>());
}

double number(const base::Json& hexadecimal)
{
    return std::strtod(hexadecimal.get<std::string>().c_str(), nullptr);
}

} // namespace

TEST_CASE("RandomState draws what NumPy draws")
{
    // RandomState(42): randint(0, 4500, 8), then uniform(), then permutation(12)
    NumpyRandom random(42);
    Items drawn(8);
    std::generate(drawn.begin(), drawn.end(), [&] { return random.interval(4499); });
    CHECK(drawn == Items{860, 3772, 3092, 466, 4426, 3444, 3171, 2919});
    CHECK(random.uniform() == 0x1.6a887d29a8282p-1);
    CHECK(random.permutation(12) == Items{10, 2, 0, 8, 9, 6, 11, 3, 7, 1, 4, 5});

    const std::vector<double> half(500, double{1 / 500.0F});
    CHECK(NumpyRandom(42).choice(half, 1) == Items{187});
    CHECK(NumpyRandom(42).choice(std::vector<double>{0.25, 0.125, 0.625}, 3) ==
          Items{1, 2, 2}); // .3745, .9507, .7320
    CHECK(NumpyRandom(42).choice(std::vector<double>{1}, 2) == Items{0, 0});
}

TEST_CASE("random.Random draws what Python draws")
{
    PythonRandom random(42);
    CHECK(random.uniform() == 0x1.4762f307200c5p-1);
    CHECK(random.uniform() == 0x1.99c6b5eeb2060p-6);
    CHECK(random.uniform() == 0x1.19a1491f589dcp-2);
    CHECK(PythonRandom(42).bits(32) == 2746317213U);
    // sample(range(50), 20) takes from a pool, sample(range(n), 0) nothing
    PythonRandom sampling(42);
    CHECK(sampling.sample(9, 0).empty());
    CHECK(sampling.sample(50, 20) ==
          Items{40, 7, 1, 17, 15, 14, 8, 6, 34, 5, 37, 27, 2, 47, 49, 13, 44, 32, 36, 46});
    const Items all = PythonRandom(3).sample(3000, 3000);
    CHECK(std::set<std::uint32_t>(all.begin(), all.end()).size() == 3000);
}

TEST_CASE("default_rng draws what NumPy draws")
{
    NumpyGenerator raw(42);
    for (const std::uint64_t expected :
         {14276969152011380360ULL, 8095878257575067585ULL, 15838336090824644132ULL})
        CHECK(raw.next() == expected);
    NumpyGenerator random(42);
    Items order(10);
    std::iota(order.begin(), order.end(), 0U);
    random.shuffle(order);
    CHECK(order == Items{5, 6, 0, 7, 3, 2, 4, 9, 1, 8});
    random.shuffle({});
}

TEST_CASE("all recorded draws are reproduced")
{
    const auto reference = test::reference_json("mteb_vectors.json");
    if (!reference)
        return;
    const auto& numpy = (*reference)["numpy_RandomState"];
    for (const std::size_t n : {10, 1000}) {
        Items order = test::first_numbers(n);
        for (const auto& expected : numpy["shuffle_three_times_n" + std::to_string(n)]) {
            NumpyRandom(42).shuffle(order);
            check_items(order, expected);
        }
    }
    for (const auto& entry : numpy["choice_equal_weights"]) {
        const auto n = entry["n"].get<std::size_t>();
        const double weight = entry["type"] == "float32" ? double{1 / static_cast<float>(n)}
                                                         : 1 / static_cast<double>(n);
        CHECK(NumpyRandom(42).uniform() == number(entry["first_uniform"]));
        CHECK(NumpyRandom(42).choice(std::vector<double>(n, weight), 1) ==
              Items{entry["index"].get<std::uint32_t>()});
    }
    const auto& python = (*reference)["python_Random"];
    for (const auto& [count, size] : std::map<std::uint32_t, std::uint32_t>{
             {4500, 180}, {20000, 800}, {50, 20}, {3000, 3000}}) {
        const auto& entry =
            python["sample_" + std::to_string(size) + "_of_" + std::to_string(count)];
        PythonRandom random(42);
        check_items(random.sample(count, size), entry);
        check_items(random.choices(size, 16384), entry["then_choices_16384"]);
        check_items(random.choices(size, 16384), entry["again"]);
    }
    NumpyGenerator generator(42);
    for (const auto& expected :
         (*reference)["numpy_Generator"]["shuffles_of_one_stream_n_10_10_10_12000"]) {
        Items order =
            test::first_numbers(expected.is_array() ? 10 : expected["n"].get<std::size_t>());
        generator.shuffle(order);
        check_items(order, expected);
    }
}

TEST_CASE("items for few-shot training and folds are drawn as MTEB and scikit-learn draw them")
{
    const Items expected[] = {{0, 8, 9, 15, 17},
                              {1, 2, 5, 12, 13},
                              {3, 4, 11, 18, 20},
                              {7, 16, 21, 22},
                              {6, 10, 14, 19}}; // KFold(5), 23 items
    const std::vector<learn::Fold> folds = learn::shuffled_folds(23, 5, 42);
    REQUIRE(folds.size() == 5);
    for (std::size_t fold = 0; fold < 5; ++fold) {
        CHECK(folds[fold].test == expected[fold]);
        CHECK(folds[fold].train.size() + folds[fold].test.size() == 23);
    }

    // 60 labels; experiments 1 and 2 of numpy_RandomState.undersampling
    const Items cycle{0, 1, 0, 2, 1, 2, 2, 3, 2, 0, 3, 0};
    Items labels;
    for (std::size_t i = 0; i < 60; ++i)
        labels.push_back(cycle[i % 12]);
    Items order = test::first_numbers(60);
    CHECK(learn::draw_per_label(labels, 3, order, 42) ==
          Items{0, 5, 36, 45, 13, 54, 46, 31, 3, 52, 40, 43});
    CHECK(learn::draw_per_label(labels, 3, order, 42) ==
          Items{0, 54, 53, 39, 7, 55, 49, 31, 28, 35, 16, 45});

    const auto reference = test::reference_json("mteb_vectors.json");
    if (!reference)
        return;
    const auto& entry = (*reference)["numpy_RandomState"]["undersampling"];
    labels = entry["labels"].get<Items>();
    order = test::first_numbers(labels.size());
    for (const auto& drawn : entry["experiments"])
        CHECK(learn::draw_per_label(labels, 3, order, 42) == drawn.get<Items>());
}

TEST_CASE("items with several labels are drawn until each label has its number")
{
    // The order is 5 6 0 7 3 2 4 9 1 8, the first shuffle of default_rng(42).
    const std::vector<std::vector<learn::Label>> labels{{0}, {1},    {0, 2}, {},  {1},
                                                        {0}, {0, 1}, {0},    {2}, {2}};
    NumpyGenerator random(42);
    CHECK(learn::draw_per_label(labels, 2, random) == Items{5, 6, 2, 4, 9});
    CHECK(learn::draw_per_label(labels, 9, random).size() == 9); // all but the one without labels
}
