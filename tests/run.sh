#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test. Further arguments go to ctest.
#
#   tests/run.sh [release|debug|asan|tsan|coverage] [-R REGEX ...]
#
# asan: under the address and undefined-behaviour sanitizers. tsan: under the thread sanitizer.
# coverage: says which share of the lines the tests execute, and fails below 85 %.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=release
case ${1-} in
    release | debug | asan | tsan | coverage) preset=$1; shift ;;
esac

# A fresh build is several times faster with the files of a room compiled together; a later one, after a
# small change, is faster without, so what a build folder began with it keeps.
configuration=(-DSENTEVAL_BUILD_TESTS=ON -DSENTEVAL_WERROR=ON)
[ -f "build/$preset/build.ninja" ] || configuration+=(-DCMAKE_UNITY_BUILD=ON)

packages=(build test)
[ "$preset" != coverage ] || packages+=(coverage)
samples/install_dependencies.sh "${packages[@]}"
cmake --preset "$preset" "${configuration[@]}"
cmake --build --preset "$preset"
[ "$preset" != coverage ] || find "build/$preset" -name '*.gcda' -delete

failed="build/$preset/Testing/Temporary/LastTestsFailed.log"
rm -f "$failed"
# A test that fails beside others on a busy machine is run again, alone: what is broken fails twice, and
# what passes then is named, because a test that does not hold its own is a defect too.
if ! ctest --preset "$preset" --output-on-failure --parallel "$(nproc)" "$@"; then
    [ -s "$failed" ] || exit 1
    unsteady=$(cut -d: -f2- "$failed")
    echo "once more, one after the other: $(wc -l <"$failed") tests"
    ctest --preset "$preset" --output-on-failure --rerun-failed
    printf 'unsteady: failed beside others and passed alone:\n%s\n' "$unsteady"
fi
if [ "$preset" = coverage ]; then
    gcovr --root . --object-directory "build/$preset" -j "$(nproc)" --exclude-throw-branches \
        --filter framework/ --filter sdk/ --filter plugins/ --filter tasks/ \
        --print-summary --fail-under-line 85 --txt "build/$preset/coverage.txt"
fi
