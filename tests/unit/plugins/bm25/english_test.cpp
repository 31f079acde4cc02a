#include "bm25/stemmers.hpp"

#include "support/support.hpp"
#include "text/text_file.hpp"

using namespace senteval;
using bm25::Edition;
using bm25::english_stem;

namespace {

using Expected = std::vector<std::pair<std::string, std::string>>;

void check_stems(const Expected& expected, Edition edition)
{
    for (const auto& [word, stem] : expected) {
        const std::string& of = word; // some compilers capture no structured binding
        CAPTURE(of);
        CHECK(english_stem(word, edition) == stem);
    }
}

} // namespace

TEST_CASE("stems of both editions of Snowball, for the words of six collections")
{
    const auto file = test::shared_or_skip("reference/retrieval/bm25/stems.tsv.gz");
    if (!file)
        return;
    text::TextFile table(file->string(), base::MappedFile(*file), text::Encoding::utf8,
                         text::LineEnds::newlines, nullptr, true);
    std::vector<std::string> wrong;
    std::size_t words = 0;
    for (; table.next(); ++words) {
        const auto columns = table.columns(table.line(), 3);
        const std::string word(columns[0]);
        if (english_stem(word, Edition::snowball_3) != columns[1] ||
            english_stem(word, Edition::snowball_2_2) != columns[2])
            wrong.push_back(word);
    }
    CHECK(words == 31872);
    CHECK(wrong == std::vector<std::string>{});
}

TEST_CASE("every step of the stemmer")
{
    const Expected of_both = {
        {"", ""},
        {"a", "a"},
        {"is", "is"},
        {"caresses", "caress"},
        {"ties", "tie"},
        {"flies", "fli"},
        {"gas", "gas"},
        {"gaps", "gap"},
        {"bus", "bus"},
        {"bass", "bass"},
        {"agreed", "agre"},
        {"feed", "feed"},
        {"hoped", "hope"},
        {"hopping", "hop"},
        {"falling", "fall"},
        {"conflated", "conflat"},
        {"sing", "sing"},
        {"fitting", "fit"},
        {"cry", "cri"},
        {"by", "by"},
        {"say", "say"},
        {"yes", "yes"},
        {"youthful", "youth"},
        {"saying", "say"},
        {"relational", "relat"},
        {"conditional", "condit"},
        {"apologi", "apolog"},
        {"quickli", "quick"},
        {"formative", "format"},
        {"derivative", "deriv"},
        {"adoption", "adopt"},
        {"opinion", "opinion"},
        {"replacement", "replac"},
        {"controlled", "control"},
        {"cease", "ceas"},
        {"rate", "rate"},
        {"generously", "generous"},
        {"arsenal", "arsenal"},
        {"communities", "communiti"},
        {"skies", "sky"},
        {"news", "news"},
        {"succeeds", "succeed"},
        {"outing", "outing"},
        {"dying", "die"},
        {"caf\u00e9s", "caf\u00e9"},
        {"na\u00efvely", "na\u00efv"},
        {"\u00e9ied", "\u00e9ie"},
        {"\u0435\u0449\u0451ness", "\u0435\u0449\u0451ness"},
        {"stra\u00dfes", "stra\u00dfe"},
    };
    check_stems(of_both, Edition::snowball_3);
    check_stems(of_both, Edition::snowball_2_2);
}

TEST_CASE("the editions differ where Snowball 3 keeps words apart")
{
    check_stems({{"university", "univers"},
                 {"organization", "organ"},
                 {"internal", "intern"},
                 {"biologist", "biologist"},
                 {"added", "ad"},
                 {"evening", "even"},
                 {"vying", "vy"},
                 {"dyings", "dy"},
                 {"exceedly", "exce"},
                 {"pasted", "past"}},
                Edition::snowball_2_2);
    check_stems({{"university", "universiti"},
                 {"organization", "organiz"},
                 {"internal", "internal"},
                 {"biologist", "biolog"},
                 {"added", "add"},
                 {"evening", "evening"},
                 {"vying", "vie"},
                 {"dyings", "die"},
                 {"exceedly", "exceed"},
                 {"pasted", "paste"}},
                Edition::snowball_3);
}
