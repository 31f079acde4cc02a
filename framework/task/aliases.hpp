// aliases.hpp -- what the literature calls the tasks besides their names in SentEval.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace senteval::task {

/// Of a task by its name; none for most. Several tasks may share one. Capitals, '-' and '_' do not
/// count where names are compared, so "STSB" covers "STS-B".
std::vector<std::string> aliases_of(std::string_view task);

} // namespace senteval::task
