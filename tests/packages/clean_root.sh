#!/usr/bin/env bash
# Builds the packages in a Debian, installs them into one that has nothing else, and does there what the pages promise.
# By hand: it needs root, debootstrap and a network.
#
#   tests/packages/clean_root.sh 12|13
set -euo pipefail
cd "$(dirname "$0")/../.."

tests/debian.sh "$1" '
samples/install_dependencies.sh build
apt-get install -y -qq --no-install-recommends dpkg-dev file lintian >/dev/null
[ -f build/release/build.ninja ] || cmake --preset release -DCMAKE_UNITY_BUILD=ON -DSENTEVAL_BUILD_TESTS=OFF
cmake --build --preset release
rm -rf build/release/packages
(cd build/release && cpack -G DEB -B packages >/dev/null)
ls -l build/release/packages/*.deb
lintian --allow-root --fail-on error build/release/packages/*.deb'

tests/debian.sh "$1" --bare '
cd
install() { apt-get install -y -qq --no-install-recommends "$@" >/dev/null; }
packages=/source/build/release/packages
samples=/usr/share/senteval/samples
data=/usr/share/senteval/data/samples
vectors=vectors=$data/vectors/sample.50d.txt
set -x
install $packages/senteval_*.deb
senteval --version
senteval run -q $samples/compare.toml --tasks MR STS12 --output results
senteval run -q --encoder glove --set $vectors --tasks STS14 --data $data --output results
senteval compare results >/dev/null
senteval report results -o report.html
senteval check glove --set $vectors
install $packages/python3-senteval_*.deb
python3 -c "import senteval; print(senteval.__version__, senteval.engine.SE)"
senteval run -q --encoder python --set script=$samples/encoder_python/bow.py --set args=$vectors --tasks STS12 --data $data \
    --output results
install $packages/libsenteval-dev_*.deb g++ cmake make
for sample in encoder_c encoder_cpp training_loop; do
    cmake -S $samples/$sample -B $sample >/dev/null
    cmake --build $sample
done
senteval run -q --encoder "$(ls encoder_cpp/*.so)" --tasks STS12 --data $data --output results
install man-db mandoc bash-completion
for page in /usr/share/man/man1/senteval*; do mandoc -Tlint -Wwarning $page; done
apt-get purge -y -qq senteval libsenteval-dev python3-senteval >/dev/null
[ ! -e /usr/share/senteval ] && [ ! -e /usr/lib/senteval ]'
echo "everything works in a clean root"
