#!/usr/bin/env bash
# seed_variance.sh VECTORS DATA STORES > data/seed_variance.toml
#
# Runs several encoders with 60 seeds each on the published data (minutes), and measures how much seeds and
# items matter. VECTORS: GloVe 6B, 100 dimensions. DATA: the folder with downstream/. STORES: where results go.
set -euo pipefail
vectors=$1 data=$2 stores=$3
top=$(cd "$(dirname "$0")/../.." && pwd)
senteval=$top/build/release/senteval

# run NAME OPTION...: a store for each encoder and classifier
run() {
  local name=$1
  shift
  "$senteval" run "$@" --set "vectors=$vectors" --seed 1 --seeds 60 --resume --quiet \
    --tasks MR,CR,SUBJ,MPQA,SST2,SST5,TREC,MRPC,SICKEntailment,SICKRelatedness,STSBenchmark \
    --data "$data" --output "$stores/$name" >/dev/null
}
run mean --encoder glove
run max --encoder glove --set pooling=max
run borep --encoder random:borep --set dimension=300

echo "# How much the seed of the classifier matters: made by tests/simulation/seed_variance.sh."
echo "# by_seed: variance of one fit, by encoder; beside_items: what of it the items do not show;"
echo "# item_deviations: of an item's share in the difference of two encoders, by pair."
echo 'measured_with = "GloVe 6B 100-d: mean, maximum, BOREP 300; 60 seeds each, the default classifier"'
echo
"$top/build/release/simulation" table "$stores"/*
