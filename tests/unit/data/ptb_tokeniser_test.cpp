#include "data/ptb_tokeniser.hpp"
#include "support/support.hpp"

using senteval::data::tokenise_ptb;

TEST_CASE("the Penn Treebank rules")
{
    const std::vector<std::pair<const char*, const char*>> lines = {
        // open and close double quotes
        {"\"Go\" (\"now\") she said", "`` Go '' ( `` now '' ) she said "},
        {"5\" nails", "5 '' nails "},
        // split the last period of a line only
        {"Mr. Ox ran.", "Mr. Ox ran . "},
        {"(It ended.)  ", "( It ended . ) "},
        {"well...", "well ... "},
        {"well....", "well ... . "},
        {"at 5 p.m. sharp", "at 5 p.m. sharp "},
        {".", ". "},
        {"..", ".. "},
        // space out symbols, brackets and dashes, also inside numbers
        {"1,000 $5 a&b 7%", "1 , 000 $ 5 a & b 7 % "},
        {"what?! [no]{x}<y>", "what ? ! [ no ] { x } < y > "},
        {"one--two - three-four", "one -- two - three-four "},
        // split clitics to the left
        {"it's John's I'm we'd", "it 's John 's I 'm we 'd "},
        {"we'll they're I've don't", "we 'll they 're I 've do n't "},
        {"WE'LL THEY'RE I'VE DON'T IT'S", "WE 'LL THEY 'RE I 'VE DO N'T IT 'S "},
        {"the dogs' food", "the dogs ' food "},
        {"don't. ''quoted'' ", "don't. ''quoted'' "},
        // split a list of contracted words in two
        {"Cannot gonna Gotta lemme wanna gimme", "Can not gon na Got ta lem me wan na gim me "},
        {"'Tis more'n d'ye 'twas", "'T is more 'n d' ye 't was "},
        // a pattern that ends in a space hides the next one, as sed's substitution does
        {"cannot cannot", "can not cannot "},
    };
    for (const auto& [line, tokens] : lines)
        CHECK(tokenise_ptb(line) == tokens);
}

TEST_CASE("the Penn Treebank rules collapse spaces and know no Unicode")
{
    CHECK(tokenise_ptb("   a    b") == "a b ");
    CHECK(tokenise_ptb("").empty());
    CHECK(tokenise_ptb("caf\xC3\xA9!") == "caf\xC3\xA9 ! ");
    CHECK(tokenise_ptb("caf\xE9.") == "caf\xE9 . ");
}
