#include "support/described.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <vector>

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

TEST_CASE("a header that nobody announced is not a class")
{
    const test::ScratchFolder scratch;
    scratch.write("train.tsv", "label\ttext\nspam\ta\nham\tb\nspam\tc\nham\td\n");
    scratch.write("test.tsv", "spam\te\nham\tf\n");
    CHECK(
        contains(said_of(labels_first(), scratch),
                 "train.tsv:1: this line seems to name the columns, since its label 'label' occurs "
                 "nowhere else: set header = true"));
    // no such word: a data warning
    scratch.write("train.tsv", "Etikett\tInhalt\nspam\ta\nham\tb\nspam\tc\nham\td\n");
    CHECK(said_of(labels_first(), scratch) ==
          "train.tsv:1: the label 'Etikett' occurs only in this line; if it names the columns, set "
          "header = true\n");
    // the header of a file whose labels are known
    scratch.write("train.tsv", "spam\ta\nham\tb\nspam\tc\nham\td\n");
    scratch.write("test.tsv", "label\ttext\nspam\te\nham\tf\n");
    CHECK(contains(said_of(labels_first(), scratch),
                   "test.tsv:1: 'label' is not a label of this task."));
    CHECK(contains(said_of(labels_first(), scratch), "set header = true"));
    // an item that is left out as a header
    CustomTask with_header = labels_first();
    with_header.header = true;
    scratch.write("test.tsv", "spam\te\nham\tf\nspam\tg\n");
    CHECK(contains(
        said_of(with_header, scratch),
        "train.tsv:1: this line is left out, since header = true, and reads like an item"));
    // words of columns may be classes
    scratch.write("train.tsv", "question\ta\nanswer\tb\nquestion\tc\nanswer\td\n");
    scratch.write("test.tsv", "question\te\nanswer\tf\n");
    CHECK(said_of(labels_first(), scratch).empty());
}

TEST_CASE("an empty label is an error with its line")
{
    const test::ScratchFolder scratch;
    scratch.write("train.tsv", "spam\ta\n \tb\nham\tc\n");
    scratch.write("test.tsv", "spam\ta\n\tb\n");
    CHECK(said_of(labels_first(), scratch) == "train.tsv:2: the label is empty");
    scratch.write("train.tsv", "spam\ta\nham\tc\n");
    CHECK(said_of(labels_first(), scratch) == "test.tsv:2: the label is empty");
}

TEST_CASE("test items that were learnt, and test sets that tell nothing, are warned of")
{
    const test::ScratchFolder scratch;
    scratch.write("train.tsv", "spam\ta\nham\tb\nspam\tc\nham\td\n");
    scratch.write("test.tsv", "spam\te\nham\tb\nham\ta\n");
    CHECK(said_of(labels_first(), scratch) == "2 of 3 test items are in the train part too\n");
    scratch.write("test.tsv", "ham\te\nham\tf\n");
    CHECK(contains(said_of(labels_first(), scratch),
                   "all 2 items of the part 'test' are of the class 'ham'"));
    CHECK(contains(OneFile().said("spam\ta\nham\tb\nspam\tc\nspam\ta\n"),
                   "1 of 4 items are copies of another one"));
    const Scores scores;
    CHECK(
        contains(scores.said("a\tb\t3\nc\td\t3\n"), "all 2 gold scores of the part 'test' are 3"));
    CHECK(contains(scores.said("a\tb\t3\nc\td\t1e300\n"), "scores.tsv:2: '1e300' is no"));
    const std::string header = scores.said("s1\ts2\tscore\nc\td\t1\n");
    CHECK(contains(header, "scores.tsv:1: 'score' is not a number"));
    CHECK(contains(header, "set header = true"));
}

TEST_CASE("empty lines may end a file, and are an error within it")
{
    const OneFile one;
    CHECK(one.said("spam\ta\nham\tb\nspam\tc\nham\td\n\n\n").empty());
    CHECK(one.said("spam\ta\nham\tb\n\n\nspam\tc\nham\td\n") ==
          "train.tsv:3: this line is empty, and items follow it");
}

TEST_CASE("sentences and classes that hardly anybody means are warned of")
{
    const OneFile one;
    CHECK(one.said("spam\ta\nham\tb\nspam\t\nham\td\n") ==
          "sentences of the part 'all' without any word: 1\n");
    CHECK(one.said(std::string("spam\ta\nham\tb\0b\nspam\tc\nham\td\n", 28)) ==
          "sentences of the part 'all' with control characters (as binary data have): 1\n");
    std::string many = "eggs\tz\n";
    for (char word = 'a'; word < 'u'; ++word)
        many += fmt::format("{}\t{}\n", word % 2 == 0 ? "spam" : "ham", word);
    CHECK(contains(one.said(many), "where it is tested: 'eggs'\n"));

    const test::ScratchFolder scratch;
    CustomTask task = labels_first();
    task.labels = {"spam", "ham", "eggs", "toast"};
    scratch.write("train.tsv", "spam\ta\nham\tb\nspam\tc\nham\td\n");
    scratch.write("test.tsv", "spam\te\nham\tf\neggs\tg\n");
    CHECK(said_of(task, scratch) ==
          "classes of which no item is learned or tested: 'toast'\n"
          "classes that are tested and never learned, so that each is called wrong: 'eggs'\n");
    for (int more = 0; more < 9; ++more)
        task.labels.push_back(fmt::format("x{}", more));
    CHECK(contains(said_of(task, scratch), "tested: 'toast', 'x0', 'x1', 'x2', 'x3' and 5 more\n"));
}

TEST_CASE("scores outside the scale of learned relatedness are named with their line")
{
    const test::ScratchFolder scratch;
    for (const char* file : {"train", "dev", "test"})
        scratch.write(file, "a\tb\t3\nc\td\t7\n");
    CustomTask description = described(CustomProtocol::relatedness);
    description.train = "train";
    description.dev = "dev";
    description.test = "test";
    CHECK(
        said_of(description, scratch) ==
        "train:2: the score 7 is outside 0 to 5: say with lowest_score and highest_score what the "
        "scale is");
}

TEST_CASE("labels that look alike are warned of with their places")
{
    OneFile file;
    const auto said_of_labels = [&](const std::vector<std::string>& labels) {
        std::string lines;
        for (const std::string& label : labels)
            lines += label + "\tfilm " + std::to_string(lines.size()) + "\n";
        return file.said(lines);
    };
    CHECK(said_of_labels({"Pos", "pos", "neg", "Pos", "pos ", "neg"}) ==
          "the labels 'Pos' (train.tsv:1) and 'pos' (train.tsv:2) look alike and are classes of "
          "their own, since case, blanks and digits of a number count: write them alike, or list "
          "them in 'labels' if they are meant\n");
    CHECK(said_of_labels({"pos", " pos", "pos\xC2\xA0", "neg", "neg"}).empty()); // one class
    // beyond ASCII: capitals, composed accents, blanks within, what cannot be seen
    CHECK(contains(said_of_labels({"x", "\u00c4rger", "\u00e4rger", "x"}),
                   "'\u00c4rger' (train.tsv:2) and '\u00e4rger' (train.tsv:3) look alike"));
    CHECK(contains(said_of_labels({"x", "caf\u00e9", "cafe\u0301", "x"}), "look alike"));
    CHECK(contains(said_of_labels({"very  good", "very good", "bad", "bad\u200b"}),
                   "the labels 'bad' (train.tsv:3) and 'bad\u200b' (train.tsv:4); "
                   "'very  good' (train.tsv:1) and 'very good' (train.tsv:2) look alike"));
    CHECK(contains(said_of_labels({"1", "0", "1.0", "0"}),
                   "the labels '1' (train.tsv:1) and '1.0' (train.tsv:3) look alike"));
    CHECK(said_of_labels({"1", "-1", "10", "1", "-1", "10"}).empty());
    CHECK(contains(said_of_labels({"a", "A", "b", "B", "c", "C", "d", "D", "e", "E"}),
                   "(train.tsv:5); so do 2 more look alike"));
    file.task.metric = "f1";
    CHECK(contains(said_of_labels({"Pos", "pos", "neg", "Pos"}),
                   "F1 is for two classes, and there are 3; the labels 'Pos' (train.tsv:1)"));
    file.task.metric.clear();
    file.task.labels = {"neg", "pos", "Pos"}; // meant so
    CHECK(said_of_labels({"Pos", "pos", "neg", "Pos"}).empty());
}

TEST_CASE("lines with more columns than the header are warned of")
{
    OneFile file;
    file.task.header = true;
    CHECK(
        file.said("label\ttext\nspam\ta\nham\tb\tc\nspam\td\t \t\nham\te\t\tf\n") ==
        "train.tsv:3: this line has 3 columns and the header line 2 (2 lines are so): a TAB within "
        "a text ends the text and shifts what follows\n");
    file.task.header = false; // columns that nobody named may be missing
    CHECK(file.said("spam\ta\nham\tb\tc\n").empty());
}

TEST_CASE("a column that the header names twice is refused where the task reads it")
{
    OneFile file;
    file.task.header = true;
    file.task.first = "text";
    file.task.target = "label";
    const std::string twice = "label\ttext\tid\ttext\nspam\ta\t1\tb\nham\tc\t2\td\n";
    CHECK(file.said(twice) ==
          "train.tsv:1: the header has two columns 'text', number 2 and number 4: give the number "
          "of the one that is meant in place of the name");
    file.task.first = "4";
    CHECK(file.said(twice).empty());
    file.task.first = "text"; // nobody asks for 'id'
    CHECK(file.said("label\tid\ttext\tid\nspam\t1\ta\tb\nham\t2\tc\td\n").empty());
}

TEST_CASE("a number and a name may not be the same column, nor a number another's name")
{
    OneFile file;
    file.task.header = true;
    file.task.first = "label";
    CHECK(file.said("label\ttext\nspam\ta\nham\tb\n") ==
          "train.tsv:1: 'first' = 'label' and 'target' = '1' are the same column, number 1");
    // names that are numbers, as programs give them to columns without one
    file.task.first = "2";
    CHECK(file.said("0\t1\t2\nspam\ta\tx\nham\tb\ty\n") ==
          "train.tsv:1: '2' was read as the number of a column, though column number 3 has this "
          "name\ntrain.tsv:1: '1' was read as the number of a column, though column number 2 has "
          "this name\n");
    CHECK(file.said("1\t2\nspam\ta\nham\tb\n").empty());
}

TEST_CASE("quotation marks of CSV are warned of with file and columns")
{
    OneFile file;
    CHECK(
        file.said("\"spam\"\t\"a\"\n\"ham\"\t\"b\"\n\"spam\"\t\"c\"\n") ==
        "train.tsv: 3 of 3 values of the column '2' ('first') and 3 of 3 values of the column '1' "
        "('target') begin and end with '\"', which counts as text: TABs alone separate columns, "
        "and CSV's quotes are not read. Write the file without them, unless they are meant\n");
    // a program quotes what has quotes within, and doubles those
    CHECK(contains(file.said("spam\ta\nham\t\"b \"\"c\"\" d\"\nspam\te\nham\tf\n"),
                   "train.tsv: 1 of 4 values of the column '2' ('first') begin and end"));
    // people quote, too
    CHECK(file.said("spam\t\"a\" or \"b\"\nham\t\"b\"\nspam\te \" \"\nham\tf\nham\t\"\n").empty());

    CHECK(contains(Scores().said("a\t\"b\"\t3\nc\t\"d\"\t1\n"),
                   "scores.tsv: 2 of 2 values of the column '2' ('second') begin and end"));
}
