# Names of outputs, and what may not be combined.
mkdir src out
openacc_probe src/a.c
echo 'int f(void) { return 1; }' >src/b.c
accrue cc -fopenacc -c src/a.c src/b.c
[ -f a.o ]
[ -f b.o ]
accrue cc -fopenacc -S src/a.c
[ -f a.s ]
accrue cc -fopenacc -c src/a.c -oout/x.o
[ -f out/x.o ]
accrue cc -fopenacc src/a.c src/b.c
status 4 ./a.out
accrue cc -fopenacc -c src/a.c -o /dev/null
[ -c /dev/null ]
accrue cc -fopenacc -S src/b.c -o - | grep -q 'f:'
accrue cc -fopenacc -fsyntax-only src/b.c -o syntax.o
absent syntax.o
status 1 accrue cc -fopenacc -c src/a.c src/b.c -o both.o
absent both.o
# Objects in between, and two sources of one name.
mkdir src/d
echo 'int g(void) { return 2; }' >src/d/b.c
accrue cc -fopenacc src/b.c a.o src/d/b.c -o p
status 4 ./p
no_temporary_files

# Standard output that is closed, or full: closed it is like /dev/null, as to clang.
directive_program s.c
for command in "-S -o - s.c" "-E s.c"; do
    before=$(ls)
    accrue cc -fopenacc $command >&- 2>said.txt
    [ ! -s said.txt ] || { cat said.txt; fail "$command >&-"; }
    if accrue cc -fopenacc $command >/dev/full 2>said.txt; then fail "$command >/dev/full"; fi
    contains said.txt 'No space left on device'
    rm said.txt
    [ "$(ls)" = "$before" ] || fail "$command leaves a file: $(ls)"
done
no_temporary_files

# Standard error that is full: messages of the program's directives are lost, and the program goes on.
accrue cc -fopenacc s.c -o program
expected=$(ACC_DEVICE_TYPE=host ./program)
for variable in ACCRUE_NOTIFY=all ACCRUE_NOTIFY=31 ACCRUE_TIME=1; do
    got=$(env ACC_DEVICE_TYPE=host $variable ./program 2>/dev/full) || fail "$variable ./program 2>/dev/full"
    [ "$got" = "$expected" ] || fail "$variable ./program 2>/dev/full: $got"
done
