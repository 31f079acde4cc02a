#include "compare/alike_tasks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace senteval::compare {
namespace {

using Group = std::array<std::string_view, 10>;

constexpr std::array<Group, 4> groups{{
    // STSBenchmark is chosen from the pairs of 2012 to 2017 (Cer et al. 2017).
    {"STS12", "STS13", "STS14", "STS15", "STS16", "STSBenchmark"},
    {"SICKEntailment", "SICKRelatedness"},
    // The Stanford treebank is of MR's sentences (Socher et al. 2013).
    {"MR", "SST2", "SST5"},
    // Sentences of the Toronto books (Conneau et al. 2018).
    {"Length", "WordContent", "Depth", "TopConstituents", "BigramShift", "Tense", "SubjNumber",
     "ObjNumber", "OddManOut", "CoordinationInversion"},
}};

} // namespace

std::vector<std::vector<std::string>> alike_tasks(std::span<const std::string> tasks)
{
    std::vector<std::vector<std::string>> all;
    for (const Group& group : groups) {
        std::vector<std::string> alike;
        for (const std::string& task : tasks)
            if (std::ranges::find(group, task) != group.end())
                alike.push_back(task);
        if (alike.size() > 1)
            all.push_back(std::move(alike));
    }
    return all;
}

std::string alike_in_words(std::span<const std::string> tasks)
{
    std::vector<std::string> named;
    for (const auto& group : alike_tasks(tasks))
        named.push_back(fmt::format("{}", fmt::join(group, ", ")));
    return named.empty()
               ? ""
               : fmt::format("Each task counts as if it told something of its own, so that "
                             "encoders are told apart too often by those of the same sources: {}.",
                             fmt::join(named, "; "));
}

} // namespace senteval::compare
