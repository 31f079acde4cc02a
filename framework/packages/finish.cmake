# Makes of what was installed for each package what Debian's policy asks of its files. Run by cpack.
cmake_policy(VERSION 3.25)

function(must_run)
    execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(add_documents tree package)
    set(documents ${tree}/usr/share/doc/${package})
    file(READ ${CPACK_SENTEVAL_LICENSE} license)
    string(REGEX MATCH "Copyright \\(c\\) ([^\n]*)" _ "${license}")
    set(holder ${CMAKE_MATCH_1})
    string(REGEX REPLACE "^.*(Permission is)" "\\1" license "${license}")
    string(STRIP "${license}" license)
    string(REPLACE "\n\n" "\n.\n" license "${license}")
    string(REPLACE "\n" "\n " license "${license}")
    file(WRITE ${documents}/copyright
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        "Upstream-Name: senteval-cpp\n\nFiles: *\nCopyright: ${holder}\nLicense: Expat\n\n"
        "License: Expat\n ${license}\n")
    execute_process(COMMAND date --utc --rfc-email --date=${CPACK_SENTEVAL_DATE}
        OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    file(WRITE ${documents}/changelog.Debian
        "senteval (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n"
        "  * See /usr/share/doc/senteval/changelog.gz.\n\n"
        " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
    if(EXISTS ${documents}/CHANGELOG.md)
        file(RENAME ${documents}/CHANGELOG.md ${documents}/changelog)
    endif()
    file(REMOVE ${documents}/LICENSE) # it is in `copyright`
endfunction()

function(finish tree package)
    add_documents(${tree} ${package})
    file(GLOB_RECURSE compressed ${tree}/usr/share/man/* ${tree}/usr/share/doc/${package}/changelog*)
    if(compressed)
        must_run(gzip -9 --no-name ${compressed})
    endif()
    file(GLOB_RECURSE files ${tree}/*)
    foreach(file IN LISTS files)
        set(mode OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
        file(READ ${file} begin LIMIT 4 HEX)
        if(begin STREQUAL 7f454c46 AND NOT IS_SYMLINK ${file})
            must_run(strip --strip-unneeded --remove-section=.comment --remove-section=.note ${file})
        endif()
        if(file MATCHES "/(bin|libexec)/" OR begin MATCHES "^2321") # programs, and scripts that say by what
            list(APPEND mode OWNER_EXECUTE GROUP_EXECUTE WORLD_EXECUTE)
        endif()
        if(NOT IS_SYMLINK ${file})
            file(CHMOD ${file} FILE_PERMISSIONS ${mode})
        endif()
    endforeach()
endfunction()

foreach(pair IN ITEMS program:senteval development:libsenteval-dev python:python3-senteval mpi:senteval-mpi)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 component)
    list(GET pair 1 package)
    if(EXISTS ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component})
        finish(${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component} ${package})
    endif()
endforeach()
