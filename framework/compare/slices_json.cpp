#include "compare/slices.hpp"

namespace senteval::compare {

core::Json slices_to_json(const std::vector<report::Slices>& slices)
{
    core::Json all = core::Json::array();
    for (const report::Slices& block : slices) {
        core::Json parts = core::Json::array();
        for (std::size_t part = 0; part < block.parts.size(); ++part) {
            core::Json scores = core::Json::array();
            for (std::size_t row = 0; row < block.encoders.size(); ++row) {
                const report::Measured& score = block.encoders[row].values[part];
                const report::Measured& difference = block.differences[row].values[part];
                scores.push_back({{"encoder", block.encoders[row].name},
                                  {"value", score.value},
                                  {"interval", {score.low, score.high}},
                                  {"difference", difference.value},
                                  {"difference_interval", {difference.low, difference.high}}});
            }
            parts.push_back(
                {{"part", block.parts[part]}, {"items", block.items[part]}, {"scores", scores}});
        }
        all.push_back({{"task", block.task},
                       {"doubtful", block.is_doubtful},
                       {"by", block.by},
                       {"unit", block.unit},
                       {"reference", block.reference},
                       {"note", block.note},
                       {"parts", parts}});
    }
    return all;
}

} // namespace senteval::compare
