#include "tasks/readers/captions.hpp"

#include "tasks/readers/reading.hpp"
#include "text/unicode.hpp"

#include <algorithm>
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
        return ++count_ <= captions_per_image;
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
        if (count_ < captions_per_image)
            file_.fail("image {} has {} captions, and {} are needed", current_, count_,
                       captions_per_image);
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

CaptionedPart read_part(task::DataFolder& data,
                        const std::string& folder,
                        const std::string& file_part,
                        text::Arena& arena)
{
    const std::string images = images_file(folder, file_part);
    CaptionedPart part{{}, {data.path(images).string(), data.open(images)}};
    if (file_part != "train" && part.images.rows() < 5)
        throw core::Error("{}: {} images, and at least 5 are needed", data.path(images).string(),
                          part.images.rows());
    auto file = open_text(data, captions_file(folder, file_part), text::Encoding::utf8,
                          text::LineEnds::newlines);
    CaptionCounter counter(file, part.images.rows());
    while (file.next()) {
        const auto columns = file.columns(text::strip(file.line()), 2);
        if (counter.take(file.integer(columns[0], "number of an image")))
            part.captions.first.push_back(text::make_sentence(columns[1], arena));
    }
    counter.finish_all();
    if (data.limit() > 0) {
        part.images.keep_rows(data.limit());
        part.captions.first.resize(captions_per_image * part.images.rows());
    }
    sort_lexically(part.captions);
    return part;
}

} // namespace

std::vector<std::string> caption_files(const std::string& folder)
{
    std::vector<std::string> files;
    for (const char* part : {"train", "valid", "test"}) {
        files.push_back(images_file(folder, part));
        files.push_back(captions_file(folder, part));
    }
    return files;
}

CaptionData read_captions(task::DataFolder& data, const std::string& folder)
{
    text::Arena arena;
    CaptionedPart train = read_part(data, folder, "train", arena);
    CaptionedPart dev = read_part(data, folder, "valid", arena);
    CaptionedPart test = read_part(data, folder, "test", arena);
    CaptionData all{std::move(arena), std::move(train), std::move(dev), std::move(test), {}};
    for (const CaptionedPart* part : {&all.train, &all.dev, &all.test})
        all.samples.insert(all.samples.end(), part->captions.first.begin(),
                           part->captions.first.end());
    return all;
}

} // namespace senteval::tasks
