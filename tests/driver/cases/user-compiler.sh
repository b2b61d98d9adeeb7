# Which compiler is the user's: --accrue-cc=, else ACCRUE_CC, else cc.
openacc_probe a.c
for name in one two; do
    printf '#!/bin/sh\necho %s >>used.txt\nexec cc "$@"\n' $name >$name
    chmod +x $name
done
ACCRUE_CC=./one accrue cc -fopenacc -c a.c
ACCRUE_CC=./one accrue cc -c a.c
lacks used.txt two
rm used.txt
ACCRUE_CC=./one accrue cc --accrue-cc=./two -fopenacc -c a.c
ACCRUE_CC=./one accrue cc --accrue-cc=./two -c a.c
lacks used.txt one
ACCRUE_CC="env LC_ALL=C cc" accrue cc -fopenacc a.c -o p
status 4 ./p

ACCRUE_CC=no-such-compiler status 1 accrue cc -c a.c
contains err.txt no-such-compiler
contains err.txt ACCRUE_CC
# A compiler that is accrue itself would call itself for ever.
ACCRUE_CC=accrue-cc status 1 accrue cc -c a.c
contains err.txt 'accrue itself'
# Quotes, as in a shell, and names with spaces.
mkdir 'my compilers'
mv one 'my compilers/the one'
for named in "$PWD/my compilers/the one" "'$PWD/my compilers/the one' -DX" "\"$PWD/my compilers/the one\"  '-DX=a b'" "'./my compilers/'the\\ one"; do
    rm -f used.txt p
    ACCRUE_CC=$named accrue cc -fopenacc a.c -o p
    contains used.txt one
    status 4 ./p
    rm -f used.txt p
    accrue cc "--accrue-cc=$named" a.c -o p
    contains used.txt one
done
ACCRUE_CC="$PWD/my compilers/the one -m64" status 1 accrue cc -fopenacc -c a.c
contains err.txt 'quotes around a name with spaces'
ACCRUE_CC="'cc -m64" status 1 accrue cc -fopenacc -c a.c
contains err.txt 'a quote is missing'
ACCRUE_CC="  " status 1 accrue cc -c a.c
contains err.txt 'names no compiler'
# Programs that are no C compilers.
rm -f a.o
for named in true "/bin/true" "env true"; do
    for command in "cc -fopenacc -c" "cc -fopenacc -fsyntax-only" "run" "ir" "explain"; do
        ACCRUE_CC=$named status 1 accrue $command a.c
        contains err.txt 'is it a C compiler?'
        contains err.txt 'ACCRUE_CC'
    done
done
absent a.o
# needs: g++
ln -s "$(command -v g++)" cxx
printf '#!/bin/sh\nexec g++ "$@"\n' >wrapper
chmod +x wrapper
for named in g++ c++ ./cxx ./wrapper "env g++"; do
    ACCRUE_CC=$named status 1 accrue cc -fopenacc -c a.c
    contains err.txt "(from ACCRUE_CC) is a compiler for C++, and a.c is C"
done
status 1 accrue cc --accrue-cc=g++ -fopenacc -c a.c
contains err.txt "(from --accrue-cc=) is a compiler for C++"
# Objects may be linked by it.
accrue cc -fopenacc -c a.c
ACCRUE_CC=g++ accrue cc -fopenacc a.o -o p
status 4 ./p
no_temporary_files
