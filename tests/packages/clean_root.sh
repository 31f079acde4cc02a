#!/usr/bin/env bash
# Installs the packages into a Debian 12 that has nothing else, and does there what the pages promise. By hand: it needs
# root, debootstrap and a network.
#
#   tests/packages/clean_root.sh [BUILD]     (default: build/release, where everything has been built)
set -euo pipefail
cd "$(dirname "$0")/../.."
build=$(realpath "${1:-build/release}")
root=$(mktemp -d --tmpdir senteval-root.XXXXXX)
trap 'rm -rf --one-file-system "$root"' EXIT

(cd "$build" && cpack -G DEB -B "$root/packages" >/dev/null)
ls -l "$root"/packages/*.deb
if command -v lintian >/dev/null; then
    lintian --allow-root --fail-on error "$root"/packages/*.deb
fi
debootstrap --variant=minbase bookworm "$root/tree" >/dev/null
mkdir "$root/tree/packages"
mv "$root"/packages/*.deb "$root/tree/packages"
mount -t proc proc "$root/tree/proc"
trap 'umount "$root/tree/proc"; rm -rf --one-file-system "$root"' EXIT

inside() {
    echo "+ $*"
    env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
        chroot "$root/tree" bash -e -c "cd; $*"
}
inside 'apt-get install -y -qq --no-install-recommends /packages/senteval_*.deb >/dev/null'
inside 'senteval --version'
inside 'senteval run -q /usr/share/senteval/samples/compare.toml --tasks MR STS12 --output results'
inside 'senteval run -q --encoder glove --set vectors=/usr/share/senteval/data/samples/vectors/sample.50d.txt \
    --tasks STS14 --data /usr/share/senteval/data/samples --output results'
inside 'senteval compare results >/dev/null; senteval report results -o report.html'
inside 'senteval check glove --set vectors=/usr/share/senteval/data/samples/vectors/sample.50d.txt'
inside 'apt-get install -y -qq --no-install-recommends /packages/python3-senteval_*.deb >/dev/null'
inside 'python3 -c "import senteval; print(senteval.__version__, senteval.engine.SE)"'
inside 'senteval run -q --encoder python --set script=/usr/share/senteval/samples/encoder_python/bow.py \
    --set args=vectors=/usr/share/senteval/data/samples/vectors/sample.50d.txt --tasks STS12 \
    --data /usr/share/senteval/data/samples --output results'
inside 'apt-get install -y -qq --no-install-recommends /packages/libsenteval-dev_*.deb g++ cmake make >/dev/null'
for sample in encoder_c encoder_cpp training_loop; do
    inside "cmake -S /usr/share/senteval/samples/$sample -B $sample >/dev/null && cmake --build $sample"
done
inside 'senteval run -q --encoder "$(ls encoder_cpp/*.so)" --tasks STS12 --data /usr/share/senteval/data/samples --output results'
inside 'apt-get install -y -qq --no-install-recommends man-db mandoc bash-completion >/dev/null'
inside 'for page in /usr/share/man/man1/senteval*; do mandoc -Tlint -Wwarning $page; done'
inside 'apt-get purge -y -qq senteval libsenteval-dev python3-senteval >/dev/null; ! ls /usr/share/senteval /usr/lib/senteval 2>/dev/null'
echo "everything works in a clean root"
