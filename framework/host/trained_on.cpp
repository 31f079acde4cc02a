#include "host/trained_on.hpp"

#include "core/error.hpp"
#include "train/training_record.hpp"

#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

namespace senteval::host {
namespace {

/// A file that cannot be read is the encoder's to complain of.
bool is_readable_file(const encoder::Parameter& parameter)
{
    if (parameter.type != SENTEVAL_TYPE_PATH || !parameter.value.is_string())
        return false;
    const auto file = parameter.value.get<std::string>();
    std::error_code error;
    return std::filesystem::is_regular_file(file, error) && access(file.c_str(), R_OK) == 0;
}

} // namespace

std::function<bool(std::string_view sentence)>
trained_on(const std::vector<encoder::Parameter>& parameters)
{
    auto records = std::make_shared<std::vector<train::TrainingRecord>>();
    for (const encoder::Parameter& parameter : parameters) {
        if (!is_readable_file(parameter))
            continue;
        try {
            if (auto record = train::training_record_of(parameter.value.get<std::string>()))
                records->push_back(std::move(*record));
        } catch (const core::Error& error) {
            throw core::Error("what '{}' was trained on cannot be told: {}", parameter.key,
                              error.what());
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
