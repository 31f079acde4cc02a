#!/usr/bin/env bash
# Installs the packages of Debian 12, 13 or Ubuntu 24.04 that senteval needs and that are missing, and says which.
#
#   samples/install_dependencies.sh [build] [mpi] [test] [coverage]     (default: build)
set -euo pipefail

build_packages=(
    g++ cmake ninja-build
    libboost-dev libboost-filesystem-dev
    libarmadillo-dev libopenblas-dev libopenblas0-pthread liblapack-dev
    libtomlplusplus-dev libcli11-dev libfmt-dev nlohmann-json3-dev libxxhash-dev
    libfasttext-dev libcurl4-openssl-dev libarchive-dev libssl-dev libicu-dev zlib1g-dev libcsv-dev
    libdnnl-dev libstemmer-dev
)
test_packages=(
    doctest-dev fasttext locales make patchelf python3 python3-numpy python3-jsonschema chromium poppler-utils debootstrap
)
mpi_packages=(libopenmpi-dev openmpi-bin)

[ $# -gt 0 ] || set -- build
wanted=()
for set in "$@"; do
    case $set in
        build) wanted+=("${build_packages[@]}") ;;
        mpi) wanted+=("${mpi_packages[@]}") ;;
        test) wanted+=("${test_packages[@]}" "${mpi_packages[@]}") ;;
        coverage) wanted+=(gcovr) ;;
        *) echo "usage: $0 [build] [mpi] [test] [coverage]" >&2; exit 2 ;;
    esac
done

if ! command -v dpkg-query >/dev/null; then
    echo "not Debian or Ubuntu: install, by its names here, what Debian calls ${wanted[*]}" >&2
    exit 1
fi
installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' | sed -n 's/^installed //p')
missing=()
for package in "${wanted[@]}"; do
    grep -qxF -e "$package" -e "$package-browser" <<<"$installed" || missing+=("$package") # Ubuntu's chromium-browser
done
[ ${#missing[@]} -gt 0 ] || exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "missing packages, and neither root nor sudo: apt install ${missing[*]}" >&2
        exit 1
    }
    as_root=(sudo)
fi
echo "installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -q
"${as_root[@]}" apt-get install -q -y --no-install-recommends "${missing[@]}"
