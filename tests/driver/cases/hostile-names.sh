# Names that a shell, an option reader or a make file could take for something else; places that are not there.
work() {
    cat >"$1" <<'END'
#include <stdio.h>
int main(void) {
    int s = 0;
#pragma acc parallel loop reduction(+ : s)
    for (int i = 0; i < 10; i++) s += i;
    return s != 45;
}
END
}
newline='new
line'
mkdir folder
for name in ./-x ./@at 'sp ace' "quo'te" 'dq"' "$newline" 'ünï' 'back\slash' 'hash#' 'com,ma' 'col:on' 'per%d' 'dollar$x' 'semi;' '*' 'folder/../dots'; do
    work "$name.c"
    for options in "-g -MMD" "-S"; do
        rm -f ./*.o ./-x.o ./*.s
        accrue cc -fopenacc $options -c "$name.c"
        if [ "$options" = -S ]; then suffix=s; else suffix=o; fi
        object=./$(basename "$name").$suffix
        [ -f "$object" ] || fail "no $object"
        rm -f p
        accrue cc -fopenacc "$object" -o p
        ./p
    done
    rm -f "$name.c" ./*.d
done
no_temporary_files

# A directory for temporary files that is not there, cannot be written, or has a strange name.
work a.c
mkdir read-only "$newline" "it's"
chmod 555 read-only
for folder in /nonexistent relative read-only "" "$newline" "it's"; do
    TMPDIR=$folder accrue cc -fopenacc -g a.c -o p
    ./p
done
[ -z "$(ls -A "$newline" "it's" | grep accrue)" ]

# An older object is replaced: it may be read-only, and have a second name.
printf old >a.o
ln a.o second.o
chmod 444 a.o
accrue cc -fopenacc -c a.c
[ "$(cat second.o)" = old ]
[ "$(stat -c %a a.o)" = 644 ]
ln -s real.o link.o
accrue cc -fopenacc -c a.c -o link.o
[ -L link.o ]
[ -s real.o ]

# Full disks and missing directories.
status 1 accrue cc -fopenacc -c a.c -o /dev/full
contains err.txt /dev/full
status 1 accrue cc -fopenacc -S a.c -o /dev/full
status 1 accrue cc -fopenacc a.c -o missing/p
status 1 accrue cc -fopenacc -c a.c -o folder
contains err.txt folder
[ -c /dev/full ]

# Inputs that nothing is done with.
accrue cc -fopenacc -c a.c second.o 2>err.txt
contains err.txt 'second.o: linker input file unused'
status 1 accrue cc -fopenacc -c a.c nosuch.o
contains err.txt nosuch.o
status 1 accrue cc -fopenacc -c -
contains err.txt '-E or -x'
no_temporary_files
