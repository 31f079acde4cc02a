#!/bin/sh
# Compares the committed sample data (bytes) or word vectors and fastText model (likeness) with a fresh
# generation.
#
#   tests/data/regenerate.sh datasets|vectors|fasttext      exit code 77: cannot be run here
set -eu
data=$(cd "$(dirname "$0")/../../data" && pwd)
python=/usr/bin/python3 # Debian's, which has Debian's NumPy; another one may come first in PATH
[ -x "$python" ] || python=$(command -v python3) || { echo "no python3: skipped"; exit 77; }
export PYTHONDONTWRITEBYTECODE=1

case $1 in
    datasets) exec "$python" "$data/generate_samples.py" --check "$data/samples" ;;
    vectors)
        "$python" -c "import numpy" 2>/dev/null || { echo "no NumPy: skipped"; exit 77; }
        exec "$python" "$data/train_vectors.py" --check "$data/samples/vectors/sample.50d.txt"
        ;;
    fasttext)
        command -v fasttext >/dev/null || { echo "no fasttext: skipped"; exit 77; }
        exec "$python" "$data/train_fasttext.py" --check "$data/samples/vectors/sample.fasttext.bin"
        ;;
esac
echo "usage: $0 datasets|vectors|fasttext" >&2
exit 2
