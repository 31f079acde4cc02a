#include "measures/classes.hpp"

#include "base/error.hpp"

namespace senteval::measures {
namespace {

double share_of(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

void add(ClassScores& sum, const ClassScores& scores, double weight)
{
    sum.precision += weight * scores.precision;
    sum.recall += weight * scores.recall;
    sum.f1 += weight * scores.f1;
}

} // namespace

ClassReport class_report(std::span<const std::uint32_t> gold,
                         std::span<const std::uint32_t> predicted,
                         std::size_t classes)
{
    if (gold.size() != predicted.size() || gold.empty())
        throw base::Error("items need a gold and a predicted class each, not {} and {}",
                          gold.size(), predicted.size());
    ClassReport report;
    report.classes.resize(classes);
    report.confusion.resize(classes * classes);
    std::vector<double> golds(classes);
    std::vector<double> founds(classes);
    for (std::size_t i = 0; i < gold.size(); ++i) {
        ++report.confusion[gold[i] * classes + predicted[i]];
        ++golds[gold[i]];
        ++founds[predicted[i]];
    }
    double right = 0;
    double there = 0; // classes that are gold or predicted
    for (std::size_t c = 0; c < classes; ++c) {
        const auto both = static_cast<double>(report.confusion[c * classes + c]);
        ClassScores& scores = report.classes[c];
        scores = {share_of(both, founds[c]), share_of(both, golds[c]),
                  share_of(2 * both, golds[c] + founds[c])};
        right += both;
        if (golds[c] + founds[c] == 0)
            continue;
        ++there;
        add(report.macro, scores, 1);
        add(report.weighted, scores, golds[c] / static_cast<double>(gold.size()));
    }
    report.macro = {report.macro.precision / there, report.macro.recall / there,
                    report.macro.f1 / there};
    report.accuracy = right / static_cast<double>(gold.size());
    return report;
}

} // namespace senteval::measures
