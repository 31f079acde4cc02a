# How every target of the project is compiled. The SDK's consumers see none of this.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})

add_library(senteval_compiler INTERFACE)
target_compile_options(senteval_compiler INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow $<$<BOOL:${SENTEVAL_WERROR}>:-Werror>
    $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion> # no part of g++'s -Wconversion
    # g++ 12 reports these falsely inside the standard library and Armadillo when it optimises.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized -Wno-restrict
        -Wno-stringop-overflow -Wno-array-bounds>)
if(CMAKE_UNITY_BUILD)
    set(CMAKE_UNITY_BUILD_BATCH_SIZE 24) # most of a file's time are its headers
    # A local name may be that of another file's function.
    target_compile_options(senteval_compiler INTERFACE -Wno-shadow)
endif()

# A product and a sum are fused where the code says so and nowhere else: the same bits on every processor,
# by every compiler. Where none is told to use a fused instruction, none can, and the option says nothing.
include(CheckCXXSourceCompiles)
check_cxx_source_compiles("
    #if !defined(__x86_64__) || defined(__FMA__) || defined(__FMA4__)
    #error a fused instruction may be chosen
    #endif
    int main() {}" SENTEVAL_CANNOT_FUSE)
if(NOT SENTEVAL_CANNOT_FUSE)
    add_compile_options(-ffp-contract=off)
endif()

if(SENTEVAL_SANITIZE)
    add_compile_options(-fsanitize=${SENTEVAL_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${SENTEVAL_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang") # which does not say so itself, as g++ does
        if(SENTEVAL_SANITIZE MATCHES "address")
            add_compile_definitions(__SANITIZE_ADDRESS__=1)
        endif()
        if(SENTEVAL_SANITIZE MATCHES "thread")
            add_compile_definitions(__SANITIZE_THREAD__=1)
        endif()
    endif()
endif()
if(SENTEVAL_FUZZ)
    add_compile_options(-fsanitize=fuzzer-no-link)
endif()
if(SENTEVAL_COVERAGE)
    add_compile_options(--coverage -fprofile-update=atomic)
    add_link_options(--coverage -Wl,--exclude-libs,libgcov.a) # a plugin exports its entry alone
endif()

# Compiles TARGET with few optimisations, in two thirds of the time: for what reads commands, writes pages or
# tests, whose own time is nothing beside what it calls.
function(senteval_compile_fast target)
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# senteval_add_room(NAME SOURCES file... [LINK target...])
#
# One room of the framework as a static library `senteval_NAME`, with its headers reachable as
# "NAME/header.hpp". LINK names the rooms that it uses (which it may: ARCHITECTURE.md).
function(senteval_add_room name)
    cmake_parse_arguments(PARSE_ARGV 1 room "" "" "SOURCES;LINK")
    add_library(senteval_${name} STATIC ${room_SOURCES})
    target_link_libraries(senteval_${name} PUBLIC ${room_LINK} PRIVATE senteval_compiler)
    cmake_path(GET CMAKE_CURRENT_SOURCE_DIR PARENT_PATH parent)
    target_include_directories(senteval_${name} PUBLIC ${parent})
endfunction()

# senteval_embed(FILE ROOM NAME)
#
# The text of FILE as the constant senteval::ROOM::NAME of the header "ROOM/NAME.hpp". Call it in the room's folder.
function(senteval_embed file namespace name)
    cmake_path(ABSOLUTE_PATH file NORMALIZE)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE source)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} content)
    configure_file(${PROJECT_SOURCE_DIR}/framework/cmake/embedded.hpp.in
        ${CMAKE_CURRENT_BINARY_DIR}/${namespace}/${name}.hpp @ONLY)
endfunction()
