#!/usr/bin/env bash
# Runs both commands of the README in a Debian that has nothing else. Says "skipped" where one is not root, or has no
# debootstrap or no network. The roots are kept, so that a second run is quicker: in $SENTEVAL_ROOTS, or in ~/.cache.
#
#   tests/debian.sh 12|13 [COMMAND ...]      (default: samples/quickstart.sh, then tests/run.sh)
#   tests/debian.sh 12|13 --bare COMMAND ... in a new root without packages, beside the sources and build of the other
set -euo pipefail
cd "$(dirname "$0")/.."

case ${1-} in
    12) release=bookworm ;;
    13) release=trixie ;;
    *) echo "usage: $0 12|13 [--bare] [COMMAND ...]" >&2; exit 2 ;;
esac
skip() { echo "skipped: Debian $1: $2"; exit 0; }
[ "$(id -u)" -eq 0 ] || skip "$1" "not root"
command -v debootstrap >/dev/null || skip "$1" "no debootstrap"
kept=${SENTEVAL_ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/senteval-roots}/$release
shared=$(realpath "${SENTEVAL_SHARED:-../shared}")

if [ ! -d "$kept.bare" ]; then
    rm -rf --one-file-system "$kept.part"
    mkdir -p "$kept.part"
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Label: Debian' | head -n 1) || true # this machine's, if it has one
    debootstrap --variant=minbase "$release" "$kept.part" ${mirror:+"$mirror"} >"$kept.log" 2>&1 ||
        skip "$1" "debootstrap failed, see $kept.log"
    echo force-unsafe-io >"$kept.part/etc/dpkg/dpkg.cfg.d/unsafe-io" # it may be lost
    mv "$kept.part" "$kept.bare"
fi
copy() { rm -rf --one-file-system "$1" "$kept.part"; cp -a "$kept.bare" "$kept.part"; mv "$kept.part" "$1"; }
[ -d "$kept" ] || copy "$kept"
mkdir -p "$kept/source"
find "$kept/source" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf --one-file-system {} +
tar -c --exclude=./build --exclude=./.git . | tar -x --no-same-owner -C "$kept/source"
root=$kept

mounted=()
unmount() { for one in "${mounted[@]}"; do umount -Rl "$one"; done; }
trap unmount EXIT
attach() { mkdir -p "$root/$1"; mount "${@:2}" "$root/$1" && mounted=("$root/$1" "${mounted[@]}"); }
if [ "${2-}" = --bare ]; then
    root=$kept.new
    copy "$root"
    attach source --bind "$kept/source"
    shift
fi
attach proc -t proc proc || skip "$1" "no mounts"
attach sys -t sysfs -o ro sysfs
attach dev --rbind /dev
mount --make-rslave "$root/dev"
[ ! -d "$shared" ] || attach shared --bind -o ro "$shared"

inside() {
    echo "+ $*"
    env -i HOME=/tmp PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        SENTEVAL_SHARED=/shared chroot "$root" bash -e -c "cd /source; $*"
}
inside 'apt-get update -qq -o APT::Update::Error-Mode=any' || skip "$1" "no network"
if [ $# -gt 1 ]; then
    inside "${*:2}"
else
    inside samples/quickstart.sh
    inside tests/run.sh
fi
