#include "bm25/formula.hpp"

#include "base/refuse.hpp"

#include <algorithm>
#include <cmath>

namespace senteval::bm25 {
namespace {

double lucene(double n, double df)
{
    return std::log(1 + (n - df + 0.5) / (df + 0.5));
}
double robertson(double n, double df)
{
    return std::log(std::max(1.0, (n - df + 0.5) / (df + 0.5)));
}
double atire(double n, double df)
{
    return std::log(n / df);
}
double okapi(double n, double df)
{
    return std::log(n - df + 0.5) - std::log(df + 0.5);
}
double bm25l(double n, double df)
{
    return std::log((n + 1) / (df + 0.5));
}
double bm25plus(double n, double df)
{
    return std::log((n + 1) / df);
}

void set(double& number, const sdk::Params& params, const char* key, double most)
{
    number = params.get(key, number);
    if (!(number >= 0 && number <= most)) // nor is it no number
        base::refuse("parameter '{}' is {}; it must be 0 to {}", key, number, most);
}

} // namespace

Formula formula_from(const sdk::Params& params)
{
    constexpr double largest = 1000; // beyond it all documents are alike
    auto formula = params.choice<Formula>("formula", {{"lucene", {lucene}},
                                                      {"robertson", {robertson}},
                                                      {"atire", {atire, true}},
                                                      {"okapi", {okapi, true}},
                                                      {"bm25l", {bm25l, true, 0.5, 0, true}},
                                                      {"bm25l_paper", {bm25l, true, 0.5, 0}},
                                                      {"bm25plus", {bm25plus, true, 0, 1, true}},
                                                      {"bm25plus_paper", {bm25plus, true, 0, 1}}});
    set(formula.k1, params, "k1", largest);
    set(formula.b, params, "b", 1);
    if (params.get("delta", -1.0) == -1)
        return formula;
    if (formula.within + formula.beyond == 0)
        base::refuse("parameter 'delta' is of the formulas bm25l and bm25plus only");
    set(formula.within > 0 ? formula.within : formula.beyond, params, "delta", largest);
    return formula;
}

} // namespace senteval::bm25
