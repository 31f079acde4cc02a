#include "model_files/safetensors.hpp"

#include "support/model_folder.hpp"
#include "support/support.hpp"

using namespace senteval;
using model_files::Tensors;
using test::bytes_of;
using test::f32;
using test::safetensors;
using test::ScratchFolder;

namespace {

std::string weights_refusal(const ScratchFolder& scratch)
{
    return test::error_of<sdk::Error>([&] { return Tensors::of_folder(scratch.path()); });
}

std::string weights_refusal_of(const std::string& bytes)
{
    const ScratchFolder scratch;
    scratch.write("model.safetensors", bytes);
    return weights_refusal(scratch);
}

std::string entry(const std::string& type, const std::string& shape, const std::string& offsets)
{
    return R"({"dtype": ")" + type + R"(", "shape": )" + shape + R"(, "data_offsets": )" + offsets +
           "}";
}

} // namespace

TEST_CASE("tensors of every type become float32")
{
    const ScratchFolder scratch;
    const std::vector<std::uint16_t> halves = {0x3C00, 0xC000, 0x0001, 0x7BFF, 0x7C00, 0x8000};
    const std::vector<std::uint16_t> brains = {0x3F80, 0xC040, 0x0001};
    scratch.write(
        "model.safetensors",
        safetensors({{"odd",
                      "I8",
                      {3},
                      bytes_of<std::int8_t>({-128, 0, 127})}, // what follows is not aligned
                     f32("single", {2, 2}, {1, -2, 0.5, 3}),
                     {"half", "F16", {6}, bytes_of(halves)},
                     {"brain", "BF16", {3}, bytes_of(brains)},
                     {"double", "F64", {1}, bytes_of<double>({0.1})},
                     {"scalar", "I64", {}, bytes_of<std::int64_t>({-5})},
                     {"index", "I32", {2}, bytes_of<std::int32_t>({7, -1})},
                     {"flags", "BOOL", {2}, "\x01" + std::string(1, '\0')},
                     {"eight", "F8_E4M3", {2}, "ab"}}));
    const Tensors tensors = Tensors::of_folder(scratch.path());
    CHECK(tensors.require("single").floats() == std::vector<float>{1, -2, 0.5, 3});
    CHECK(
        tensors.require("half").floats() ==
        std::vector<float>{1, -2, 0x1p-24F, 65504, std::numeric_limits<float>::infinity(), -0.0F});
    CHECK(tensors.require("brain").floats() == std::vector<float>{1, -3, 0x1p-133F});
    CHECK(tensors.require("double").floats() == std::vector<float>{0.1F});
    CHECK(tensors.require("odd").floats() == std::vector<float>{-128, 0, 127});
    CHECK(tensors.require("scalar").integers() == std::vector<std::int64_t>{-5});
    CHECK(tensors.require("index").integers() == std::vector<std::int64_t>{7, -1});
    std::vector<float> two(2);
    tensors.require("single").read(2, two);
    CHECK(two == std::vector<float>{0.5, 3});
    CHECK(tensors.find("absent") == nullptr);
    CHECK_THROWS_AS(std::ignore = tensors.require("absent"), sdk::Error);
    CHECK_THROWS_AS(std::ignore = tensors.require("eight").floats(),
                    sdk::Error); // known of name, not of type
    CHECK_THROWS_AS(std::ignore = tensors.require("flags").floats(), sdk::Error);
    CHECK_THROWS_AS(std::ignore = tensors.require("single").integers(), sdk::Error);
    CHECK_THROWS_AS(tensors.require("single").require_shape({4}), sdk::Error);
    tensors.require("single").require_shape({2, 2});
    tensors.require("single").release();
    CHECK(tensors.require("single").floats()[3] == 3);
}

TEST_CASE("a model of several files is one")
{
    const ScratchFolder scratch;
    scratch.write("a.safetensors", safetensors({f32("x", {1}, {1})}));
    scratch.write("b.safetensors", safetensors({f32("y", {1}, {2}), f32("z", {1}, {3})}));
    scratch.write(
        "model.safetensors.index.json",
        R"({"weight_map": {"x": "a.safetensors", "y": "b.safetensors", "z": "b.safetensors"}})");
    const Tensors tensors = Tensors::of_folder(scratch.path());
    CHECK(tensors.require("z").floats() == std::vector<float>{3});
    CHECK(tensors.require("x").floats() == std::vector<float>{1});

    scratch.write("b.safetensors", safetensors({f32("x", {1}, {2})}));
    CHECK(test::contains(weights_refusal(scratch), "'x'"));
    scratch.write("model.safetensors.index.json", R"({"weight_map": {"x": "c.safetensors"}})");
    CHECK(test::contains(weights_refusal(scratch), "c.safetensors"));
    scratch.write("model.safetensors.index.json", R"({"weight_map": {}})");
    CHECK(test::contains(weights_refusal(scratch), "index.json"));
    scratch.write("model.safetensors.index.json", "[]");
    CHECK(test::contains(weights_refusal(scratch), "index.json"));
}

TEST_CASE("damaged weights are refused by the name of file and tensor")
{
    const std::string whole = safetensors({f32("first", {2}, {1, 2}), f32("second", {1}, {3})});
    for (std::size_t size = 0; size < whole.size(); ++size)
        CHECK(test::contains(weights_refusal_of(whole.substr(0, size)), "model.safetensors"));
    CHECK(test::contains(weights_refusal_of(whole.substr(0, whole.size() - 1)), "'second'"));
    CHECK_FALSE(weights_refusal_of(whole + "x").empty());
    CHECK(test::contains(
        weights_refusal_of("version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 9\n"),
        "git lfs"));
    CHECK_FALSE(weights_refusal_of(bytes_of<std::uint64_t>({~0ULL})).empty());
    CHECK_FALSE(weights_refusal_of(test::with_header("[]", "")).empty());
    CHECK_FALSE(weights_refusal_of(test::with_header("{}", "x")).empty());

    const auto two = [](const std::string& a, const std::string& b) {
        return weights_refusal_of(
            test::with_header("{\"a\": " + a + ", \"b\": " + b + "}", std::string(8, '\0')));
    };
    const std::string good = entry("F32", "[1]", "[0, 4]");
    CHECK(two(good, entry("F32", "[1]", "[4, 8]")).empty());
    CHECK_FALSE(two(good, entry("F32", "[2]", "[0, 8]")).empty());           // overlap
    CHECK_FALSE(two(good, entry("F16", "[1]", "[6, 8]")).empty());           // a gap
    CHECK(test::contains(two(good, entry("F32", "[2]", "[4, 8]")), "'b'"));  // of another size
    CHECK(test::contains(two(good, entry("F32", "[1]", "[8, 4]")), "'b'"));  // backwards
    CHECK(test::contains(two(good, entry("F32", "[1]", "[4, 12]")), "'b'")); // behind the end
    CHECK(test::contains(two(good, entry("F32", "[-1]", "[4, 8]")), "'b'")); // negative
    CHECK(test::contains(two(good, entry("F32", "[4294967296, 4294967296, 4]", "[4, 8]")),
                         "'b'")); // overflow
    CHECK_FALSE(two(good, entry("F32", "[1]", "[4]")).empty());
    CHECK_FALSE(two(good, R"({"dtype": 4, "shape": [1], "data_offsets": [4, 8]})").empty());
}

TEST_CASE("a folder without safetensors says what to do")
{
    const ScratchFolder scratch;
    CHECK(test::contains(weights_refusal(scratch), "model.safetensors"));
    scratch.write("onnx/model.onnx", "");
    CHECK(test::contains(weights_refusal(scratch), "onnx/model.onnx"));
    scratch.write("pytorch_model-00002-of-00002.bin", "PK");
    scratch.write("pytorch_model-00001-of-00002.bin", "PK");
    CHECK(test::contains(weights_refusal(scratch),
                         {"pytorch_model-00001-of-00002.bin", "python3 -c"}));
    scratch.write("pytorch_model.bin", "PK");
    CHECK(test::contains(weights_refusal(scratch), "python3 -c"));
}
