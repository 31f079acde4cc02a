#!/bin/sh
# Compiles the example in the comment at the top of encoder.hpp: example.sh COMPILER INCLUDE_DIR
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed -n '/^\/\/     #include <senteval/,/^\/\/     SENTEVAL_PLUGIN(/s,^// *,,p' \
    "$2/senteval/encoder.hpp" >"$folder/example.cpp"
grep -q '^SENTEVAL_PLUGIN(LengthEncoder);' "$folder/example.cpp"
"$1" -std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -I"$2" -fsyntax-only \
    "$folder/example.cpp"
