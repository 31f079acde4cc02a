#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test. Further arguments go to ctest.
#
#   tests/run.sh [-R REGEX ...]
set -euo pipefail
cd "$(dirname "$0")/.."

samples/install_dependencies.sh build test
cmake --preset release -DSENTEVAL_BUILD_TESTS=ON
cmake --build --preset release
ctest --preset release --output-on-failure --parallel "$(nproc)" "$@"
