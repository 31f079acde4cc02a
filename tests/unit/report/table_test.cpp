#include "report/table.hpp"
#include "support/support.hpp"

using namespace senteval;
using report::TextTable;

namespace {

TextTable small_table()
{
    return {{{"encoder"}, {"MR"}, {"STS14"}},
            {{"glove"}, {"77.12", false, "[75.0, 79.0]"}, {"0.5000", true}},
            {{"äh|n_1"}, {"78.00", true}, {"failed"}}};
}

} // namespace

TEST_CASE("the table for a terminal has a line per row, the best in bold where that is possible")
{
    CHECK(report::to_terminal(small_table(), {}) == "encoder                  MR   STS14\n"
                                                    "-----------------------------------\n"
                                                    "glove    77.12 [75.0, 79.0]  0.5000\n"
                                                    "äh|n_1                78.00  failed\n");
    CHECK(report::to_terminal(small_table(), {.bold = true}).find("  \x1b[1m0.5000\x1b[0m\n") !=
          std::string::npos);
}

TEST_CASE("a table that is too wide is folded, then set below; a file has it whole")
{
    const TextTable table = {{{"encoder"}, {"MR"}, {"average of accuracies"}, {"TREC"}},
                             {{"GloVe power means"}, {"50.00", true}, {"51.00"}, {"52.00"}},
                             {{"Random_LSTM_512"}, {"53.00"}, {"54.00"}, {"55.00"}}};
    CHECK(report::to_terminal(table, {.width = 20, .folds = false}) ==
          report::to_terminal(table, {}));
    CHECK(report::to_terminal(table, {.width = 44}) ==
          "                          average of\n"
          "encoder               MR  accuracies   TREC\n"
          "-------------------------------------------\n"
          "GloVe power means  50.00       51.00  52.00\n"
          "Random_LSTM_512    53.00       54.00  55.00\n");
    CHECK(report::to_terminal(table, {.bold = true, .width = 26})
              .starts_with("encoder           MR\n"
                           "--------------------\n"
                           "GloVe power    \x1b[1m50.00\x1b[0m\n"
                           "means\n"
                           "Random_LSTM_   53.00\n"
                           "512\n"
                           "\n"
                           "               average of\n"));
}

TEST_CASE("a table that is too wide is divided between groups of columns")
{
    const TextTable table = {{{"encoder"}, {"MR"}, {"CR"}, {"STS14"}, {"STS15"}},
                             {{"glove"}, {"50.0"}, {"51.0"}, {"0.52"}, {"0.53"}}};
    const std::vector<std::size_t> groups = {0, 1, 1, 2, 2};
    CHECK(report::to_terminal(table, {.width = 28}, groups) == "encoder    MR    CR\n"
                                                               "-------------------\n"
                                                               "glove    50.0  51.0\n"
                                                               "\n"
                                                               "encoder  STS14  STS15\n"
                                                               "---------------------\n"
                                                               "glove     0.52   0.53\n");
}

TEST_CASE("Markdown and LaTeX keep what they would read as their own signs")
{
    CHECK(report::to_markdown(small_table()) == "| encoder | MR | STS14 |\n"
                                                "|:---|---:|---:|\n"
                                                "| glove | 77.12 [75.0, 79.0] | **0.5000** |\n"
                                                "| äh\\|n\\_1 | **78.00** | failed |\n");
    const std::string latex =
        report::to_latex(small_table(), {"Scores in %, ±sd", "tab:a", {"a comment"}});
    CHECK(latex.starts_with("% a comment\n"));
    CHECK(test::contains(
        latex, {"\\caption{Scores in \\%, $\\pm$sd}\n\\label{tab:a}\n",
                "\\begin{tabular}{lrr}\n\\toprule\nencoder & MR & STS14 \\\\\n\\midrule\n",
                "glove & 77.12 & \\textbf{0.5000} \\\\\n & {\\scriptsize [75.0, 79.0]} &  \\\\\n",
                "äh\\textbar{}n\\_1"}));
    CHECK(report::latex_escaped("a\\b~^&{}") == "a\\textbackslash{}b\\~{}\\^{}\\&\\{\\}");
}

TEST_CASE("LaTeX takes no label for a command, and says what it needs")
{
    const TextTable table = {{{"encoder"}, {"MR"}}, {{"[0.5em] <<x>> --a"}, {"50.00"}}};
    const std::string latex = report::to_latex(table, {});
    CHECK(
        latex.starts_with("% \\usepackage{booktabs}\n% \\usepackage[T1]{fontenc}\n\\begin{table}"));
    CHECK(test::contains(latex, "\\midrule\n{}[0.5em] \\textless{}\\textless{}x"));
    CHECK(report::to_latex({{{"encoder"}}, {{"*"}}}, {}).find("\n{}* \\\\\n") != std::string::npos);
    CHECK(report::latex_escaped("Žižek−ρ") == "Žižek$-$$\\rho$");
}

TEST_CASE("a name with line ends stays in its cell")
{
    const report::TextTable table = {{{"encoder"}, {"MR"}}, {{"a\n\n| b\x1b<i>"}, {"50.00"}}};
    CHECK(report::to_markdown(table) == "| encoder | MR |\n|:---|---:|\n"
                                        "| a  \\| b\\\\x1b&lt;i> | 50.00 |\n");
    CHECK(report::markdown_escaped("~a~ $x$ *b* `c` &amp;") ==
          "\\~a\\~ \\$x\\$ \\*b\\* \\`c\\` &amp;amp;");
    CHECK(report::to_latex(table, {}).find(
              "a  \\textbar{} b\\textbackslash{}x1b\\textless{}i\\textgreater{} & 50.00") !=
          std::string::npos);
    CHECK(report::to_terminal(table, {}).find("\na  | b\\x1b<i>  50.00\n") != std::string::npos);
}

TEST_CASE("a name is folded into lines, long words after their joints or between characters")
{
    using senteval::report::folded;
    CHECK(folded("one two", 20) == std::vector<std::string>{"one two"});
    CHECK(folded("abcdefgh", 3) == std::vector<std::string>{"abc", "def", "gh"});
    CHECK(folded("\u6f22\u5b57", 1) == std::vector<std::string>{"\u6f22", "\u5b57"});
    CHECK(folded("", 5) == std::vector<std::string>{""});
}
