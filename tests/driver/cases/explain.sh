# needs: python3
# accrue explain and -Minfo tell what became of regions; with ptxas also what their kernels need.
directive_program a.c
cat >ptxas <<'END'
#!/bin/sh
# A stand-in: its figures are the same for every kernel.
for word; do
    case $word in
        -arch=*) gpu=${word#-arch=} ;;
        *.cubin) image=$word ;;
        *.ptx) text=$word ;;
    esac
done
echo "$gpu" >"$image"
for kernel in $(sed -n 's/^\.visible \.entry \([a-z0-9_]*\).*/\1/p' "$text"); do
    echo "ptxas info    : Compiling entry function '$kernel' for '$gpu'"
    echo "ptxas info    : Function properties for $kernel"
    echo "    8 bytes stack frame, 16 bytes spill stores, 24 bytes spill loads"
    echo "ptxas info    : Used 70 registers, used 1 barriers, 8 bytes cumulative stack size, 1000 bytes smem"
done >&2
END
chmod +x ptxas
export ACCRUE_PTXAS=$PWD/ptxas

status 0 accrue explain a.c
contains out.txt 'a.c:6:'
contains out.txt '#pragma acc parallel loop reduction(+ : sum) copyin(a) (in main)'
contains out.txt 'loop is gang vector'
# 256 threads with 72 registers each, of 65536; 7000 bytes would allow many more.
contains out.txt 'sm_90: 70 registers'
contains out.txt '8 bytes of local memory, spills: 16 bytes stored, 24 loaded; 3 gangs at once on a multiprocessor'
contains out.txt 'occupancy 37 %, limited by registers'
accrue explain -gpu=sm_75,cc89 a.c >two.txt
contains two.txt 'sm_75'
contains two.txt 'sm_89'
lacks two.txt 'sm_90'
accrue explain -gpu=noaot a.c >none.txt
lacks none.txt 'sm_90'

# For tools.
accrue explain a.c --json -O2 >a.json
python3 - <<'END'
import json
report = json.load(open("a.json"))
first, second = report["regions"]
assert first["line"] == 6 and second["line"] == 8, report
assert second["loops"][0]["levels"] == ["gang", "vector"]
assert second["loops"][0]["chosen_by"] == "compiler"
gpu = second["kernels"][0]["gpu"]
assert gpu["vector"]["value"] == 256 and gpu["gangs"]["value"] is None
assert gpu["assembled"][0]["occupancy"] == {"gangs_at_once": 3, "percent": 37, "limit": "registers"}
assert [d["name"] for d in second["data"] if d["implicit"]] == ["sum"]
END

# While compiling: the same report, but ptxas runs only where machine code is wanted.
for option in -Minfo -Minfo=accel -Minfo=all; do
    accrue cc -fopenacc $option -c a.c -o a.o 2>err.txt
    same none.txt err.txt
done
accrue cc -fopenacc -Minfo=accel -gpu=sm_90 a.c -o a 2>err.txt
contains err.txt 'sm_90: 70 registers'
./a
accrue cc -fopenacc -c a.c -o a.o 2>err.txt
[ ! -s err.txt ] || fail 'a report nobody asked for'

# An assembler that is missing or fails costs the figures only.
ACCRUE_PTXAS= PATH=$(dirname "$(command -v accrue)"):/usr/bin:/bin accrue explain a.c >out.txt
contains out.txt 'loop is gang vector'
printf '#!/bin/sh\necho broken >&2\nexit 1\n' >ptxas
status 0 accrue explain a.c
contains out.txt 'note:'
contains out.txt 'broken'

# Mistakes are reported as by accrue cc.
printf 'int main(void) {\n#pragma acc parallel nonsense\n;}\n' >bad.c
status 1 accrue explain bad.c
contains err.txt 'bad.c:2'
status 1 accrue explain missing.c
status 1 accrue explain
no_temporary_files
