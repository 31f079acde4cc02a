#include "model_files/trie.hpp"
#include "support/support.hpp"

using senteval::model_files::Trie;

TEST_CASE("a trie finds what was inserted, and nothing else")
{
    Trie trie;
    CHECK(trie.find("a") == Trie::none);
    CHECK(trie.find("") == Trie::root);
    for (int i = 0; i < 5000; ++i)
        trie.insert("piece" + std::to_string(i), i);
    trie.insert("\xff", 7);
    for (int i = 0; i < 5000; ++i)
        CHECK(trie.value(trie.find("piece" + std::to_string(i))) == i);
    CHECK(trie.value(trie.find("\xff")) == 7);
    CHECK(trie.value(trie.find("piece")) == Trie::no_value);
    CHECK(trie.find("pieces") == Trie::none);
    trie.insert("piece1", 9);
    CHECK(trie.value(trie.find("piece1")) == 9);
}
