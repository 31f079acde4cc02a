#include "data/ptb_tokeniser.hpp"
#include "support/support.hpp"

using senteval::data::tokenise_ptb;

TEST_CASE("the Penn Treebank rules open and close double quotes")
{
    CHECK(tokenise_ptb("\"Go\" (\"now\") she said") == "`` Go '' ( `` now '' ) she said ");
    CHECK(tokenise_ptb("5\" nails") == "5 '' nails ");
}

TEST_CASE("the Penn Treebank rules split the last period of a line only")
{
    CHECK(tokenise_ptb("Mr. Ox ran.") == "Mr. Ox ran . ");
    CHECK(tokenise_ptb("(It ended.)  ") == "( It ended . ) ");
    CHECK(tokenise_ptb("well...") == "well ... ");
    CHECK(tokenise_ptb("well....") == "well ... . ");
    CHECK(tokenise_ptb("at 5 p.m. sharp") == "at 5 p.m. sharp ");
    CHECK(tokenise_ptb(".") == ". ");
    CHECK(tokenise_ptb("..") == ".. ");
}

TEST_CASE("the Penn Treebank rules space out symbols, brackets and dashes, also inside numbers")
{
    CHECK(tokenise_ptb("1,000 $5 a&b 7%") == "1 , 000 $ 5 a & b 7 % ");
    CHECK(tokenise_ptb("what?! [no]{x}<y>") == "what ? ! [ no ] { x } < y > ");
    CHECK(tokenise_ptb("one--two - three-four") == "one -- two - three-four ");
}

TEST_CASE("the Penn Treebank rules split clitics to the left")
{
    CHECK(tokenise_ptb("it's John's I'm we'd") == "it 's John 's I 'm we 'd ");
    CHECK(tokenise_ptb("we'll they're I've don't") == "we 'll they 're I 've do n't ");
    CHECK(tokenise_ptb("WE'LL THEY'RE I'VE DON'T IT'S") == "WE 'LL THEY 'RE I 'VE DO N'T IT 'S ");
    CHECK(tokenise_ptb("the dogs' food") == "the dogs ' food ");
    CHECK(tokenise_ptb("don't. ''quoted'' ") == "don't. ''quoted'' ");
}

TEST_CASE("the Penn Treebank rules split a list of contracted words in two")
{
    CHECK(tokenise_ptb("Cannot gonna Gotta lemme wanna gimme") ==
          "Can not gon na Got ta lem me wan na gim me ");
    CHECK(tokenise_ptb("'Tis more'n d'ye 'twas") == "'T is more 'n d' ye 't was ");
}

TEST_CASE("a pattern that ends in a space hides the next one, as sed's substitution does")
{
    CHECK(tokenise_ptb("cannot cannot") == "can not cannot ");
}

TEST_CASE("the Penn Treebank rules collapse spaces and know no Unicode")
{
    CHECK(tokenise_ptb("   a    b") == "a b ");
    CHECK(tokenise_ptb("").empty());
    CHECK(tokenise_ptb("caf\xC3\xA9!") == "caf\xC3\xA9 ! ");
    CHECK(tokenise_ptb("caf\xE9.") == "caf\xE9 . ");
}
