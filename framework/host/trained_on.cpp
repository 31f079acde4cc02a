#include "host/trained_on.hpp"

#include "core/error.hpp"
#include "train/training_record.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace senteval::host {

std::function<bool(std::string_view sentence)>
trained_on(const std::vector<encoder::Parameter>& parameters)
{
    auto records = std::make_shared<std::vector<train::TrainingRecord>>();
    for (const encoder::Parameter& parameter : parameters) {
        const bool is_file = parameter.type == SENTEVAL_TYPE_PATH && parameter.value.is_string() &&
                             std::filesystem::is_regular_file(parameter.value.get<std::string>());
        if (!is_file)
            continue;
        try {
            if (auto record = train::training_record_of(parameter.value.get<std::string>()))
                records->push_back(std::move(*record));
        } catch (const core::Error&) {
            continue; // the encoder will say what is wrong with its file
        }
    }
    if (records->empty())
        return {};
    return [records](std::string_view sentence) {
        for (const train::TrainingRecord& record : *records)
            if (record.has(sentence))
                return true;
        return false;
    };
}

} // namespace senteval::host
