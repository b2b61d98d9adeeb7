/* A program whose results depend on what options change: types, constants, characters, layouts; for options.py. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define N 64

enum small { ONE = 1, TWO = 2, FIVE = 5 };
struct bits {
    int a : 5;
    unsigned b : 3;
    enum small c : 4;
    char d : 7;
};
struct mixed {
    char tag;
    enum small kind;
    double value;
    short last;
    long double wide;
};
union both {
    float f;
    unsigned u;
};

static enum small kinds[N];
static struct bits fields[N];
static struct mixed records[N];
static union both pairs[N];
static char letters[N];
static wchar_t wide[] = L"a\u00e9z";
static const char text[] = "A z \\ ~ {";

static int twice(int x)
{
    return x * 2;
}

int main(void)
{
    static long sizes[12];
    static int results[N], shifted[N];
    static float floats[N];
    int guard = 12345;
    for (int i = 0; i < N; i++) {
        kinds[i] = i % 3 ? ONE : FIVE;
        records[i].tag = (char)(i * 5);
        letters[i] = (char)(200 + i);
    }
#pragma acc parallel loop copy(kinds, fields, records, pairs, letters, results, shifted, floats, guard) copyin(wide, text)
    for (int i = 0; i < N; i++) {
        char c = letters[i];
        enum small k = kinds[i];
        fields[i].a = i;
        fields[i].b = (unsigned)i;
        fields[i].c = k;
        fields[i].d = (char)(i * 3);
        records[i].kind = k == FIVE ? TWO : FIVE;
        records[i].value = records[i].tag + 0.5;
        records[i].last = (short)(i - 7);
        pairs[i].f = i * 0.25f;
        results[i] = fields[i].a + fields[i].b * 10 + fields[i].c * 100 + fields[i].d * 1000 + (c < 0 ? 7 : 9) + text[i % 8];
        shifted[i] = twice(c >> 2) + (int)wide[i % 4] + 'A' + sizeof(enum small) * 3 + (kinds[i] - TWO < 0);
        floats[i] = i / 8.0f + 2.5f;
        kinds[i] = TWO;
        if (i == 3) {
#pragma acc atomic update
            guard++;
        }
    }
#pragma acc parallel num_gangs(1) copyout(sizes)
    {
        sizes[0] = sizeof(enum small), sizes[1] = sizeof(struct bits), sizes[2] = sizeof(struct mixed);
        sizes[3] = sizeof(wchar_t), sizes[4] = sizeof(long double), sizes[5] = sizeof(long), sizes[6] = (char)200 < 0;
        sizes[7] = sizeof(union both), sizes[8] = __alignof__(struct mixed), sizes[9] = __INT_MAX__ + 0l;
        sizes[10] = sizeof 1.0, sizes[11] = sizeof(void *);
    }
    long sum = guard;
    for (int i = 0; i < N; i++) {
        sum = sum * 31 % 1000003 + results[i] + shifted[i] + (long)(floats[i] * 8) + records[i].kind + records[i].last;
        sum += (long)(records[i].value * 2) + pairs[i].u + kinds[i] + fields[i].a * 3 + (long)fields[i].b + fields[i].d;
    }
    for (int k = 0; k < 12; k++)
        printf("%ld ", sizes[k]);
    printf("%ld\n", sum);
    return 0;
}
