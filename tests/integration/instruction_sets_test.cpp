// The same bytes from every instruction set.
#include "base/files.hpp"
#include "learn/kernels.hpp"
#include "program/program.hpp"
#include "support/support.hpp"

using namespace senteval;
using namespace senteval::test;
using base::Json;

namespace {

/// A run of the encoders and protocols that are not BLAS's: their store, without what may differ.
std::map<std::string, std::string>
store_of(const std::string& kernels, const std::filesystem::path& store, const std::string& before)
{
    const std::string vectors = quoted(samples / "vectors/sample.50d.txt");
    CAPTURE(kernels);
    const Run run = shell(
        0, before + program + " run -q" + glove_option +
               " --set sif=" + quoted(samples / "vectors/sample_counts.txt") + glove_option +
               " --label pmeans --set pooling=pmeans --encoder paragram --set vectors=" + vectors +
               " --encoder fasttext --set model=" + vectors +
               " --encoder onehot --tasks STS12,MR,TREC,SICKRelatedness --equal-dimension 20"
               " --classifier softmax,mlp --nhid 5 --dropout 0.1 --kfold 3 --max-epoch 8" +
               data_option + " --kernels " + kernels + into(store));
    for (const auto& entry : std::filesystem::recursive_directory_iterator(store))
        if (entry.path().extension() == ".json")
            CHECK(Json::parse(base::read_file(entry.path())).at("run").at("kernels") == kernels);
    return store_content(store);
}

} // namespace

TEST_CASE("the bytes of documents and items do not depend on the instruction set")
{
    const ScratchFolder folder;
    // As on a processor of 2004: libm does without the newer instructions, too.
    const auto portable =
        store_of("portable", folder / "portable",
                 "GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX512F,-AVX2,-AVX,-FMA,-FMA4,-SSE4_2,-SSE4_1 ");
    CHECK(portable.size() > 50);
    for (const learn::Kernels* kernels : learn::available_kernels())
        if (kernels != &learn::kernels_portable)
            CHECK(store_of(kernels->name, folder / kernels->name, "") == portable);
}
