# gcc's and nvc's spellings switch OpenACC on; the last of on and off wins; the compiler sees none of them.
openacc_probe a.c
for on in -fopenacc -acc -acc=gpu -acc=multicore "-acc -gpu=cc90" "-acc -Minfo=accel" -ta=tesla "-fno-openacc -fopenacc" \
    "-fopenacc -fopenacc-dim=32::128" "-fopenacc -foffload=nvptx-none"; do
    accrue cc $on a.c -o p
    status 4 ./p
done
for off in -fno-openacc "-fopenacc -fno-openacc" "-acc -noacc"; do
    accrue cc $off a.c -o p
    status 0 ./p
done
status 1 accrue cc -acc=gpo a.c -o p2
contains err.txt 'gpo'
status 1 accrue cc -fopenacc -fopenacc-dim=x a.c -o p2
absent p2

# Under another name, with the words in a file, and as an argument of another option.
accrue-cc -fopenacc a.c -o p
status 4 ./p
printf '%s\n' '-DX="a b"' "-fopenacc 'a.c'" '-o p' >words
accrue cc @words
status 4 ./p
accrue cc a.c -o p -Xlinker -z -Xlinker now
status 0 ./p
accrue cc a.c -o -fopenacc
status 0 ./-fopenacc
