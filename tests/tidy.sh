#!/usr/bin/env bash
# Runs clang-tidy over every source, or over those in whose path PATTERN is, and fails where it finds something.
#
#   tests/tidy.sh [PATTERN]      such as framework/run; an hour of one processor without
#
# The sources of a room are read as one, because most of the time goes into the headers they share. In tests vectors
# may grow as they like.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=build/tidy
cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSENTEVAL_BUILD_TESTS=ON -DCMAKE_UNITY_BUILD=ON \
    -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$folder.log" || { cat "$folder.log"; exit 1; }
sed -n 's/^  "file": "\(.*\)",\{0,1\}$/\1/p' "$folder/compile_commands.json" | sort -u | grep -e "${1:-.}" |
    tr '\n' '\0' |
    xargs -0 -n 1 -P "$(nproc)" sh -c 'case $1 in
            "$0"/tests/*) more=,-performance-inefficient-vector-operation ;;
            *) more= ;;
        esac
        exec nice clang-tidy -p "$0" --quiet --config-file=.clang-tidy --checks="-bugprone-suspicious-include$more" \
            --extra-arg=-Wno-unknown-warning-option \
            --header-filter="$PWD/(framework|plugins|sdk|tasks|tests)/.*\\.[ch]pp\$" "$1"' "$PWD/$folder" \
    2> >(grep -v ' warnings\? \(generated\|treated\)')
