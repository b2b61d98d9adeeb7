# What threads of a device print: nothing is lost, and each thread's lines come in their order, between the host's.
cat >print.c <<'END'
#include <stdio.h>
int main(void)
{
    printf("before\n");
#pragma acc parallel loop gang vector num_gangs(4) vector_length(32)
    for (int i = 0; i < 100; i++) {
        printf("%03d line 1\n", i);
        for (int k = 2; k < 5; k++)
            printf("%03d line %d of %s\n", i, k, k % 2 ? "many" : "some");
        puts("a line of each");
    }
    printf("after\n");
    return 0;
}
END
cc -w print.c -o plain
./plain >expected.txt
sed -n 's/^[0-9].*/&/p' expected.txt >expected_lines.txt
accrue cc -fopenacc print.c -o print
for seed in 0 1 7; do
    ACC_DEVICE_TYPE=sim ACCRUE_SIM_SEED=$seed ./print >got.txt
    [ "$(head -1 got.txt)" = before ]
    [ "$(tail -1 got.txt)" = after ]
    [ "$(grep -c 'a line of each' got.txt)" = 100 ]
    # A stable sort by thread leaves the order within a thread.
    sed -n 's/^[0-9].*/&/p' got.txt | sort -s -k1,1 >lines.txt
    same expected_lines.txt lines.txt
done

# A failing assertion says what the host's says, and ends the program as abort does.
cat >fails.c <<'END'
#include <assert.h>
static int half(int x)
{
    assert(x % 2 == 0);
    return x / 2;
}
int main(void)
{
    int a[8] = {0, 2, 4, 5};
#pragma acc parallel loop copy(a)
    for (int i = 0; i < 8; i++)
        a[i] = half(a[i]);
    return 0;
}
END
accrue cc -fopenacc fails.c -o fails
status 134 sh -c 'ACC_DEVICE_TYPE=sim ./fails; exit $?'
contains err.txt 'fails.c:4'
contains err.txt 'x % 2 == 0'
contains err.txt 'half'
status 134 sh -c 'ACC_DEVICE_TYPE=host ./fails; exit $?'
contains err.txt 'fails.c:4'
