#!/usr/bin/env bash
# seed_variance.sh VECTORS DATA STORES [NAME=MODEL]... > data/seed_variance.toml
#
# Runs encoders of several kinds with many seeds each on the published data (an hour on one processor), and measures
# how much seeds and items matter. VECTORS: GloVe 6B, 100 dimensions. DATA: the folder with downstream/. STORES: where
# results go; what is there already counts too. Further encoders, by what comes after the name of one:
#   paragram=FILE   of 'senteval train paragram' (ours: 5 epochs of PPDB 1.0 XXXL's lexical part from VECTORS)
#   fasttext=FILE   a model (ours: skipgram, 100 dimensions, trained on the sentences of the six tasks)
#   process=COMMAND any program (ours: Universal Sentence Encoder lite in Node)
set -euo pipefail
vectors=$1 data=$2 stores=$3
shift 3
top=$(cd "$(dirname "$0")/../.." && pwd)
senteval=$top/build/release/senteval
six=TREC,MRPC,CR,SICKEntailment,SICKRelatedness,STSBenchmark
others=MR,SUBJ,MPQA,SST2,SST5

# run NAME SEEDS TASKS OPTION...: a store for each encoder
run() {
  local name=$1 seeds=$2 tasks=$3
  shift 3
  "$senteval" run "$@" --seed 1 --seeds "$seeds" --resume --quiet --tasks "$tasks" --data "$data" \
    --output "$stores/$name" >/dev/null
}
words=(--set "vectors=$vectors")
for pooling in mean max min sum pmeans; do
  own=(--set "pooling=$pooling")
  [ $pooling != mean ] || own=() # results say what differs from the default
  run $pooling 30 $six --encoder glove "${own[@]}" "${words[@]}"
  [ $pooling = pmeans ] || run $pooling 20 $others --encoder glove "${own[@]}" "${words[@]}"
done
for name in borep esn lstm; do
  run $name 30 $six --encoder "random:$name" --set dimension=300 "${words[@]}"
done
run borep 20 $others --encoder random:borep --set dimension=300 "${words[@]}"
for further in "$@"; do
  name=${further%%=*} model=${further#*=}
  case $name in
    process) run $name 24 $six --encoder process --set "command=$model" --set processes=1 ;;
    *) run $name 30 $six --encoder "$name" --set "model=$model" ;;
  esac
done

echo "# How much the seed of the classifier matters: made by tests/simulation/seed_variance.sh."
echo "# encoders: id, dimension, parameters; scores: means over so many seeds; by_seed: variance of one fit;"
echo "# beside_items: what of it the items do not show;"
echo "# item_deviations: of an item's share in the difference of two encoders, by pair."
echo 'measured_with = "several kinds of encoders: GloVe 6B 100-d pooled in five ways, BOREP, ESN and LSTM 300 on it, paragram, fastText, USE lite; 20 to 60 seeds each, the default classifier"'
echo
"$top/build/release/simulation" table "$stores"/*
