# The exit code of the failing step, no output, and the other sources are compiled all the same.
openacc_probe a.c
echo 'int broken' >broken.c
echo 'int g(void); int main(void) { return g(); }' >undefined.c
status 1 accrue cc -fopenacc -c broken.c
absent broken.o
status 1 accrue cc -fopenacc broken.c -o p
absent p
status 1 accrue cc -fopenacc -c broken.c a.c
[ -f a.o ]
absent broken.o
contains err.txt "broken.c:1:"
status 1 accrue cc -fopenacc undefined.c -o p
absent p
contains err.txt 'undefined reference'
status 1 accrue cc -fopenacc -c missing.c
absent missing.o
contains err.txt missing.c
status 1 accrue cc -fopenacc -c a.c -o no/such/folder/a.o
status 1 accrue cc -fopenacc
contains err.txt 'no input files'
status 1 accrue cc -fopenacc a.c -o
status 1 accrue cc -fopenacc -c a.c -fno-such-option
contains err.txt 'fno-such-option'
printf '#!/bin/sh\nexit 7\n' >seven
chmod +x seven
status 7 accrue cc --accrue-cc=./seven -fopenacc -c a.c -o seven.o
absent seven.o
no_temporary_files
# A warning is printed once.
printf '#warning once\nint x;\n' >w.c
accrue cc -fopenacc -c w.c 2>w.txt
[ "$(grep -c 'warning: #warning once' w.txt)" = 1 ] || fail "$(cat w.txt)"
# The source is not overwritten.
cp a.c before.c
status 1 accrue cc -fopenacc a.c -o a.c
status 1 accrue cc -fopenacc -c a.c -o ./a.c
same a.c before.c
# Options that change the layout of types would make kernels read other bytes than the host writes.
directive_program d.c
for option in -fpack-struct -mlong-double-64; do
    status 1 accrue cc -fopenacc $option -c d.c
    contains err.txt "$option"
    absent d.o
    accrue cc -fopenacc $option -c a.c
done
