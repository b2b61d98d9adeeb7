# Code for GPUs is in every object, can be looked at, and can be left out.
directive_program a.c
accrue ir --emit=ptx a.c >a.ptx
contains a.ptx '.target sm_60'
contains a.ptx '.visible .entry accrue_k0_0'
accrue ir --emit=ptx -gpu=cc90 a.c >b.ptx
contains b.ptx '.target sm_90'
lacks b.ptx '.target sm_60'
accrue ir --target=gpu --after=partition a.c >gpu.ir
accrue ir --target=cpu --after=partition a.c >cpu.ir
status 1 cmp gpu.ir cpu.ir

accrue cc -fopenacc a.c -o with
contains with '.visible .entry accrue_k0_0'
for none in -acc=multicore -foffload=disable -gpu=none; do
    accrue cc -fopenacc $none a.c -o without
    lacks without '.visible .entry'
    status 0 ./without
    status 1 accrue ir $none --emit=ptx a.c
done
ACC_DEVICE_TYPE=sim status 0 ./with

# What a GPU cannot run is said, and runs on the host.
cat >wide.c <<'END'
int main(void)
{
    long double x[8];
#pragma acc parallel loop copyout(x)
    for (int i = 0; i < 8; i++)
        x[i] = i / 3.0L;
    return x[6] == 2.0L ? 4 : 1;
}
END
accrue cc -fopenacc wide.c -o wide 2>err.txt
contains err.txt 'wide.c:6'
contains err.txt 'runs on the host'
contains err.txt 'long double'
ACC_DEVICE_TYPE=sim status 4 ./wide
status 1 accrue cc -fopenacc -gpu=cc9O a.c -o bad
contains err.txt 'cc9O'
status 1 accrue cc -fopenacc -gpu=cc35 a.c -o bad
contains err.txt '6.0'
