#!/usr/bin/env bash
# Counts the lines of C and C++ in each part of the tree, and fails above its budget. A commit that raises one says
# what the user gets for it.
set -euo pipefail
cd "$(dirname "$0")/.."

tests='^\./tests/'
annex='^\./framework/annex/'
doors='^\./(plugins/(process|python|http|remote|precomputed)|framework/(library|python)|sdk)/'
families='^\./(plugins/(transformer|static|use|random/infersent)|framework/model_files)'

files=$(find . -path ./build -prune -o -type f -regextype posix-extended -regex '.*\.(c|cpp|h|hpp|in)' -print)
failed=0
at_most() { # WHAT BUDGET GREP-OPTION...: the lines of the files that grep chooses
    lines=$(grep -E "${@:3}" <<<"$files" | tr '\n' '\0' | xargs -0 cat | wc -l)
    echo "$1: $lines of at most $2 lines"
    [ "$lines" -le "$2" ] || { echo "tests/size.sh: too many lines of $1"; failed=1; }
}
at_most core 72180 -v -e "$tests" -e "$annex" -e "$doors" -e "$families"
at_most "model families" 8090 -e "$families"
at_most doors 5830 -e "$doors"
at_most annex 5520 -e "$annex"
at_most "product without the annex" 86050 -v -e "$tests" -e "$annex"
at_most product 91560 -v "$tests"
at_most tests 40990 -e "$tests"
files=$(find framework plugins sdk samples -name '*.py')
at_most "Python of the product" 2140 .
exit $failed
