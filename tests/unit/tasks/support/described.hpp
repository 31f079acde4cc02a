// described.hpp -- tasks as users describe them, and what is said of their data.
#pragma once

#include "base/error.hpp"
#include "reading.hpp"
#include "tasks/custom/custom.hpp"

#include <string>

namespace senteval::test {

inline tasks::CustomTask described(tasks::CustomProtocol protocol)
{
    tasks::CustomTask description;
    description.name = "Mine";
    description.protocol = protocol;
    return description;
}

/// A classification of what is in train.tsv and test.tsv, labels first.
inline tasks::CustomTask labels_first()
{
    tasks::CustomTask description = described(tasks::CustomProtocol::classification);
    description.train = "train.tsv";
    description.test = "test.tsv";
    description.first = "2";
    description.target = "1";
    return description;
}

/// What stops the task from being loaded, or else its warnings, one per line.
inline std::string said_of(const tasks::CustomTask& description, const ScratchFolder& scratch)
{
    task::DataFolder data(scratch.path());
    const std::string error =
        error_of<base::Error>([&] { (void)tasks::make_custom_task(description)->load(data); });
    std::string warnings;
    for (const auto* told : {&data.data_warnings(), &data.word_warnings()})
        for (const std::string& warning : *told)
            warnings += warning + "\n";
    return error.empty() ? warnings : error;
}

} // namespace senteval::test
