#include "learn/ranking.hpp"
#include "tasks/readers/readers.hpp"
#include "tasks/readers/reading.hpp"
#include "text/unicode.hpp"

#include <algorithm>
#include <memory>
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

void sort_lexically(Part& part)
{
    keep_order(part);
    std::stable_sort(part.order.begin(), part.order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return part.first[a].text < part.first[b].text;
    });
}

Part read_part(task::DataFolder& data,
               const std::string& folder,
               const PartFile& source,
               text::Arena& arena)
{
    const std::string file_of_images = images_file(folder, source.file);
    NpyMatrix images(data.path(file_of_images).string(), data.open(file_of_images));
    if (source.part != "train" && images.rows() < 5)
        throw core::Error("{}: {} images, and at least 5 are needed",
                          data.path(file_of_images).string(), images.rows());
    auto file = open_text(data, captions_file(folder, source.file), text::Encoding::utf8,
                          text::LineEnds::newlines);
    Part part;
    part.name = source.part;
    part.tested = source.part == "test";
    CaptionCounter counter(file, images.rows());
    while (file.next()) {
        const auto columns = file.columns(text::strip(file.line()), 2);
        if (counter.take(file.integer(columns[0], "number of an image")))
            part.first.push_back(text::make_sentence(columns[1], arena));
    }
    counter.finish_all();
    if (data.limit() > 0) {
        images.keep_rows(data.limit());
        part.first.resize(learn::captions_per_image * images.rows());
    }
    part.images = std::make_shared<const NpyMatrix>(std::move(images));
    sort_lexically(part);
    return part;
}

} // namespace

Source caption_source(const std::string& folder)
{
    const std::vector<PartFile> parts = {{"train", "train"}, {"dev", "valid"}, {"test", "test"}};
    Source source;
    for (const PartFile& part : parts)
        source.files.insert(source.files.end(),
                            {images_file(folder, part.file), captions_file(folder, part.file)});
    source.read = [folder, parts](task::DataFolder& data) {
        Dataset dataset;
        for (const PartFile& part : parts) {
            dataset.parts.push_back(read_part(data, folder, part, dataset.arena));
            add_samples(dataset, dataset.parts.back());
        }
        return dataset;
    };
    return source;
}

} // namespace senteval::tasks
