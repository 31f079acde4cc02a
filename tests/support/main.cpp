#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include "core/blas.hpp"

int main(int argc, char** argv)
{
    senteval::core::prepare_blas();
    return doctest::Context(argc, argv).run();
}
