#include "base/error.hpp"
#include "data/characters.hpp"
#include "data/moses_tokeniser.hpp"
#include "support/support.hpp"

using namespace senteval;
using data::tokenise_moses;

TEST_CASE("the Moses rules space out and split, or keep together")
{
    const std::vector<std::pair<const char*, const char*>> lines = {
        // space out symbols but keep hyphens and escape nothing
        {"a well-known (old) fox & \"hen\" | <b>", "a well-known ( old ) fox & \" hen \" | < b >"},
        {"  50%\tof  it! ", "50 % of it !"},
        // split commas except between numbers
        {"a,b 1,000 1,b a,1 5,", "a , b 1,000 1 , b a , 1 5 ,"},
        {",x,,y", ", x , , y"},
        // lean contractions to the left
        {"it's don't the 1990's dogs' 'quoted' word",
         "it 's don 't the 1990 's dogs ' ' quoted ' word"},
        {"rock'n'roll", "rock 'n'roll"},
        // an apostrophe at either end of a line has no neighbour and stays
        {"'So it was'", "'So it was'"},
        // keep ellipses together
        {"wait...what....", "wait ... what ...."},
        {"one.. two", "one .. two"},
        // keep the period of abbreviations
        {"Dr. Oak met J. Elm vs. Co. Ash.", "Dr. Oak met J. Elm vs. Co . Ash ."},
        {"in the U.S. Senate etc. and so on.", "in the U.S. Senate etc. and so on ."},
        {"No. 5 but No. Never. Yes.", "No. 5 but No . Never . Yes ."},
        // know letters and numbers of all scripts
        {"caf\u00e9's na\u00efve\u2014\u00fcber", "caf\u00e9 's na\u00efve \u2014 \u00fcber"},
        {"\u0663,\u0664 x\u00b2,y", "\u0663,\u0664 x \u00b2 , y"},
        {"a\u00a0b\u2003c", "a b c"},
        {"St. \u00e9toile", "St. \u00e9toile"},
        {"rue. \u00e9toile", "rue. \u00e9toile"}, // lower case follows
        // abbreviations are found in their own case, initials without a list
        {"Mrs. Q. Ann", "Mrs. Q. Ann"},
        {"mrs. Ann", "mrs . Ann"},
        {"pp. 5", "pp. 5"},
        {"pp. Ann", "pp . Ann"},
        {"Sept. Ann", "Sept . Ann"},
    };
    for (const auto& [line, tokens] : lines)
        CHECK(tokenise_moses(line) == tokens);
}

TEST_CASE("the period of the last word is split, or treated like any other")
{
    CHECK(tokenise_moses("made in the U.S.") == "made in the U.S .");
    CHECK(tokenise_moses("made in the U.S.", data::LastWord::like_others) == "made in the U.S.");
    CHECK(tokenise_moses("made at home.", data::LastWord::like_others) == "made at home .");
    CHECK(tokenise_moses("he said 'go.'") == "he said ' go . ' ");
}

TEST_CASE("blank lines pass, control characters go, and what is not UTF-8 is refused")
{
    CHECK(tokenise_moses("").empty());
    CHECK(tokenise_moses(" \t ") == " \t ");
    CHECK(tokenise_moses("a\x01"
                         "b") == "ab");
    CHECK_ERROR(base::Error, "byte 4 of the line", tokenise_moses("caf\xE9"));
}

TEST_CASE("lower case is by character")
{
    CHECK(data::lower_case("\u00c9cole \u03a3\u03a3 OK 5") == "\u00e9cole \u03c3\u03c3 ok 5");
    CHECK(data::lower_case("\u0130x") == "i\u0307x");
}

TEST_CASE("texts that look alike are folded to the same")
{
    CHECK(data::case_folded("Stra\u00dfe") == data::case_folded("STRASSE"));
    CHECK(data::case_folded("cafe\u0301") == data::case_folded("CAF\u00c9"));
    CHECK(data::case_folded("\uff21\u200bb\ufeff") == "ab"); // wide, and unseen
    CHECK(data::case_folded("\ufdfa").size() > 3);           // one character becomes many
    CHECK(data::case_folded("ab") != data::case_folded("a b"));
    CHECK(data::case_folded("").empty());
    CHECK_THROWS_AS((void)data::case_folded("a\xff"), base::Error);
}
