# accrue ir prints the IR of a source, accrue opt takes it on from there.
directive_program a.c
accrue ir a.c >import.ir
contains import.ir acc.parallel
contains import.ir acc.reduction
accrue ir a.c --after=outline -DUNUSED >outline.ir
contains outline.ir par.kernel
accrue ir --after=drop-host a.c >last.ir
lacks last.ir acc.parallel
contains last.ir par.fork

# The text is complete: read and printed again it is the same.
accrue opt import.ir >again.ir
same import.ir again.ir
accrue opt --pass=privatize,implicit-data import.ir >passes.ir
contains passes.ir implicit=true
accrue opt --pass=privatize --pass=implicit-data - <import.ir >stdin.ir
same passes.ir stdin.ir

# Directives made anew are the same directives, and the rest of the text is what it was.
cat >anew.c <<'END'
int f(int n, double *a) {
    double s = 0;
#pragma acc parallel loop pcopyin(a[0:n]) reduction(+ : s) gang device_type( \
    nvidia) vector_length(n * 32)
    for (int i = 0; i < n; i++) {
#pragma acc atomic
        s += a[i];
    }
    _Pragma("acc wait(n)")
    return s;
}
END
accrue ir anew.c --emit=pragmas >anew.txt
contains anew.txt '#pragma acc parallel loop copyin(a[0:n]) reduction(+: s) gang device_type(nvidia) vector_length(n * 32)'
contains anew.txt '#pragma acc atomic'
contains anew.txt 'acc wait(n)'
contains anew.txt 's += a[i];'
status 1 accrue ir anew.c --emit=pragmas -fopenmp
contains err.txt 'leave out -fopenmp'
status 1 accrue ir anew.c --emit=nonsense
contains err.txt 'opencl-cores and pragmas'

# Each pass by itself, on the text that the one before it has printed, gives what the whole pipeline gives. (For many programs:
# crates/accrue/src/stepwise.rs.)
status 1 accrue ir a.c --after=no-such-pass
passes=$(sed -n 's/.*the passes are //; s/,//gp' err.txt)
contains err.txt 'sites, drop-host'
for target in cpu gpu; do
    cp import.ir step.ir
    for pass in $passes; do
        accrue opt --pass=$pass --target=$target step.ir >next.ir
        mv next.ir step.ir
    done
    accrue ir a.c --target=$target --after=drop-host >whole.ir
    same whole.ir step.ir
done
status 1 accrue opt --target=toaster import.ir
contains err.txt toaster
status 1 accrue ir a.c --after=no-such-pass
contains err.txt 'implicit-data'
status 1 accrue opt --pass=no-such-pass import.ir
contains err.txt 'no-such-pass'
echo 'core.nonsense {' >bad.ir
status 1 accrue opt bad.ir
contains err.txt bad.ir
lacks err.txt panicked
# Text that pliron's parser trips over is a mistake at a place, not a defect of accrue.
printf 'builtin.module @m {\n  ^b():\n    v1, v2 = core.const <0: i32> : builtin.integer i32\n}\n' >bad.ir
status 1 accrue opt bad.ir
contains err.txt bad.ir:3:
lacks err.txt 'internal error'
printf 'core.store v0, v1\n' >bad.ir
status 1 accrue opt bad.ir
contains err.txt bad.ir:1:
lacks err.txt 'internal error'
sed '$a nonsense' import.ir >bad.ir
status 1 accrue opt bad.ir
status 1 accrue ir missing.c
status 1 accrue ir a.c a.c
no_temporary_files
