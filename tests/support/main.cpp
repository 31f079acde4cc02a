#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "core/parallel.hpp"

int main(int argc, char** argv)
{
    senteval::core::make_blas_single_threaded();
    return doctest::Context(argc, argv).run();
}
