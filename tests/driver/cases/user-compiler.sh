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
