# senteval_add_encoder(NAME SOURCES...)
#
# Builds an encoder plugin from C or C++ sources: a module without "lib" in front, with hidden
# symbols, no undefined ones, and nothing exported but the entry point.
function(senteval_add_encoder name)
    set(exports "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/encoder-exports.map")
    add_library(${name} MODULE ${ARGN})
    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    if(CXX IN_LIST languages)
        target_link_libraries(${name} PRIVATE senteval::sdk)
    else()
        target_link_libraries(${name} PRIVATE senteval::abi)
    endif()
    set_target_properties(${name} PROPERTIES
        PREFIX ""
        C_VISIBILITY_PRESET hidden
        CXX_VISIBILITY_PRESET hidden
        VISIBILITY_INLINES_HIDDEN ON
        LINK_DEPENDS "${exports}")
    target_link_options(${name} PRIVATE "LINKER:--version-script=${exports}")
    if(NOT SENTEVAL_SANITIZE) # a sanitizer's run-time library is resolved in the program
        target_link_options(${name} PRIVATE "LINKER:-z,defs")
    endif()
endfunction()
