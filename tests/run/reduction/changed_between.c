// What is compared and what is taken are spelled alike, and something is stored between them: no maximum, no update of one
// place. Global arrays that are spelled twice are the same where nothing is.
// cflags: -Wno-openacc-left-out-reduction
#include <stdio.h>

#define N 41

int z[N + 2], most[9], sums[N + 2];

static int by_index(const int *z) {
    int m = -5;
#pragma acc kernels copyin(z[0:N + 1])
    for (int i = 0; i < N; i++) {
        int k = i;
        m = z[k++] > m ? z[k] : m;
    }
    return m;
}

static int by_pointer(int *z) {
    int m = -5;
#pragma acc kernels copyin(z[0:N + 1])
    for (int i = 0; i < N; i++) {
        int *p = &z[i];
        if (*p++ > m)
            m = *p;
    }
    return m;
}

static int of_struct(void) {
    struct { int at, value; } s[N + 1];
    int m = -5;
    for (int i = 0; i <= N; i++) {
        s[i].at = (i * 7 + 1) % N;
        s[i].value = z[i];
    }
#pragma acc kernels copyin(s)
    for (int i = 0; i < N; i++) {
        int at = i;
        if (s[at].value > m) {
            at = s[at].at;
            m = s[at].value;
        }
    }
    return m;
}

// `k` has one store only, which stands between.
static int stored_once(const int *z) {
    int m = -5;
#pragma acc kernels copyin(z[0:N + 1])
    for (int j = 0; j < 3; j++) {
        int k;
        for (int i = 0; i < N; i++)
            if (i == 0 || z[k] > m) {
                k = i + j;
                m = z[k];
            }
    }
    return m;
}

static int by_condition(const int *at) {
    int m = -5;
#pragma acc kernels copyin(z, at[0:N])
    for (int i = 0; i < N; i++) {
        int k = at[i], more = z[k] * 2;
        int is_more = z[k] > m;
        if (more > 20)
            k = (k + 7) % N;
        if (is_more && z[k] < m + more)
            m = z[k];
    }
    return m;
}

static int of_element(void) {
    int m = 30;
    int from[N + 1];
    for (int i = 0; i <= N; i++)
        from[i] = i * 17 % 31;
#pragma acc kernels copy(from)
    for (int i = 0; i < N; i++) {
        if (from[i] < m) {
            from[i] += 4;
            m = from[i];
        }
    }
    return m;
}

static int in_order(void) {
    int m = 3;
#pragma acc kernels loop copyin(z)
    for (int i = 0; i < N; i++) {
        int v = z[i] % 7;
        m = m > v ? m : (v = z[i] / 2, v);
    }
    return m;
}

static void elements(void) {
#pragma acc kernels copy(most) copyin(z)
    for (int i = 0; i < N; i++) {
        int k = z[i] % 9;
        if (z[i] > most[k]) {
            k = (k + 1) % 9;
            most[k] = z[i];
        }
    }
#pragma acc kernels copy(sums) copyin(z)
    for (int i = 0; i < N; i++) {
        int k = z[i] % N;
        int old = sums[k];
        k++;
        sums[k] = old + i;
    }
}

// Without `reduction`: both are found, as where a variable holds what is compared.
static void spelled_twice(void) {
    int least = 100, greatest = -100, n = 0;
#pragma acc parallel loop copyin(z)
    for (int i = 0; i < N; i++) {
        if (z[i] < least)
            least = z[i];
        greatest = greatest > z[N - i] - z[i] ? greatest : z[N - i] - z[i];
        n += z[i] > z[i + 1];
    }
    printf("%d %d %d\n", least, greatest, n);
}

int main(void) {
    int at[N];
    for (int i = 0; i < N + 2; i++)
        z[i] = (i * 29 + 3) % 37 - 4 + (i == 6) * 100;
    for (int i = 0; i < N; i++)
        at[i] = i * 11 % N;
    printf("%d %d %d %d\n", by_index(z), by_pointer(z), of_struct(), by_condition(at));
    printf("%d\n", stored_once(z));
    for (int i = 0; i < N + 2; i++)
        z[i] = z[i] < 0 ? 1 : z[i];
    printf("%d %d\n", of_element(), in_order());
    elements();
    for (int i = 0; i < 9; i++)
        printf("%d ", most[i]);
    for (int i = 0; i < N + 2; i++)
        printf("%d ", sums[i]);
    puts("");
    spelled_twice();
    return 0;
}
