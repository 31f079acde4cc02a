#include "support/described.hpp"
#include "support/support.hpp"
#include "tasks/custom/inspect.hpp"

using namespace senteval;
using tasks::CustomProtocol;
using tasks::CustomTask;
using test::contains;
using test::described;
using test::labels_first;
using test::said_of;

namespace {

/// A classification of what is in one file, labels first.
struct OneFile {
    test::ScratchFolder scratch;
    CustomTask task = labels_first();

    OneFile() { task.test.clear(); }

    [[nodiscard]] std::string said(const std::string& lines) const
    {
        scratch.write("train.tsv", lines);
        return said_of(task, scratch);
    }
};

/// Pairs with scores, in one file.
struct Scores {
    test::ScratchFolder scratch;

    [[nodiscard]] std::string said(const std::string& lines) const
    {
        CustomTask task = described(CustomProtocol::similarity);
        task.test = "scores.tsv";
        scratch.write("scores.tsv", lines);
        return said_of(task, scratch);
    }
};

} // namespace

TEST_CASE(
    "a header that nobody announced is refused, and an item that is left out as one warned of")
{
    const test::ScratchFolder scratch;
    scratch.write("train.tsv", "label\ttext\nspam\ta\nham\tb\nspam\tc\nham\td\n");
    scratch.write("test.tsv", "spam\te\nham\tf\n");
    CHECK(contains(said_of(labels_first(), scratch),
                   "train.tsv:1: this line seems to name the columns, since its label 'label'"));
    scratch.write("train.tsv", "pos\ta\nneg\tb\n"); // each label once
    CHECK(said_of(labels_first(), scratch).find("name the columns") == std::string::npos);
    scratch.write("train.tsv", "spam\ta\nham\tb\nspam\tc\nham\td\n");
    scratch.write("test.tsv", "label\ttext\nspam\te\nham\tf\n");
    CHECK(contains(said_of(labels_first(), scratch), "set header = true"));
    CustomTask with_header = labels_first();
    with_header.header = true;
    scratch.write("test.tsv", "spam\te\nham\tf\nspam\tg\n");
    CHECK(contains(said_of(with_header, scratch), {"train.tsv:1: this line", "header = true"}));
}

TEST_CASE("what Excel writes is read: Windows-1252, decimal commas, sep=, any separator")
{
    const test::ScratchFolder scratch;
    const auto rows_of = [&](CustomTask task, const std::string& content) {
        scratch.write("a.csv", content);
        task.base = scratch.path();
        task.test = "a.csv";
        if (task.classifies())
            task.train = "a.csv";
        return tasks::inspect(task).parts.front().first_rows;
    };
    using Rows = std::vector<std::string>;
    CustomTask texts = described(CustomProtocol::classification);
    for (const auto& [name, encoding] : tasks::encoding_names)
        if (texts.encoding = encoding; name != "utf-8") // \x81 is a character of neither
            CHECK(rows_of(texts, "\x80 5 \xFC\x81,x\n\x93q\x94,y\n") ==
                  Rows{"x  \u20AC 5 \u00FC\u0081", "y  \u201Cq\u201D"});
    CHECK(rows_of(texts, "sep=;\na, b;x\nc, d, e;y\n") == Rows{"x  a, b", "y  c, d, e"});
    texts.separator = ';';
    CHECK(rows_of(texts, "a, b, c;x\nd, e, f;y\n") == Rows{"x  a, b, c", "y  d, e, f"});
    CustomTask scores = described(CustomProtocol::similarity);
    CHECK_ERROR(base::Error, "decimal = ", rows_of(scores, "a;b;3,3\nc;d;1\n"));
    scores.decimal = ',';
    CHECK(rows_of(scores, "sep=;\na;b;3,3\nc;d;1.5\n") == Rows{"3.3  a | b", "1.5  c | d"});
}

TEST_CASE("a line that repeats the header is refused where it stands")
{
    const test::ScratchFolder scratch;
    scratch.write("train.tsv", "label\ttext\nspam\ta\nham\tlabel\nlabel\ttext\nspam\tb\n");
    CustomTask task = labels_first();
    task.header = true;
    CHECK(contains(said_of(task, scratch), "train.tsv:4: "));
}

TEST_CASE("test items that were learnt, and test sets that tell nothing, are warned of")
{
    const test::ScratchFolder scratch;
    scratch.write("train.tsv", "spam\ta\nham\tb\nspam\tc\nham\td\n");
    scratch.write("test.tsv", "spam\te\nham\tb\nham\ta\n");
    const std::string copies = said_of(labels_first(), scratch);
    CHECK(
        contains(copies, {"2 of 3 test items are in the train part too", "accept = [\"copies\"]"}));
    CustomTask accepted = labels_first();
    accepted.accept = {"copies"};
    CHECK(said_of(accepted, scratch).empty());
    scratch.write("test.tsv", "spam\te\nham\tf\nspam\te\n");
    CHECK(contains(said_of(labels_first(), scratch), "1 of 3 items of the part 'test' repeat"));
    accepted.accept = {"duplicates"};
    CHECK(said_of(accepted, scratch).empty());
    scratch.write("test.tsv", "ham\te\nham\tf\n");
    CHECK(contains(said_of(labels_first(), scratch),
                   "all 2 items of the part 'test' are of the class 'ham'"));
    CHECK(contains(OneFile().said("spam\ta\nham\tb\nspam\tc\nspam\ta\n"),
                   "1 of 4 items are copies of another one"));
    const Scores scores;
    CHECK(
        contains(scores.said("a\tb\t3\nc\td\t3\n"), "all 2 gold scores of the part 'test' are 3"));
    CHECK(contains(scores.said("a\tb\t3\nc\td\t1e300\n"), "scores.tsv:2: '1e300' is no"));
    CHECK(contains(scores.said("s1\ts2\tscore\nc\td\t1\n"), {"scores.tsv:1:", "header = true"}));
}

TEST_CASE("empty lines may end a file, and are an error within it")
{
    const OneFile one;
    CHECK(one.said("spam\ta\nham\tb\nspam\tc\nham\td\n\n\n").empty());
    CHECK(contains(one.said("spam\ta\nham\tb\n\n\nspam\tc\nham\td\n"),
                   "/train.tsv:3: this line is empty"));
}

TEST_CASE("sentences without a word, and classes that are never learned, are warned of")
{
    for (const std::string unseen :
         {"", "\u200B", "\uFEFF \u00AD", "\u2060\u3000", "\uFFFD \uFFFD"})
        CHECK(contains(OneFile().said("spam\ta\nham\tb\nspam\t" + unseen + "\nham\td\n"),
                       "sentences of the part 'all' that are empty or undecodable: 1"));
    for (const std::string seen : {"a\uFFFD", ".", "\u200Bb", "\U0001F600", "NULL"})
        CHECK(OneFile().said("spam\ta\nham\tb\nspam\t" + seen + "\nham\td\n").empty());
    const test::ScratchFolder scratch;
    CustomTask task = labels_first();
    task.labels = {"spam", "ham", "eggs"};
    scratch.write("train.tsv", "spam\ta\nham\tb\nspam\tc\nham\td\n");
    scratch.write("test.tsv", "spam\te\nham\tf\neggs\tg\n");
    CHECK(contains(said_of(task, scratch), "by 1 test item: 'eggs'"));
    // Under folds an item is tested where it is not learned.
    OneFile folds;
    const std::string two = "spam\ta\nham\tb\nspam\tc\nham\td\n";
    CHECK(contains(folds.said(two + "eggs\te\ncan\tf\n"), "by 2 test items: 'can', 'eggs'"));
    CHECK(folds.said(two + "eggs\te\neggs\tf\n").empty());
    folds.task.accept = {"classes"};
    CHECK(folds.said(two + "eggs\te\n").empty());
}

TEST_CASE("scores outside the scale that the task states are named with their line")
{
    const test::ScratchFolder scratch;
    scratch.write("pairs", "a\tb\t3\nc\td\t7\n");
    CustomTask task = described(CustomProtocol::relatedness);
    task.train = task.dev = task.test = "pairs";
    CHECK_FALSE(contains(said_of(task, scratch), "score")); // ridge regression needs none
    task.lowest_score = 0;
    task.highest_score = 5;
    CHECK(contains(said_of(task, scratch), {"pairs:2: the score 7", "0 to 5"}));
}

TEST_CASE("labels that differ in case alone are warned of, unless they are listed")
{
    OneFile file;
    const std::string lines = "Pos\ta\npos\tb\nneg\tc\nPos\td\npos\te\nneg\tf\n";
    CHECK(contains(file.said(lines), "the labels 'Pos' and 'pos'"));
    file.task.labels = {"neg", "pos", "Pos"};
    CHECK(file.said(lines).empty());
    OneFile alike;
    for (const auto& [label, other, codes] :
         {std::tuple("sch\u00F6n", "scho\u0308n", "scho U+0308 n"),
          {"sch\u00F6n", "sch\u00F6n\u200B", "sch U+00F6 n U+200B"},
          {"2", "2.0", "'2.0'"},
          {"x y", "x\u00A0y", "x U+00A0 y"}}) {
        const std::string rows = fmt::format("{0}\ta\n{1}\tb\n{0}\tc\n{1}\td\n", label, other);
        CHECK(contains(alike.said(rows), {"are classes of their own", codes}));
    }
    const test::ScratchFolder scratch;
    scratch.write("train.tsv", "sch\u00F6n\ta\nneg\tb\nsch\u00F6n\tc\nneg\td\n");
    scratch.write("test.tsv", "scho\u0308n\te\nneg\tf\n");
    CHECK(contains(said_of(labels_first(), scratch), {"(scho U+0308 n)", "(sch U+00F6 n)"}));
}

TEST_CASE("a TAB within a text is warned of, with and without a header")
{
    OneFile file;
    file.task.header = true;
    CHECK(contains(file.said("label\ttext\nspam\ta\nham\tb\tc\nspam\td\nham\te\n"),
                   "2 in 4 lines (line 1), 3 in 1 line (line 3)"));
    file.task.header = false;
    CHECK(contains(file.said("spam\ta\nham\tb\tc\nspam\td\n"), "3 in 1 line (line 2)"));
    file.task.accept = {"columns", "classes"};
    CHECK(file.said("spam\ta\nham\tb\tc\nspam\td\n").empty());
    file.task.accept.clear();
    CHECK(file.said("spam\ta\tx\nham\tb\t\nspam\td\tz\nham\te\tz\n").empty());
    file.task.format = text::RecordForm::csv;
    CHECK(contains(file.said("spam,a\nham,b, c\nspam,d\n"), "3 in 1 line (line 2)"));
}

TEST_CASE("a column that the header names twice is refused where the task reads it")
{
    OneFile file;
    file.task.header = true;
    file.task.first = "text";
    file.task.target = "label";
    const std::string twice =
        "label\ttext\tid\ttext\nspam\ta\t1\tb\nham\tc\t2\td\nspam\te\t3\tf\nham\tg\t4\th\n";
    CHECK(contains(file.said(twice), "/train.tsv:1: the header has two columns 'text'"));
    file.task.first = "4";
    CHECK(file.said(twice).empty());
    file.task.first = "text"; // nobody asks for 'id'
    file.task.accept = {"classes"};
    CHECK(file.said("label\tid\ttext\tid\nspam\t1\ta\tb\nspam\t2\tc\td\nham\t3\te\tf\n").empty());
}

TEST_CASE("quotation marks of CSV are warned of with file and column")
{
    const OneFile file;
    CHECK(contains(file.said("spam\t\"a\"\nham\t\"b\"\nspam\t\"c\"\n"),
                   "train.tsv: 3 of 3 values of the column '2' begin and end with '\"'"));
    CHECK(file.said("spam\t\"a\" or \"b\"\nham\t\"b\"\nspam\te \" \"\nham\tf\n").empty());
    const std::string excel =
        "spam\t\"\"\"a\"\" b\"\nham\t\"b, c\"\nspam\td\nham\te\nspam\tf\nham\tg\n";
    CHECK(contains(file.said(excel), "2 of 6 values of the column '2'"));
    OneFile reading;
    reading.task.format = text::RecordForm::excel_tab;
    reading.task.tokenise = tasks::Tokeniser::none;
    CHECK(reading.said(excel).empty());
    task::DataFolder data(reading.scratch.path());
    CHECK(tasks::source_of(reading.task).read(data).parts[0].first[0].text == "\"a\" b");
}
