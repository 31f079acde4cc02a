#!/usr/bin/env bash
# Installs what is missing, builds build/release/senteval, and compares the bundled encoders on the
# sample data. Further arguments go to `senteval run`.
set -euo pipefail
cd "$(dirname "$0")/.."

samples/install_dependencies.sh build
[ -f build/release/build.ninja ] || cmake --preset release -DSENTEVAL_BUILD_TESTS=OFF -DCMAKE_UNITY_BUILD=ON
cmake --build --preset release --target senteval
build/release/senteval run samples/compare.toml "$@"
build/release/senteval compare results
