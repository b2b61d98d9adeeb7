// Loads of one place with stores between them that may, or may not, be to the same place: pointers to one array, members, unions, bytes,
// private arrays and structs of a thread. Stores that another store follows.
#include <stdio.h>
#include <string.h>

enum { N = 64 };

struct pair {
    int a, b;
};

union word {
    unsigned whole;
    unsigned char bytes[4];
    float number;
};

#pragma acc routine seq
static int twice(int *p, const int *q, int by)
{
    int first = *q;
    *p = first + by;
    return first + *q;
}

#pragma acc routine seq
static int exchange(struct pair *p, struct pair *q)
{
    struct pair old = *p;
    *p = *q;
    q->a = old.b;
    q->b = old.a + p->a;
    return p->a * 100 + q->b;
}

static void same_memory(int n, int *a, int *b, int *out)
{
#pragma acc parallel loop copy(a[0:n], b[0:n]) copyout(out[0:n])
    for (int i = 0; i < n; i++) {
        int first = b[i];
        a[i] = first + 1;
        out[i] = first * 1000 + b[i];
    }
}

int main(void)
{
    int a[N], b[2 * N], out[N];
    for (int i = 0; i < N; i++)
        a[i] = i, b[i] = 3 * i, b[N + i] = 5 * i;
    same_memory(N, a, b, out);
    for (int i = 0; i < N; i += 9)
        printf("%d %d ", a[i], out[i]);
    same_memory(N, a, a, out);
    for (int i = 0; i < N; i += 9)
        printf("%d %d ", a[i], out[i]);
    printf("\n");

    int known[N], unknown[N], structs[N], unions[N], stacks[N], dead[N];
#pragma acc parallel loop copy(b) copyout(known, unknown, structs, unions, stacks, dead)
    for (int i = 0; i < N; i++) {
        int *p = b + 2 * i;
        int x = p[0];
        p[1] = x + 1;
        x += p[0];
        known[i] = x + p[1];

        int values[4] = {i, 2, 3, 4}, *q = &values[i % 3], *r = &values[(i + 1) % 4];
        unknown[i] = twice(q, q, 7) + twice(q, r, 5) * 10 + twice(&values[1], &values[i % 2], 1) * 100;
        for (int k = 0; k < 4; k++)
            unknown[i] += values[k] << 2 * k;

        struct pair s[3] = {{i, 1}, {2, i + 3}, {5, 6}};
        structs[i] = exchange(&s[0], &s[1]) + exchange(&s[i % 3], &s[i % 2]) * 3 + s[0].a + s[1].b + s[2].a;

        union word w;
        w.whole = 0x01020304u + (unsigned)i;
        unsigned sum = w.bytes[0];
        w.bytes[0] = 9;
        sum += w.bytes[0] + w.whole;
        w.number = 1.5f;
        sum += w.whole;
        unions[i] = (int)(sum % 100000u);

        struct pair stack[6], *top = stack;
        *top = (struct pair){i, 1};
        int found = 0;
        while (top >= stack) {
            struct pair at = *top;
            if (at.b >= 5 || top - stack == 5) {
                found += at.a * at.b;
                --top;
                continue;
            }
            top->b += 2;
            top[1] = at;
            ++top;
            top->a = at.a / 2 + 1;
            top->b += 3;
        }
        stacks[i] = found;

        int last = 0, *l = i % 2 ? &last : &values[0];
        dead[i] = 1;
        *l = 4;
        last += 1;
        dead[i] = 2;
        if (i % 5 == 0)
            dead[i] = *l;
        l[0] = 8;
        dead[i] += last * 10;
    }
    for (int i = 0; i < N; i++)
        printf("%d %d %d %d %d %d\n", known[i], unknown[i], structs[i], unions[i], stacks[i], dead[i]);

    // Bytes may be those of anything.
    double d[N];
    int bytes[N];
    for (int i = 0; i < N; i++)
        d[i] = i + 0.5;
#pragma acc parallel loop copy(d) copyout(bytes)
    for (int i = 0; i < N; i++) {
        double before = d[i];
        unsigned char *c = (unsigned char *)&d[i];
        c[6] ^= 0x10;
        bytes[i] = before != d[i];
        c[6] ^= 0x10;
        bytes[i] += 2 * (before == d[i]);
    }
    for (int i = 0; i < N; i++)
        printf("%d", bytes[i]);
    printf(" %g\n", d[N - 1]);
    return 0;
}
