# accrue doctor: everything is found here; what is taken away is named with its repair.
status 0 accrue doctor
for what in 'C compiler' clang header 'runtime library' 'CPU cores' 'NVIDIA' OpenCL 'OpenACC in C'; do
    contains out.txt "$what"
done
lacks out.txt MISSING
mkdir empty
ACCRUE_HOME=$PWD/empty status 1 accrue doctor
contains out.txt 'openacc.h not found'
contains out.txt 'to repair'
ACCRUE_CLANG=no-such-clang status 1 accrue doctor
contains out.txt 'apt-get install clang'
ACCRUE_CC=no-such-compiler status 1 accrue doctor
contains out.txt 'no-such-compiler'
no_temporary_files
