# accrue run compiles again when anything changed that the assembler or the linker read, or would read now.
cat >a.c <<'END'
int f(void);
int main(void) { return f(); }
END
library() { # folder, value, kind
    mkdir -p "$1"
    echo "int f(void) { return $2; }" >f.c
    if [ "$3" = so ]; then
        cc -shared -fPIC f.c -o "$1/libf.so"
    else
        cc -c f.c -o f.o
        rm -f "$1/libf.a"
        ar rc "$1/libf.a" f.o
    fi
    # Files that change while a program is compiled are not relied on, and clocks of file systems are coarse.
    sleep 0.05
}
programs() { find "$XDG_CACHE_HOME/accrue" -type f -name "$1" | wc -l; }

# A library that changes; a library in a directory searched earlier; another kind of library beside it.
library 'second one' 3 a
status 3 accrue run a.c -Lfirst "-Lsecond one" -lf
status 3 accrue run a.c -Lfirst "-Lsecond one" -lf
[ "$(programs a)" = 1 ] || fail "compiled again"
library 'second one' 4 a
status 4 accrue run a.c -Lfirst "-Lsecond one" -lf
library first 5 a
status 5 accrue run a.c -Lfirst "-Lsecond one" -lf
rm -r first
status 4 accrue run a.c -Lfirst "-Lsecond one" -lf
library 'second one' 6 so
LD_LIBRARY_PATH='second one' status 6 accrue run a.c -Lfirst "-Lsecond one" -lf
rm -r 'second one'
status 1 accrue run a.c -Lfirst "-Lsecond one" -lf

# Named in a response file, in one for the linker, by environment variables, by -Wl.
library one 7 a
library two 8 a
echo '-Lone -lf' >words
status 7 accrue run a.c @words
library one 9 a
status 9 accrue run a.c @words
echo '-Ltwo -lf' >words
status 8 accrue run a.c @words
status 8 accrue run a.c -Wl,@words
library two 10 a
status 10 accrue run a.c -Wl,@words
echo '-Lone -lf' >words
sleep 0.05
status 9 accrue run a.c -Wl,@words
export LIBRARY_PATH=zero:one:two
status 9 accrue run a.c -lf
library one 11 a
status 11 accrue run a.c -lf
library zero 12 a
status 12 accrue run a.c -lf
LIBRARY_PATH=two status 10 accrue run a.c -lf
unset LIBRARY_PATH
library one 13 a
status 13 accrue run a.c -Wl,-Lone,-lf
library one 14 a
status 14 accrue run a.c -Wl,-Lone,-lf
status 14 accrue run a.c one/libf.a
library one 15 a
status 15 accrue run a.c one/libf.a
echo 'INPUT(libf.a)' >script.ld
status 15 accrue run a.c -Lone -Wl,script.ld
library one 16 a
status 16 accrue run a.c -Lone -Wl,script.ld

# What the assembler reads, and finds with -I.
cat >blob.c <<'END'
__asm__(".section .rodata\nblob:\n.include \"do.inc\"\n.text");
extern unsigned char blob[];
int main(void) { return blob[0] - '0'; }
END
mkdir early late
printf '.incbin "the blob"\n' >do.inc
printf 1 >'late/the blob'
sleep 0.05
status 1 accrue run blob.c -Wa,-Iearly -Wa,-Ilate
status 1 accrue run blob.c -Wa,-Iearly -Wa,-Ilate
[ "$(programs blob)" = 1 ] || fail "compiled again"
printf 2 >'late/the blob'
status 2 accrue run blob.c -Wa,-Iearly -Wa,-Ilate
printf 3 >'early/the blob'
status 3 accrue run blob.c -Wa,-Iearly -Wa,-Ilate
printf '.ascii "4"\n' >do.inc
status 4 accrue run blob.c -Wa,-Iearly -Wa,-Ilate
printf '.ascii "5"\n' >do.inc
status 5 accrue run blob.c -flto
printf '.ascii "6"\n' >do.inc
status 6 accrue run blob.c -flto
cat >f.S <<'END'
#include "value.h"
    .globl f
f:  mov $VALUE, %eax
    ret
    .section .note.GNU-stack
END
echo '#define VALUE 20' >value.h
status 20 accrue run a.c f.S
echo '#define VALUE 21' >value.h
status 21 accrue run a.c f.S

# Headers found by the environment, a compiler that changes.
echo '#include <value.h>
int main(void) { return VALUE; }' >header.c
mkdir include
echo '#define VALUE 30' >include/value.h
CPATH=include status 30 accrue run header.c
echo '#define VALUE 31' >include/value.h
CPATH=include status 31 accrue run header.c
printf '#!/bin/sh\nexec cc -DVALUE=40 "$@"\n' >compiler
chmod +x compiler
echo 'int f(void) { return VALUE; }' >v.c
ACCRUE_CC=./compiler status 40 accrue run a.c v.c
printf '#!/bin/sh\nexec cc -DVALUE=41 "$@"\n' >compiler
ACCRUE_CC=./compiler status 41 accrue run a.c v.c
no_temporary_files
