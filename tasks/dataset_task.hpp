// dataset_task.hpp -- a task made of a source and a protocol.
#pragma once

#include "task/task.hpp"
#include "tasks/protocols/protocol.hpp"
#include "tasks/readers/readers.hpp"

#include <memory>
#include <string>
#include <vector>

namespace senteval::tasks {

/// `headline` is the path of the metric that tables show; `reference` says what others reached;
/// `aliases` are what else users call it.
std::unique_ptr<task::Task> make_task(const std::string& name,
                                      std::vector<std::string> groups,
                                      Source source,
                                      Protocol protocol,
                                      const std::string& headline,
                                      const std::string& reference = {},
                                      std::vector<std::string> aliases = {});

} // namespace senteval::tasks
