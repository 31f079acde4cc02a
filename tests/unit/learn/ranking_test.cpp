#include "learn/ranking.hpp"

#include "base/error.hpp"
#include "support/support.hpp"
#include "vectors.hpp"

using namespace senteval;
using learn::CaptionedImages;
using learn::RankingOptions;

namespace {

/// Images of twelve features, whose captions repeat eight of them with noise.
struct Album {
    Album(std::size_t count, std::uint32_t seed)
        : images(12, count), captions(arma::fmat(8, 5 * count))
    {
        test::Lcg random(seed);
        for (arma::uword i = 0; i < count; ++i) {
            for (arma::uword f = 0; f < 12; ++f)
                images(f, i) = static_cast<float>(random.next());
            for (arma::uword c = 5 * i; c < 5 * i + 5; ++c)
                for (arma::uword f = 0; f < 8; ++f)
                    captions.matrix(f, c) =
                        static_cast<float>(static_cast<double>(images(f, i)) + 0.6 * random.next());
        }
    }

    [[nodiscard]] CaptionedImages data() const { return {&images, captions.embeddings()}; }

    arma::fmat images;
    test::OwnColumns captions;
};

/// Rank, and recalls at 1, 5 and 10, are these.
void check(const learn::Recall& found, double median_rank, std::array<double, 3> recalls)
{
    CHECK(found.median_rank == doctest::Approx(median_rank));
    CHECK(found.r1 == doctest::Approx(recalls[0]));
    CHECK(found.r5 == doctest::Approx(recalls[1]));
    CHECK(found.r10 == doctest::Approx(recalls[2]));
}

RankingOptions small()
{
    RankingOptions options;
    options.projection = 16;
    options.fold_images = 10;
    return options;
}

learn::RecallBothWays recall_of(const arma::fmat& images, const arma::fmat& captions)
{
    std::vector<std::uint32_t> index(captions.n_cols);
    std::iota(index.begin(), index.end(), 0U);
    return learn::recall({&images, std::span(index).first(images.n_cols)}, {&captions, index});
}

} // namespace

TEST_CASE("captions are ranked as by the same model in torch")
{
    const Album train(60, 1);
    const Album dev(50, 2);
    const Album test(50, 3);
    auto options = small();
    const auto result = learn::rank_captions(train.data(), dev.data(), test.data(), options);
    // The original's network and loop written in torch 1.13, on the same data from the same seed.
    CHECK(result.devacc == doctest::Approx(451.6));
    CHECK(result.passes == 21);
    check(result.image_to_text, 3.4, {30, 62, 86});
    check(result.text_to_image, 1.8, {39.2, 88.4, 100});
    options.threads = 2;
    const auto again = learn::rank_captions(train.data(), dev.data(), test.data(), options);
    CHECK(again.devacc == result.devacc);
    CHECK(again.text_to_image.r5 == result.text_to_image.r5);
}

TEST_CASE("captions are normalised where they are read")
{
    const auto options = small();
    const Album plain[] = {Album(60, 1), Album(50, 2), Album(50, 3)};
    const embedding::Normaliser normaliser(embedding::Normalisation::z_l2,
                                           plain[0].captions.matrix);
    std::vector<CaptionedImages> views;
    for (const Album& album : plain) {
        views.push_back(album.data());
        views.back().normaliser = &normaliser;
    }
    Album by_hand[] = {plain[0], plain[1], plain[2]};
    for (Album& album : by_hand)
        normaliser.apply(album.captions.matrix);
    const auto found = learn::rank_captions(views[0], views[1], views[2], options);
    const auto expected =
        learn::rank_captions(by_hand[0].data(), by_hand[1].data(), by_hand[2].data(), options);
    CHECK(found.devacc == expected.devacc);
    CHECK(found.image_to_text.r5 == expected.image_to_text.r5);
    CHECK(found.text_to_image.r1 == expected.text_to_image.r1);
    CHECK(found.devacc !=
          learn::rank_captions(plain[0].data(), plain[1].data(), plain[2].data(), options).devacc);
}

TEST_CASE("recall counts the ranks of the matches")
{
    // Three images along the axes; all captions are on their image's axis but two.
    const arma::fmat images(3, 3, arma::fill::eye);
    arma::fmat captions(3, 15, arma::fill::zeros);
    for (arma::uword c = 0; c < 15; ++c)
        captions(c / 5, c) = 1;
    captions.col(0) = arma::fvec{0.6F, 0.8F, 0};  // nearer to image 1 than to its own
    captions.col(14) = arma::fvec{0.8F, 0.6F, 0}; // farthest from its own
    const auto both = recall_of(images, captions);
    CHECK(both.image_to_text.r1 == 100);
    CHECK(both.image_to_text.median_rank == 1);
    CHECK(both.text_to_image.r1 == doctest::Approx(100.0 * 13 / 15));
    CHECK(both.text_to_image.r5 == 100);
    CHECK(both.text_to_image.median_rank == 1);
}

TEST_CASE("equal scores rank in the middle, what is no number last")
{
    const arma::fmat images(3, 3, arma::fill::eye);
    const arma::fmat same(3, 15, arma::fill::ones);
    const auto constant = recall_of(images, same);
    // Five matches among fifteen equals: 10 / 6 others are before the best in the mean.
    CHECK(constant.image_to_text.r1 == 0);
    CHECK(constant.image_to_text.r5 == 100);
    CHECK(constant.image_to_text.median_rank == 2);
    CHECK(constant.text_to_image.r1 == 0);
    CHECK(constant.text_to_image.median_rank == 2);

    arma::fmat captions(3, 15, arma::fill::zeros);
    for (arma::uword c = 0; c < 15; ++c)
        captions(c / 5, c) = 1;
    captions.cols(0, 4).fill(std::numeric_limits<float>::quiet_NaN());
    const auto broken = recall_of(images, captions);
    CHECK(broken.image_to_text.r1 ==
          doctest::Approx(100.0 * 2 / 3)); // image 0: behind ten captions
    CHECK(broken.image_to_text.r10 == doctest::Approx(100.0 * 2 / 3));
    CHECK(broken.text_to_image.r1 == doctest::Approx(100.0 * 2 / 3));
}

TEST_CASE("an encoder that tells nothing apart retrieves as by chance")
{
    const Album train(60, 1);
    Album dev(255, 2);
    dev.captions.matrix.each_col() = arma::fvec(8, arma::fill::value(0.3F));
    auto options = small();
    options.fold_images = 51; // 255 captions: no whole number of a product's blocks
    const auto result = learn::rank_captions(train.data(), dev.data(), dev.data(), options);
    check(result.image_to_text, 42, {0, 0, 0}); // 250 / 6 others are before the best
    check(result.text_to_image, 26, {100.0 / 51, 500.0 / 51, 1000.0 / 51});
}

TEST_CASE("a small part is scored whole, in fifths of its own images")
{
    const Album train(60, 1);
    const auto ranked = [&](std::size_t dev, std::size_t test) {
        RankingOptions options = small();
        options.fold_images = 20;
        const Album other(dev, 2);
        const Album asked(test, 3);
        return learn::rank_captions(train.data(), other.data(), asked.data(), options);
    };
    const auto found = ranked(10, 63);
    CHECK(found.image_ranks.size() == 60); // three are left of five parts of 12
    CHECK(found.caption_ranks.size() == 300);
    CHECK(*std::max_element(found.caption_ranks.begin(), found.caption_ranks.end()) <= 12);
    CHECK(ranked(63, 10).image_ranks.size() == 10);
    CHECK(ranked(10, 200).image_ranks.size() == 100);
}

TEST_CASE("albums that do not fit are refused")
{
    const Album train(60, 1);
    const Album dev(50, 2);
    const auto options = small();
    const Album few(4, 2);
    const auto rank = [&](const CaptionedImages& learned, const CaptionedImages& chosen_on,
                          const CaptionedImages& tested) {
        return learn::rank_captions(learned, chosen_on, tested, options);
    };
    CHECK_ERROR(base::Error, "dev part has 4 images", rank(train.data(), few.data(), dev.data()));
    CHECK_THROWS_AS(rank(Album(20, 1).data(), dev.data(), dev.data()), base::Error);
    CaptionedImages broken = dev.data();
    broken.captions.columns = broken.captions.columns.first(249);
    CHECK_THROWS_AS(rank(train.data(), dev.data(), broken), base::Error);
    Album narrow(50, 2);
    narrow.images.shed_row(0);
    CHECK_THROWS_AS(rank(train.data(), dev.data(), narrow.data()), base::Error);
    Album bad(50, 2);
    bad.images(3, 3) = std::numeric_limits<float>::quiet_NaN();
    CHECK_THROWS_AS(rank(train.data(), bad.data(), dev.data()), base::Error);
}

TEST_CASE("a stop ends the ranking")
{
    const Album album(60, 1);
    std::stop_source source;
    auto options = small();
    options.stop = source.get_token();
    options.progress = [&](std::size_t, std::size_t) { source.request_stop(); };
    CHECK_THROWS_AS(learn::rank_captions(album.data(), album.data(), album.data(), options),
                    base::Cancelled);
}
