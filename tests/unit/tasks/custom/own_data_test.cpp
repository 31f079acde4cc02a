#include "support/described.hpp"
#include "support/support.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace senteval;
using tasks::CustomProtocol;
using tasks::CustomTask;
using test::described;
using test::labels_first;
using test::said_of;

TEST_CASE("a header that nobody announced is not a class")
{
    const test::ScratchFolder scratch;
    scratch.write("train.tsv", "label\ttext\nspam\ta\nham\tb\nspam\tc\nham\td\n");
    scratch.write("test.tsv", "spam\te\nham\tf\n");
    CHECK(test::contains(
        said_of(labels_first(), scratch),
        "train.tsv:1: this line seems to name the columns, since its label 'label' occurs "
        "nowhere else: set header = true"));
    // no such word: a doubt
    scratch.write("train.tsv", "Etikett\tInhalt\nspam\ta\nham\tb\nspam\tc\nham\td\n");
    CHECK(said_of(labels_first(), scratch) ==
          "train.tsv:1: the label 'Etikett' occurs only in this line; if it names the columns, set "
          "header = true\n");
    // the header of a file whose labels are known
    scratch.write("train.tsv", "spam\ta\nham\tb\nspam\tc\nham\td\n");
    scratch.write("test.tsv", "label\ttext\nspam\te\nham\tf\n");
    CHECK(test::contains(said_of(labels_first(), scratch),
                         "test.tsv:1: 'label' is not a label of this task."));
    CHECK(test::contains(said_of(labels_first(), scratch), "set header = true"));
    // an item that is left out as a header
    CustomTask with_header = labels_first();
    with_header.header = true;
    scratch.write("test.tsv", "spam\te\nham\tf\nspam\tg\n");
    CHECK(test::contains(
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

TEST_CASE("test items that were learnt, and test sets that tell nothing, are doubted")
{
    const test::ScratchFolder scratch;
    scratch.write("train.tsv", "spam\ta\nham\tb\nspam\tc\nham\td\n");
    scratch.write("test.tsv", "spam\te\nham\tb\nham\ta\n");
    CHECK(said_of(labels_first(), scratch) == "2 of 3 test items are in the train part too\n");
    scratch.write("test.tsv", "ham\te\nham\tf\n");
    CHECK(test::contains(said_of(labels_first(), scratch),
                         "all 2 items of the part 'test' are of the class 'ham'"));
    CustomTask alone = labels_first();
    alone.test.clear();
    scratch.write("train.tsv", "spam\ta\nham\tb\nspam\tc\nspam\ta\n");
    CHECK(test::contains(said_of(alone, scratch), "1 of 4 items are copies of another one"));

    CustomTask scores = described(CustomProtocol::similarity);
    scores.test = "scores.tsv";
    scratch.write("scores.tsv", "a\tb\t3\nc\td\t3\n");
    CHECK(test::contains(said_of(scores, scratch), "all 2 gold scores of the part 'test' are 3"));
    scratch.write("scores.tsv", "a\tb\t3\nc\td\t1e300\n");
    CHECK(test::contains(said_of(scores, scratch), "scores.tsv:2: '1e300' is no"));
    scratch.write("scores.tsv", "s1\ts2\tscore\nc\td\t1\n");
    CHECK(test::contains(said_of(scores, scratch), "scores.tsv:1: 'score' is not a number"));
    CHECK(test::contains(said_of(scores, scratch), "set header = true"));
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

TEST_CASE("labels that differ in nothing but case or blanks are doubted with their places")
{
    const test::ScratchFolder scratch;
    CustomTask description = labels_first();
    description.test.clear();
    scratch.write("train.tsv", "Pos\ta\npos\tb\nneg\tc\nPos\td\npos \te\n");
    CHECK(said_of(description, scratch) ==
          "the labels 'Pos' (train.tsv:1) and 'pos' (train.tsv:2) differ in nothing but case or "
          "blanks and are classes of their own: write them alike, or list them in 'labels' if they "
          "are meant\n");
    // beyond ASCII, within a label, and where it cannot be seen
    scratch.write("train.tsv", "x\ta\n\xC3\x84rger\tb\n\xC3\xA4rger\tc\nx\td\n");
    CHECK(test::contains(said_of(description, scratch),
                         "'\xC3\x84rger' (train.tsv:2) and '\xC3\xA4rger' (train.tsv:3) differ"));
    scratch.write("train.tsv", "very  good\ta\nvery good\tb\nbad\tc\nbad\xE2\x80\x8B\td\n");
    CHECK(test::contains(said_of(description, scratch),
                         "the labels 'bad' (train.tsv:3) and 'bad\xE2\x80\x8B' (train.tsv:4); "
                         "'very  good' (train.tsv:1) and 'very good' (train.tsv:2) differ"));
    std::string many;
    for (const char* label : {"a", "A", "b", "B", "c", "C", "d", "D", "e", "E"})
        many += std::string(label) + "\ttext " + label + "\n";
    scratch.write("train.tsv", many);
    CHECK(test::contains(said_of(description, scratch), "(train.tsv:5); so do 2 more differ"));
    description.metric = "f1";
    scratch.write("train.tsv", "Pos\ta\npos\tb\nneg\tc\nPos\td\n");
    CHECK(test::contains(said_of(description, scratch),
                         "F1 is for two classes, and there are 3; the labels 'Pos' (train.tsv:1)"));
    description.metric.clear();
    description.labels = {"neg", "pos", "Pos"}; // meant so
    CHECK(said_of(description, scratch).empty());
}

TEST_CASE("a column that the header names twice is refused where the task reads it")
{
    const test::ScratchFolder scratch;
    CustomTask description = labels_first();
    description.test.clear();
    description.header = true;
    description.first = "text";
    description.target = "label";
    scratch.write("train.tsv", "label\ttext\tid\ttext\nspam\ta\t1\tb\nham\tc\t2\td\n");
    CHECK(said_of(description, scratch) ==
          "train.tsv:1: the header has two columns 'text', number 2 and number 4: give the number "
          "of the one that is meant in place of the name");
    description.first = "4";
    CHECK(said_of(description, scratch).empty());
    scratch.write("train.tsv", "label\tid\ttext\tid\nspam\t1\ta\tb\nham\t2\tc\td\n");
    description.first = "text";
    CHECK(said_of(description, scratch).empty()); // nobody asks for 'id'
}

TEST_CASE("a number and a name of the same column are refused with the file")
{
    const test::ScratchFolder scratch;
    CustomTask description = labels_first();
    description.test.clear();
    description.header = true;
    description.first = "label";
    scratch.write("train.tsv", "label\ttext\nspam\ta\nham\tb\n");
    CHECK(said_of(description, scratch) ==
          "train.tsv:1: 'first' = 'label' and 'target' = '1' are the same column, number 1");
}

TEST_CASE("quotation marks of CSV are doubted with file and columns")
{
    const test::ScratchFolder scratch;
    CustomTask description = labels_first();
    description.test.clear();
    scratch.write("train.tsv", "\"spam\"\t\"a\"\n\"ham\"\t\"b\"\n\"spam\"\t\"c\"\n");
    CHECK(
        said_of(description, scratch) ==
        "train.tsv: 3 of 3 values of the column '2' ('first') and 3 of 3 values of the column '1' "
        "('target') begin and end with '\"', which counts as text: TABs alone separate columns, "
        "and CSV's quotes are not read. Write the file without them, unless they are meant\n");
    // a program quotes what has quotes within, and doubles those
    scratch.write("train.tsv", "spam\ta\nham\t\"b \"\"c\"\" d\"\nspam\te\nham\tf\n");
    CHECK(test::contains(said_of(description, scratch),
                         "train.tsv: 1 of 4 values of the column '2' ('first') begin and end"));
    // people quote, too
    scratch.write("train.tsv",
                  "spam\t\"a\" or \"b\"\nham\t\"b\"\nspam\te \" \"\nham\tf\nham\t\"\n");
    CHECK(said_of(description, scratch).empty());

    CustomTask scores = described(CustomProtocol::similarity);
    scores.test = "scores.tsv";
    scratch.write("scores.tsv", "a\t\"b\"\t3\nc\t\"d\"\t1\n");
    CHECK(test::contains(said_of(scores, scratch),
                         "scores.tsv: 2 of 2 values of the column '2' ('second') begin and end"));
}
