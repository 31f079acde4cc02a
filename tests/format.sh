#!/usr/bin/env bash
# Formats every C and C++ file of the project; with --check only says which differ, and fails.
set -euo pipefail
cd "$(dirname "$0")/.."

mode=(-i)
[ "${1:-}" != --check ] || mode=(--dry-run -Werror)
git ls-files --cached --others --exclude-standard '*.c' '*.h' '*.cpp' '*.hpp' | xargs -r clang-format "${mode[@]}"
