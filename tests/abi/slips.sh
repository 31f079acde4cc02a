#!/bin/sh
# A class with a slip in what it may leave out does not compile, and is told: slips.sh COMPILER INCLUDE_DIR
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# compiles MEMBER: an encoder with one more member
compiles() {
    cat >"$folder/plugin.cpp" <<END
#include <senteval/encoder.hpp>
using namespace senteval::sdk;
struct Slip {
    static constexpr Descriptor descriptor{.id = "slip", .name = "Slip", .version = "1", .description = "d"};
    explicit Slip(const Setup&) {}
    std::size_t dimension() const { return 1; }
    void encode(Call&, Batch, Matrix) const {}
    $1
};
SENTEVAL_PLUGIN(Slip);
END
    "$compiler" -std=c++20 -I"$include" -fsyntax-only "$folder/plugin.cpp" 2>"$folder/errors"
}
compiler=$1 include=$2

compiles ''
compiles 'void prepare(Call&, const Task&, Batch) {}'
for slip in 'void prepare(Call&, Batch) {}' \
    'void count_known(Batch, std::span<std::uint32_t>, std::span<std::uint32_t>) {}' \
    'void encode_as(Call&, Batch, Matrix) const {}' \
    'std::string identity() const { return ""; }' \
    'int ignores_prepare() const { return 0; }' \
    'std::uint32_t capabilities() { return 0; }'; do
    if compiles "$slip"; then
        echo "accepted: $slip" >&2
        exit 1
    fi
    grep -q '() must ' "$folder/errors"
done
