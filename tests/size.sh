#!/usr/bin/env bash
# Counts the lines of the product and of its tests, and fails above what was agreed.
set -euo pipefail
cd "$(dirname "$0")/.."

code() { # FILTER...: the C and C++ files of the tree that grep FILTER finds
    find . -path ./build -prune -o -type f -regextype posix-extended -regex '.*\.(c|cpp|h|hpp|in)' -print |
        grep "$@" || true
}
lines() { tr '\n' '\0' | xargs -0 cat | wc -l; }
at_most() { # WHAT NUMBER LIMIT
    echo "$1: $2 of at most $3"
    [ "$2" -le "$3" ] || { echo "tests/size.sh: too many $1"; exit 1; }
}

at_most "lines of the product" "$(code -v '^\./tests/' | lines)" 78413
at_most "files of the product" "$(code -v '^\./tests/' | wc -l)" 640
at_most "lines of tests" "$(code '^\./tests/' | lines)" 35000
