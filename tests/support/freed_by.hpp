// freed_by.hpp -- objects of C libraries in smart pointers.
#pragma once

namespace senteval::test {

/// Deleter that calls `Free`: std::unique_ptr<SSL, FreedBy<SSL_free>>.
template <auto Free>
struct FreedBy {
    template <typename T>
    void operator()(T* object) const
    {
        Free(object);
    }
};

} // namespace senteval::test
