# -v shows the steps and runs them; -### shows them, quoted, and runs nothing.
openacc_probe a.c
accrue cc -fopenacc -v a.c -o p 2>steps.txt
contains steps.txt ' -E'
contains steps.txt '-laccrue'
contains steps.txt 'gcc version'
status 4 ./p
rm p
accrue cc -fopenacc -### '-DX="a b"' -O2 a.c -o p 2>steps.txt
absent p
contains steps.txt '"-DX=\"a b\""'
contains steps.txt '-fopenmp-simd'
contains steps.txt ' -r -o '
contains steps.txt '-laccrue'
no_temporary_files
accrue cc -fopenacc -v 2>steps.txt
contains steps.txt 'gcc version'
