#include "support/evaluate.hpp"
#include "support/reading.hpp"
#include "support/support.hpp"
#include "tasks/dataset_task.hpp"
#include "tasks/protocols/retrieval.hpp"

using namespace senteval;

namespace {

/// An array file of version 1, its header padded to 128 bytes as NumPy does.
std::string npy(const std::string& description, const std::vector<float>& values)
{
    std::string header = description;
    header.resize(117, ' ');
    header += '\n';
    std::string bytes("\x93NUMPY\x01\x00\x76\x00", 10);
    bytes += header;
    const std::size_t at = bytes.size();
    bytes.resize(at + values.size() * sizeof(float));
    if (!values.empty())
        std::memcpy(bytes.data() + at, values.data(), values.size() * sizeof(float));
    return bytes;
}

std::string array(std::size_t rows, std::size_t columns, std::vector<float> values = {})
{
    values.resize(rows * columns, 1.0F);
    return npy(fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}, {}), }}", rows,
                           columns),
               values);
}

std::string captions(std::size_t images, std::size_t each = 5)
{
    std::string lines;
    for (std::size_t image = 0; image < images; ++image)
        for (std::size_t i = 0; i < each; ++i)
            lines += fmt::format("{}\tz{} word .\n", image, each - i);
    return lines;
}

void write(const test::ScratchFolder& scratch,
           const std::string& train_images,
           const std::string& train_captions)
{
    scratch.write("train.images.npy", train_images);
    scratch.write("train.captions.tsv", train_captions);
    for (const std::string part : {"valid", "test"}) {
        scratch.write(part + ".images.npy", array(5, 2));
        scratch.write(part + ".captions.tsv", captions(5));
    }
}

} // namespace

TEST_CASE("an array is mapped, its rows as columns")
{
    const test::ScratchFolder scratch;
    const auto path = scratch.write("a.npy", array(2, 3, {1, 2, 3, 4, 5, 6}));
    const tasks::NpyMatrix images("a.npy", base::MappedFile(path));
    CHECK(images.rows() == 2);
    CHECK(images.columns() == 3);
    const arma::fmat matrix = images.matrix();
    CHECK(matrix(0, 1) == 4.0F);
    CHECK(matrix(2, 0) == 3.0F);
}

TEST_CASE("what is not such an array is refused")
{
    const test::ScratchFolder scratch;
    for (const auto& [bytes, named] : std::vector<std::pair<std::string, std::string>>{
             {"", "a.npy: is no file of numpy.save()"},
             {array(2, 3).substr(0, 140), "truncated"},
             {npy("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 1), }", {1, 2}),
              "a.npy: expected a two-dimensional array"},
             {array(2, 1, {1, std::numeric_limits<float>::quiet_NaN()}), "a.npy: row 1"}}) {
        const auto path = scratch.write("a.npy", bytes);
        CHECK_ERROR(base::Error, named, tasks::NpyMatrix("a.npy", base::MappedFile(path)));
    }
}

TEST_CASE("the first five captions of each image are kept, and evaluated in lexical order")
{
    const test::ScratchFolder scratch;
    write(scratch, array(2, 3), captions(2, 6));
    task::DataFolder data(scratch.path());
    const tasks::Dataset all = tasks::caption_source(".").read(data);
    const tasks::Part& train = all.part("train");
    REQUIRE(train.size() == 10);
    CHECK(train.first[4].text == "z2 word .");
    CHECK(train.first[5].text == "z6 word .");
    CHECK(train.order == std::vector<std::uint32_t>{4, 9, 3, 8, 2, 7, 1, 6, 0, 5});
    CHECK(all.samples.size() == 60);
    CHECK(data.fingerprints().size() == 6);
}

TEST_CASE("captions that do not fit their images are refused")
{
    const test::ScratchFolder scratch;
    const auto refuse = [&](const std::string& of, const std::string& images,
                            const std::string& lines) {
        write(scratch, images, lines);
        CHECK_ERROR(base::Error, "train.captions.tsv" + of,
                    test::read(tasks::caption_source("."), scratch));
    };
    refuse(":5: image 0 has 4 captions", array(2, 3), captions(2, 4));
    refuse(":11: captions end with image 1, but there are 3 images", array(3, 3), captions(2));
    refuse(":11: there is no image 2: the images are 0 to 1", array(2, 3), captions(3));
    refuse(":6: captions of image 1 are expected", array(3, 3), captions(1) + "2\tx\n");
}

TEST_CASE("the original's pickles are converted")
{
    const test::ScratchFolder scratch;
    const std::string write_pickles =
        "import numpy, pickle\n"
        "for part in ('train', 'valid', 'test'):\n"
        "    images = {i: [10 * i + k for k in range(6)] for i in range(5)}\n"
        "    captions = {k: {'cleaned_caption': 'a  cat %d' % k} for v in images.values() for k in "
        "v}\n"
        "    features = [numpy.full(3, i, dtype='float64') for i in range(5)]\n"
        "    with open(part + '.pkl', 'wb') as f:\n"
        "        pickle.dump({'features': features, 'image_to_caption_ids': images,\n"
        "                     'captions': captions}, f)\n";
    scratch.write("write.py", write_pickles);
    if (test::shell("cd " + test::quoted(scratch.path()) + " && python3 write.py").exit_code != 0) {
        MESSAGE("skipped: needs Python with NumPy");
        return;
    }
    const auto converter = test::source_dir() / "samples" / "convert_coco.py";
    const test::Run run =
        test::shell(0, "python3 " + test::quoted(converter) + " " + test::quoted(scratch.path()) +
                           " " + test::quoted(scratch / "out"));
    CHECK(test::contains(run.out, "test: 5 images, 25 captions"));
    task::DataFolder data(scratch.path());
    const tasks::Dataset all = tasks::caption_source("out").read(data);
    CHECK(all.part("test").first[6].text == "a cat 11 .");
    CHECK(all.part("test").images->matrix()(2, 4) == 4.0F);
}

TEST_CASE("images and captions are ranked both ways")
{
    const test::ScratchFolder scratch;
    // five tested images, so that each of the five parts is one image, which is always found
    write(scratch, array(30, 2), captions(30));
    const auto task = tasks::make_task("Example", {"retrieval"}, tasks::caption_source("."),
                                       tasks::retrieval_protocol(), "image_to_text.r1");
    const task::Result result = test::evaluate(*task, scratch.path());
    const auto& metrics = result.metrics;
    CHECK(metrics["devacc"] == 600.0);
    CHECK(metrics["acc"] == base::Json::parse("[[100.0,100.0,100.0,1.0],[100.0,100.0,100.0,1.0]]"));
    CHECK(metrics["image_to_text"]["r1"] == 100.0);
    CHECK(metrics["text_to_image"]["median_rank"] == 1.0);
    CHECK(metrics["ndev"] == 25);
    CHECK(metrics["ntest"] == 25);
    CHECK(result.details["passes"] > 0);
    CHECK(result.details["ranked"] == 25);
    CHECK(result.outcomes.kind == "rank");
    REQUIRE(result.outcomes.rows.size() == 30); // five images and their captions
    CHECK(result.outcomes.groups.at(result.outcomes.rows[1].group) == "image_to_text 2");
    CHECK(result.outcomes.rows[1].item == 5); // the first caption of the second image
    CHECK(result.outcomes.groups.at(result.outcomes.rows[29].group) == "text_to_image 5");
    CHECK(result.outcomes.rows[29].item == 24);
    CHECK(result.outcomes.rows[29].prediction == 1.0);
    CHECK(task->protocol_settings({})["seed"] == 1111);
}
