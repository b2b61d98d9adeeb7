#!/bin/sh
# Builds heat.c with directives (accrue) and without (the plain compiler), runs it on all cores, on one core and with
# directives ignored, and prints the times. ACCRUE names the compiler, CC the plain one, OUT the output directory.
#
#     examples/heat/run.sh [cells per side] [steps]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
accrue=${ACCRUE:-accrue}
cc=${CC:-cc}
out=${OUT:-$here/../../target/demo}
n=${1:-1000}
steps=${2:-2000}

command -v "$accrue" >/dev/null || {
    echo "run.sh: $accrue not found; build it with \`cargo build --release\` and set ACCRUE to its path" >&2
    exit 1
}
mkdir -p "$out"
out=$(cd "$out" && pwd)
cores=$(nproc)

build() {
    echo "+ $*"
    "$@"
}
build "$accrue" cc -O3 -march=native -fopenacc "$here/heat.c" "$here/png.c" -o "$out/heat" -lm
build "$cc" -O3 -march=native -Wno-unknown-pragmas "$here/heat.c" "$here/png.c" -o "$out/heat_plain" -lm
echo

echo "all $cores cores:"
"$out/heat" "$n" "$steps" "$out/heat.png" | tee "$out/all.txt"
ACC_NUM_CORES=1 "$out/heat" "$n" "$steps" >"$out/one.txt"
"$out/heat_plain" "$n" "$steps" >"$out/plain.txt"
echo

value() { sed -n "s/^$1 \([0-9.]*\).*/\1/p" "$out/$2.txt"; }
awk -v all="$(value time all)" -v one="$(value time one)" -v plain="$(value time plain)" \
    -v mean_all="$(value mean all)" -v mean_one="$(value mean one)" -v mean_plain="$(value mean plain)" \
    -v cores="$cores" -v n="$n" -v steps="$steps" '
function same(a, b) { return (a > b ? a - b : b - a) < 1e-6 }
BEGIN {
    printf "heat, %d x %d cells, %d steps      time      speed-up\n", n, n, steps
    printf "  directives ignored (plain cc)   %7.3f s    1.00\n", plain
    printf "  accrue, one core                %7.3f s   %5.2f\n", one, plain / one
    printf "  accrue, all %3d cores           %7.3f s   %5.2f\n", cores, all, plain / all
    if (!same(mean_all, mean_plain) || !same(mean_one, mean_plain)) {
        print "the results differ: " mean_all ", " mean_one ", " mean_plain
        exit 1
    }
    print "  the three results agree"
}'
echo "picture: $out/heat.png"
