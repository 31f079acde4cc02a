// reading.hpp -- reads a source from files that a test has written.
#pragma once

#include "base/error.hpp"
#include "support/support.hpp"
#include "tasks/readers/readers.hpp"

namespace senteval::test {

inline tasks::Dataset read(const tasks::Source& source, const ScratchFolder& scratch)
{
    task::DataFolder data(scratch.path());
    return source.read(data);
}

} // namespace senteval::test
