// evaluate.hpp -- runs a protocol on a dataset with the WordsEncoder.
#pragma once

#include "encoder/session.hpp"
#include "tasks/dataset_task.hpp"
#include "words_encoder.hpp"

#include <filesystem>
#include <utility>

namespace senteval::test {

inline task::Result evaluate(const task::Task& task,
                             const std::filesystem::path& data_folder,
                             const task::Settings& settings = {},
                             unsigned threads = 1)
{
    task::DataFolder data(data_folder);
    const auto loaded = task.load(data);
    WordsEncoder words;
    encoder::SessionOptions options;
    options.threads = threads;
    encoder::Session session(words, std::move(options));
    session.prepare(task.info().name, loaded->samples());
    task::PhaseClock clock;
    task::Context context{session, settings, threads, {}, clock, {}};
    return loaded->run(context);
}

} // namespace senteval::test
