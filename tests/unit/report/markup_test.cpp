#include "report/markup.hpp"
#include "support/support.hpp"

namespace markup = senteval::report::markup;

TEST_CASE("text is made safe for HTML")
{
    CHECK(markup::escape("a<b> & \"c\" 'd'") == "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
    CHECK(markup::escape(std::string("x\x01y\n")) == "x\\x01y\n");
    // NOLINTNEXTLINE(misc-misleading-bidirectional): it would turn the rest of the line
    CHECK(markup::escape("a\u202Eb") == "a\\u202eb");
}

TEST_CASE("long names may break before their words")
{
    CHECK(markup::row_name("RelatednessUnsupervised") ==
          "<bdi class=\"name\">Relatedness<wbr>Unsupervised</bdi>");
    CHECK(markup::row_name("my_own <b>") == "<bdi class=\"name\">my_<wbr>own &lt;b&gt;</bdi>");
}

TEST_CASE("numbers have a true minus, no negative zero, and a dash where there are none")
{
    CHECK(markup::number(-1.256, 2) == "−1.26");
    CHECK(markup::number(-0.0001, 2) == "0.00");
    CHECK(markup::number(std::nan(""), 2) == "–");
    CHECK(markup::thousands(1234567) == "1\u202F234\u202F567");
    CHECK(markup::thousands(12) == "12");
}

TEST_CASE("an axis has round ticks inside its ends")
{
    const markup::Axis axis(72.3, 81.7, 0, 100, 5);
    CHECK(axis.ticks() == std::vector<double>{72, 74, 76, 78, 80, 82});
    CHECK(axis.tick_decimals() == 0);
    CHECK(axis.at(72.3) > 0);
    CHECK(axis.at(81.7) < 100);
    CHECK(axis.at(77) == doctest::Approx(50));
    const markup::Axis small(0.512, 0.561, 0, 100, 5);
    CHECK(small.tick_decimals() == 2);
}

TEST_CASE("an axis of one value has a width")
{
    const markup::Axis axis(0.7, 0.7, 10, 20);
    CHECK(axis.at(0.7) == doctest::Approx(15));
    CHECK(axis.ticks().size() >= 2);
}
