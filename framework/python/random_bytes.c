/* arc4random_buf(), which glibc has from 2.36 on only, for the libarchive of the wheel. */
#include <stddef.h>
#include <sys/random.h>

void arc4random_buf(void* bytes, size_t size)
{
    char* at = bytes;
    while (size > 0) {
        const ssize_t got = getrandom(at, size, 0);
        const size_t filled = got < 0 ? 0 : (size_t)got;
        at += filled;
        size -= filled;
    }
}
