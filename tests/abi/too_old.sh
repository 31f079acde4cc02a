#!/bin/sh
# Below C++20, encoder.hpp is one error that says so: too_old.sh COMPILER INCLUDE_DIR
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
echo '#include <senteval/encoder.hpp>' >"$folder/plugin.cpp"
for standard in 11 17; do
    if "$1" -std=c++$standard -I"$2" -fsyntax-only "$folder/plugin.cpp" 2>"$folder/errors"; then
        echo "C++$standard was accepted" >&2
        exit 1
    fi
    grep -q 'needs C++20' "$folder/errors"
    [ "$(grep -c ' error: ' "$folder/errors")" -eq 1 ]
done
"$1" -std=c++20 -I"$2" -fsyntax-only "$folder/plugin.cpp"
