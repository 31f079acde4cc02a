#!/usr/bin/env bash
# Runs both commands of the README in a Debian that has nothing else. Says "skipped" where one is not root, or has no
# debootstrap or no network. The root is kept, so that a second run is quicker: in $SENTEVAL_ROOTS, or in ~/.cache.
#
#   tests/debian.sh 12|13 [COMMAND ...]      (default: samples/quickstart.sh, then tests/run.sh)
set -euo pipefail
cd "$(dirname "$0")/.."

case ${1-} in
    12) release=bookworm ;;
    13) release=trixie ;;
    *) echo "usage: $0 12|13 [COMMAND ...]" >&2; exit 2 ;;
esac
root=${SENTEVAL_ROOTS:-${XDG_CACHE_HOME:-$HOME/.cache}/senteval-roots}/$release
shared=$(realpath "${SENTEVAL_SHARED:-../shared}")
shift
skip() { echo "skipped: Debian $release: $1"; exit 0; }
[ "$(id -u)" -eq 0 ] || skip "not root"
command -v debootstrap >/dev/null || skip "no debootstrap"

if [ ! -e "$root/complete" ]; then
    rm -rf --one-file-system "$root"
    mkdir -p "$root"
    debootstrap --variant=minbase "$release" "$root" >"$root.log" 2>&1 || skip "debootstrap failed, see $root.log"
    touch "$root/complete"
fi
mkdir -p "$root/source" "$root/shared"
find "$root/source" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf --one-file-system {} +
git archive HEAD | tar -x -C "$root/source"

mounted=()
unmount() { for one in "${mounted[@]}"; do umount -R "$one"; done; }
trap unmount EXIT
attach() { mount "${@:2}" "$root/$1"; mounted=("$root/$1" "${mounted[@]}"); }
attach proc -t proc proc
attach dev --rbind /dev
mount --make-rslave "$root/dev"
[ ! -d "$shared" ] || attach shared --bind -o ro "$shared"

inside() {
    echo "+ $*"
    env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        SENTEVAL_SHARED=/shared chroot "$root" bash -e -c "cd /source; $*"
}
if [ $# -gt 0 ]; then
    inside "$*"
else
    inside samples/quickstart.sh
    inside tests/run.sh
fi
