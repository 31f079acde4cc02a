#include "task/aliases.hpp"

#include <map>

namespace senteval::task {

std::vector<std::string> aliases_of(std::string_view task)
{
    // Of the probing tasks: the abbreviations of Conneau et al. (ACL 2018).
    static const std::map<std::string_view, std::vector<std::string>> aliases = {
        {"STSBenchmark", {"STSB"}},
        {"STSBenchmarkUnsupervised", {"STSBUnsupervised"}},
        {"SICKRelatedness", {"SICKR", "SICK"}},
        {"SICKRelatednessUnsupervised", {"SICKRUnsupervised"}},
        {"SICKEntailment", {"SICKE", "SICK"}},
        {"MultiNLIMatched", {"MNLI", "MNLIm"}},
        {"MultiNLIMismatched", {"MNLI", "MNLImm"}},
        {"ImageCaptionRetrieval", {"COCO"}},
        {"Length", {"SentLen"}},
        {"WordContent", {"WC"}},
        {"Depth", {"TreeDepth"}},
        {"TopConstituents", {"TopConst"}},
        {"BigramShift", {"BShift"}},
        {"SubjNumber", {"SubjNum"}},
        {"ObjNumber", {"ObjNum"}},
        {"OddManOut", {"SOMO"}},
        {"CoordinationInversion", {"CoordInv"}},
    };
    const auto found = aliases.find(task);
    return found == aliases.end() ? std::vector<std::string>() : found->second;
}

} // namespace senteval::task
