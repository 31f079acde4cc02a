#!/usr/bin/env bash
# training_sets.sh VECTORS DATA STORE
#
# One encoder on random training sets of 100, 300 and 1000 sentences of SUBJ, 2000 others to test on, each with
# 20 halves, by the convex classifier (on so few items the softmax head stops before it has learned):
# `simulation training STORE` then compares them as if each were an encoder. VECTORS: GloVe 6B, 100
# dimensions. DATA: the folder with downstream/. Takes minutes.
set -euo pipefail
vectors=$(realpath "$1") data=$(realpath "$2") store=$(realpath -m "$3")
top=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# As many random bytes as are read, the same every time.
random() { openssl enc -aes-256-ctr -pass "pass:$1" -nosalt -pbkdf2 </dev/zero 2>/dev/null; }
for class in objective subjective; do
  iconv -f latin1 -t utf-8 "$data/downstream/SUBJ/subj.$class" | tr '\t' ' ' | sed "s/\$/\t$class/"
done | shuf --random-source=<(random items) >"$work/all.tsv"
head -n 2000 "$work/all.tsv" >"$work/test.tsv"
tail -n +2001 "$work/all.tsv" >"$work/pool.tsv"

{
  printf '[run]\noutput = "%s"\n[[encoder]]\nname = "glove"\n[encoder.parameters]\nvectors = "%s"\n' "$store" "$vectors"
  for size in 100 300 1000; do
    for set in $(seq 25); do
      shuf -n "$size" --random-source=<(random "$size-$set") "$work/pool.tsv" >"$work/$size-$set.tsv"
      printf '[[task]]\nname = "SUBJ%s-%s"\nprotocol = "classification"\ntrain = "%s/%s-%s.tsv"\ntest = "%s/test.tsv"\n' \
        "$size" "$set" "$work" "$size" "$set" "$work"
    done
  done
} >"$work/run.toml"
"${SENTEVAL:-$top/build/release/senteval}" run "$work/run.toml" --classifier logreg-newton --seeds 2 \
  --resample-training 20 --quiet >/dev/null
