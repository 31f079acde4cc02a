// no_descriptors.hpp -- a process that may open nothing more.
#pragma once

#include <sys/resource.h>

namespace senteval::test {

/// While it lives, this process may open nothing more. Not under a sanitizer, which looks with a pipe
/// whether an object is one (-fsanitize=vptr) and would then find none.
class NoDescriptors {
public:
    NoDescriptors()
    {
        getrlimit(RLIMIT_NOFILE, &before_);
        rlimit none = before_;
        none.rlim_cur = 0;
        setrlimit(RLIMIT_NOFILE, &none);
    }
    ~NoDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }
    NoDescriptors(const NoDescriptors&) = delete;
    NoDescriptors& operator=(const NoDescriptors&) = delete;

private:
    rlimit before_{};
};

} // namespace senteval::test
