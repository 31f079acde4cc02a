#!/usr/bin/env bash
# seed_variance.sh VECTORS DATA STORES PARAGRAM [NAME=MODEL]... > data/seed_variance.toml
#
# Runs encoders of several kinds with many seeds each on the published data (an hour on two processors), and measures
# how much seeds and items matter. VECTORS: GloVe 6B, 100 dimensions. DATA: the folder with downstream/. STORES: where
# results go; what is there already counts too. PARAGRAM: a model of 'senteval train paragram --epochs 5' on the lexical
# part of PPDB 1.0 XXXL, from VECTORS. NAME=MODEL: further encoders that have a model, such as fasttext=FILE (one that
# was trained on the tasks' own sentences alone called nearly all of CR the same, and was left out), or
# process=COMMAND.
set -euo pipefail
vectors=$1 data=$2 stores=$3 paragram=$4
shift 4
top=$(cd "$(dirname "$0")/../.." && pwd)
senteval=$top/build/release/senteval
six=CR,TREC,MRPC,SICKEntailment,SICKRelatedness,STSBenchmark
five=MR,SUBJ,MPQA,SST2,SST5

# run NAME SEEDS TASKS OPTION...: a store for each encoder
run() {
  local name=$1 seeds=$2 tasks=$3
  shift 3
  "$senteval" run "$@" --seed 1 --seeds "$seeds" --resume --quiet --tasks "$tasks" --data "$data" \
    --output "$stores/$name" >/dev/null
}
words=(--set "vectors=$vectors")

# both NAME OPTION...: an encoder on all of them
both() {
  local name=$1
  shift
  run "$name" 120 $six "$@"
  run "$name" 30 $five "$@"
}
run mean 480 $six --encoder glove "${words[@]}"
run sum 480 $six --encoder glove --set pooling=sum "${words[@]}" # its scores on MRPC have long tails
run mean 60 $five --encoder glove "${words[@]}"
for pooling in max min sum pmeans; do
  both $pooling --encoder glove --set pooling=$pooling "${words[@]}"
done
for name in borep esn lstm; do
  both $name --encoder "random:$name" --set dimension=300 "${words[@]}"
done
both paragram --encoder paragram --set "model=$paragram"
for further in "$@"; do
  name=${further%%=*}
  key=model
  [ "$name" != process ] || key=command
  both "$name" --encoder "$name" --set "$key=${further#*=}"
done

echo "# How much the seed of the classifier matters: made by tests/simulation/seed_variance.sh."
echo "# encoders: id, dimension, parameters; scores: means over so many seeds; by_seed: variance of one fit (by"
echo "# the outermost 5 % of the pairs of seeds, where few lie far from the rest);"
echo "# beside_items: what of it the items do not show (negative where they show more); along: by how much the"
echo "# items of two fits differ more for each square of the difference of their scores; norms: of the vectors;"
echo "# item_deviations: of an item's share in the difference of two encoders, by pair."
echo 'measured_with = "nine encoders of several kinds: GloVe 6B 100-d pooled in five ways, BOREP, ESN and LSTM 300 on it, paragram 100-d; 30 to 480 seeds each, the default classifier"'
echo
"$top/build/release/simulation" table "$stores"/*
