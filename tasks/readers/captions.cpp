#include "base/error.hpp"
#include "base/unicode.hpp"
#include "learn/ranking.hpp"
#include "tasks/readers/npy.hpp"
#include "tasks/readers/readers.hpp"
#include "tasks/readers/reading.hpp"
#include "word_vectors/npy.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <utility>

namespace senteval::tasks {
namespace {

std::string images_file(const std::string& folder, const std::string& part)
{
    return folder + "/" + part + ".images.npy";
}

std::string captions_file(const std::string& folder, const std::string& part)
{
    return folder + "/" + part + ".captions.tsv";
}

/// Counts the captions of the images as they come.
class CaptionCounter {
public:
    CaptionCounter(const text::TextFile& file, std::size_t images) : file_(file), images_(images) {}

    /// Whether a caption of `image` is one of the image's first five.
    bool take(int image)
    {
        if (image < 0 || static_cast<std::size_t>(image) >= images_)
            file_.fail("there is no image {}: the images are 0 to {}", image, images_ - 1);
        if (static_cast<std::size_t>(image) != current_) {
            finish();
            ++current_;
            count_ = 0;
            if (static_cast<std::size_t>(image) != current_)
                file_.fail("captions of image {} are expected here, not of image {}", current_,
                           image);
        }
        return ++count_ <= learn::captions_per_image;
    }

    /// The file has ended.
    void finish_all() const
    {
        finish();
        if (current_ + 1 != images_)
            file_.fail("captions end with image {}, but there are {} images", current_, images_);
    }

private:
    void finish() const
    {
        if (count_ < learn::captions_per_image)
            file_.fail("image {} has {} captions, and {} are needed", current_, count_,
                       learn::captions_per_image);
    }

    const text::TextFile& file_;
    std::size_t images_;
    std::size_t current_ = 0;
    std::size_t count_ = 0;
};

Part read_part(task::DataFolder& data,
               const std::string& folder,
               const PartFile& source,
               text::Arena& arena)
{
    const std::string file_of_images = images_file(folder, source.file);
    NpyMatrix images(data.path(file_of_images).string(), data.open(file_of_images));
    if (source.part != "train" && images.rows() < 5)
        throw base::Error("{}: {} images, and at least 5 are needed",
                          data.path(file_of_images).string(), images.rows());
    auto file = open_text(data, captions_file(folder, source.file));
    Part part(source.part, source.part == "test");
    CaptionCounter counter(file, images.rows());
    while (file.next()) {
        const auto columns = file.columns(base::strip(file.line()), 2);
        if (counter.take(file.integer(columns[0], "number of an image")))
            part.first.push_back(text::make_sentence(columns[1], arena));
    }
    counter.finish_all();
    if (data.limit() > 0) {
        images.keep_rows(data.limit());
        part.first.resize(learn::captions_per_image * images.rows());
    }
    part.images = std::make_shared<const NpyMatrix>(std::move(images));
    order_by(part, [&](std::uint32_t caption) { return part.first[caption].text; });
    return part;
}

} // namespace

Source caption_source(const std::string& folder)
{
    const std::vector<PartFile> parts = {{"train", "train"}, {"dev", "valid"}, {"test", "test"}};
    std::vector<std::string> files;
    for (const PartFile& part : parts)
        files.insert(files.end(),
                     {images_file(folder, part.file), captions_file(folder, part.file)});
    return make_source(files, [folder, parts](task::DataFolder& data, Dataset& dataset) {
        for (const PartFile& part : parts) {
            dataset.parts.push_back(read_part(data, folder, part, dataset.arena));
            add_samples(dataset, dataset.parts.back());
        }
    });
}

namespace {

word_vectors::NpyArray open_array(const std::string& name, const base::MappedFile& file)
try {
    return word_vectors::NpyArray(file.bytes());
} catch (const std::invalid_argument& error) {
    throw base::Error("{}: {}", name, error.what());
}

} // namespace

NpyMatrix::NpyMatrix(const std::string& name, base::MappedFile file) : file_(std::move(file))
{
    const word_vectors::NpyArray array = open_array(name, file_);
    values_ = array.floats();
    rows_ = array.rows();
    columns_ = array.columns();
    if (values_ == nullptr || rows_ == 0)
        throw base::Error("{}: expected a two-dimensional array of 32-bit floats in C order, not "
                          "empty, as numpy.save(file, array.astype('float32')) writes it",
                          name);
    const float* const end = values_ + rows_ * columns_;
    const float* const bad = std::find_if(values_, end, [](float v) { return !std::isfinite(v); });
    if (bad != end)
        throw base::Error("{}: row {} (from 0) holds a value that is not finite", name,
                          static_cast<std::size_t>(bad - values_) / columns_);
}

arma::fmat NpyMatrix::matrix() const
{
    // Armadillo has no view of constant memory: strict, without a copy, and never written to.
    return {const_cast<float*>(values_), columns_, rows_, false, true};
}

} // namespace senteval::tasks
