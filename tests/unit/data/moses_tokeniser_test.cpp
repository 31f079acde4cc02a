#include "base/error.hpp"
#include "data/characters.hpp"
#include "data/moses_tokeniser.hpp"
#include "support/support.hpp"

using namespace senteval;
using data::tokenise_moses;

TEST_CASE("the Moses rules space out symbols but keep hyphens and escape nothing")
{
    CHECK(tokenise_moses("a well-known (old) fox & \"hen\" | <b>") ==
          "a well-known ( old ) fox & \" hen \" | < b >");
    CHECK(tokenise_moses("  50%\tof  it! ") == "50 % of it !");
}

TEST_CASE("the Moses rules split commas except between numbers")
{
    CHECK(tokenise_moses("a,b 1,000 1,b a,1 5,") == "a , b 1,000 1 , b a , 1 5 ,");
    CHECK(tokenise_moses(",x,,y") == ", x , , y");
}

TEST_CASE("the Moses rules lean contractions to the left")
{
    CHECK(tokenise_moses("it's don't the 1990's dogs' 'quoted' word") ==
          "it 's don 't the 1990 's dogs ' ' quoted ' word");
    CHECK(tokenise_moses("rock'n'roll") == "rock 'n'roll");
}

TEST_CASE("an apostrophe at either end of a line has no neighbour and stays")
{
    CHECK(tokenise_moses("'So it was'") == "'So it was'");
}

TEST_CASE("the Moses rules keep ellipses together")
{
    CHECK(tokenise_moses("wait...what....") == "wait ... what ....");
    CHECK(tokenise_moses("one.. two") == "one .. two");
}

TEST_CASE("the Moses rules keep the period of abbreviations")
{
    CHECK(tokenise_moses("Dr. Oak met J. Elm vs. Co. Ash.") == "Dr. Oak met J. Elm vs. Co . Ash .");
    CHECK(tokenise_moses("in the U.S. Senate etc. and so on.") ==
          "in the U.S. Senate etc. and so on .");
    CHECK(tokenise_moses("No. 5 but No. Never. Yes.") == "No. 5 but No . Never . Yes .");
}

TEST_CASE("the period of the last word is split, or treated like any other")
{
    CHECK(tokenise_moses("made in the U.S.") == "made in the U.S .");
    CHECK(tokenise_moses("made in the U.S.", data::LastWord::like_others) == "made in the U.S.");
    CHECK(tokenise_moses("made at home.", data::LastWord::like_others) == "made at home .");
    CHECK(tokenise_moses("he said 'go.'") == "he said ' go . ' ");
}

TEST_CASE("the Moses rules know letters and numbers of all scripts")
{
    CHECK(tokenise_moses("caf\u00e9's na\u00efve\u2014\u00fcber") ==
          "caf\u00e9 's na\u00efve \u2014 \u00fcber");
    CHECK(tokenise_moses("\u0663,\u0664 x\u00b2,y") == "\u0663,\u0664 x \u00b2 , y");
    CHECK(tokenise_moses("a\u00a0b\u2003c") == "a b c");
    CHECK(tokenise_moses("St. \u00e9toile") == "St. \u00e9toile");
    CHECK(tokenise_moses("rue. \u00e9toile") == "rue. \u00e9toile"); // lower case follows
}

TEST_CASE("blank lines pass, control characters go, and what is not UTF-8 is refused")
{
    CHECK(tokenise_moses("").empty());
    CHECK(tokenise_moses(" \t ") == " \t ");
    CHECK(tokenise_moses("a\x01"
                         "b") == "ab");
    CHECK_ERROR(base::Error, "byte 4 of the line", tokenise_moses("caf\xE9"));
}

TEST_CASE("abbreviations are found in their own case, initials without a list")
{
    CHECK(tokenise_moses("Mrs. Q. Ann") == "Mrs. Q. Ann");
    CHECK(tokenise_moses("mrs. Ann") == "mrs . Ann");
    CHECK(tokenise_moses("pp. 5") == "pp. 5");
    CHECK(tokenise_moses("pp. Ann") == "pp . Ann");
    CHECK(tokenise_moses("Sept. Ann") == "Sept . Ann");
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
