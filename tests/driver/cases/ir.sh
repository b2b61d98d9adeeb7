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

# The text is complete: passes over it give what they give inside the compiler.
strip() { sed 's/_v[0-9]*//g; s/v[0-9]*/v/g; s/!.*//; /^ *$/d' "$1" | sed '/outlined_attributes/,$d'; }
accrue opt import.ir >again.ir
strip import.ir | grep -c acc. >expected
strip again.ir | grep -c acc. >got
same expected got
accrue opt --pass=privatize,implicit-data import.ir >passes.ir
contains passes.ir implicit=true
accrue opt --pass=privatize --pass=implicit-data - <import.ir >stdin.ir
same passes.ir stdin.ir

accrue opt --pass=device-types,check-clauses,helper-globals,privatize,implicit-data,dependence,assign-levels,phases,outline,partition \
    --target=gpu import.ir >cyclic.ir
accrue ir a.c --target=gpu --after=partition >expected.ir
strip cyclic.ir | grep -c core. >got
strip expected.ir | grep -c core. >expected
same expected got
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
