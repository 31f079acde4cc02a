# Everything the project needs from the system, all of it packaged by Debian 12.

# senteval_require(VARIABLE PACKAGE WHAT [OPTION]): stops with the package to install, or the option that does without
# it, where VARIABLE is false.
function(senteval_require variable package what)
    if(NOT ${variable})
        list(TRANSFORM ARGN REPLACE "(.+)" "; without it: -D\\1=OFF" OUTPUT_VARIABLE without)
        message(FATAL_ERROR "${what} was not found. On Debian: apt install ${package}\n"
            "(samples/install_dependencies.sh installs everything that is missing${without})")
    endif()
endfunction()

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

if(POLICY CMP0167)
    cmake_policy(SET CMP0167 OLD) # Boost is found as by the CMake of Debian 12
endif()
find_package(Boost 1.74 QUIET COMPONENTS filesystem)
senteval_require(Boost_FOUND "libboost-dev libboost-filesystem-dev" "Boost with Boost.Filesystem")

find_package(Armadillo 11 QUIET)
senteval_require(ARMADILLO_FOUND libarmadillo-dev Armadillo)
set(BLA_VENDOR OpenBLAS)
find_package(BLAS QUIET)
senteval_require(BLAS_FOUND "libopenblas-dev libopenblas0-pthread" OpenBLAS)
find_package(LAPACK QUIET)
senteval_require(LAPACK_FOUND "liblapack-dev libopenblas-dev" LAPACK)

# Armadillo without its wrapper: OpenBLAS is linked directly, and nothing else comes along.
add_library(senteval_armadillo INTERFACE)
target_include_directories(senteval_armadillo SYSTEM INTERFACE ${ARMADILLO_INCLUDE_DIRS})
target_compile_definitions(senteval_armadillo INTERFACE ARMA_DONT_USE_WRAPPER ARMA_DONT_USE_ARPACK
    ARMA_DONT_USE_SUPERLU ARMA_DONT_USE_HDF5 ARMA_DONT_USE_OPENMP ARMA_WARN_LEVEL=1)
target_link_libraries(senteval_armadillo INTERFACE BLAS::BLAS LAPACK::LAPACK)

find_package(tomlplusplus QUIET)
senteval_require(tomlplusplus_FOUND libtomlplusplus-dev "toml++")
find_package(CLI11 QUIET)
senteval_require(CLI11_FOUND libcli11-dev CLI11)
find_package(fmt QUIET)
senteval_require(fmt_FOUND libfmt-dev "{fmt}")
find_package(nlohmann_json QUIET)
senteval_require(nlohmann_json_FOUND nlohmann-json3-dev "nlohmann-json")

find_path(XXHASH_INCLUDE_DIR xxhash.h)
find_library(XXHASH_LIBRARY xxhash)
senteval_require(XXHASH_LIBRARY libxxhash-dev xxHash)
add_library(senteval_xxhash INTERFACE)
target_include_directories(senteval_xxhash SYSTEM INTERFACE ${XXHASH_INCLUDE_DIR})
target_link_libraries(senteval_xxhash INTERFACE ${XXHASH_LIBRARY})

if(SENTEVAL_FASTTEXT)
    # Named apart from the plugin `fasttext`; its headers are not free of warnings.
    find_path(FASTTEXT_INCLUDE_DIR fasttext/fasttext.h)
    find_library(FASTTEXT_LIBRARY fasttext)
    senteval_require(FASTTEXT_LIBRARY libfasttext-dev fastText SENTEVAL_FASTTEXT)
    add_library(senteval_libfasttext INTERFACE)
    target_include_directories(senteval_libfasttext SYSTEM INTERFACE ${FASTTEXT_INCLUDE_DIR})
    target_link_libraries(senteval_libfasttext INTERFACE ${FASTTEXT_LIBRARY})
endif()

# Datasets are fetched by libcurl, unpacked by libarchive, verified by OpenSSL's SHA-256; ICU knows characters.
find_package(CURL QUIET)
senteval_require(CURL_FOUND libcurl4-openssl-dev libcurl)
find_package(LibArchive QUIET)
senteval_require(LibArchive_FOUND libarchive-dev libarchive)
find_package(OpenSSL QUIET COMPONENTS Crypto SSL)
senteval_require(OPENSSL_FOUND libssl-dev OpenSSL)
find_package(ICU QUIET COMPONENTS uc)
senteval_require(ICU_FOUND libicu-dev ICU)

# Tests and the wheel need Python: Debian's, for which Debian has NumPy, also where another stands before it on the path.
if(NOT DEFINED Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python3_EXECUTABLE /usr/bin/python3)
endif()
find_package(Python3 3.8 QUIET COMPONENTS Interpreter)

if(SENTEVAL_BUILD_TESTS)
    find_package(doctest QUIET)
    senteval_require(doctest_FOUND doctest-dev doctest)
endif()
