// download_once URL FILE BYTES SHA256: one download in a process of its own, to be killed.
#include "base/error.hpp"
#include "data/download.hpp"
#include "silent_observer.hpp"

#include <string>

int main(int argc, char** argv)
{
    if (argc != 5)
        return 2;
    senteval::data::DownloadPolicy policy;
    policy.first_pause = std::chrono::milliseconds(1);
    senteval::test::SilentObserver observer;
    return senteval::data::download({argv[1], std::stoull(argv[3]), argv[4], false}, argv[2],
                                    policy, observer)
                   .empty()
               ? 0
               : 1;
}
