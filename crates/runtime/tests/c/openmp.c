/* OpenMP's device routines against those of OpenACC, with the host's threads beside them. Prints what differs between modes
   and `right`, or the line of the first check that failed. With arguments, one call that ends the program. */
#include <errno.h>
#include <limits.h>
#include <omp.h>
#include <openacc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Missing in the header of gcc 12. */
#if defined __GNUC__ && !defined __clang__ && __GNUC__ < 13
int omp_target_is_accessible(const void *, size_t, int);
int omp_target_memcpy_async(void *, const void *, size_t, size_t, size_t, int, int, int, omp_depend_t *);
int omp_target_memcpy_rect_async(void *, const void *, size_t, int, const size_t *, const size_t *, const size_t *,
                                 const size_t *, const size_t *, int, int, int, omp_depend_t *);
void *omp_get_mapped_ptr(const void *, int);
#endif

#define CHECK(condition)                                                                                                  \
    do                                                                                                                    \
        if (!(condition)) {                                                                                               \
            printf("line %d: %s\n", __LINE__, #condition);                                                                \
            exit(1);                                                                                                      \
        }                                                                                                                 \
    while (0)

#define N 100

static int devices, initial;

static void numbers(void) {
    CHECK(omp_get_initial_device() == devices);
    CHECK(omp_is_initial_device() == 1);
    CHECK(omp_get_device_num() == initial);
    CHECK(omp_get_default_device() == 0);
    int seen = 0;
    omp_set_default_device(initial);
#pragma omp parallel num_threads(3) reduction(+ : seen)
    seen += omp_get_default_device() == initial && omp_get_num_threads() == 3;
    CHECK(seen == 3);
    omp_set_default_device(0);
    CHECK(omp_get_default_device() == 0);
}

/* Copies among the host and memory of `to` and `from`. */
static void copies(int to, int from) {
    double a[N], b[N];
    for (int i = 0; i < N; i++) a[i] = i, b[i] = -1;
    double *x = omp_target_alloc(sizeof a, from), *y = omp_target_alloc(sizeof a, to);
    CHECK(x && y && x != y);
    CHECK(omp_target_memcpy(x, a, sizeof a, 0, 0, from, initial) == 0);
    CHECK(omp_target_memcpy(y, x, sizeof a, 0, 0, to, from) == 0);
    CHECK(omp_target_memcpy(y, x, 8 * sizeof *a, 2 * sizeof *a, 40 * sizeof *a, to, from) == 0);
    CHECK(omp_target_memcpy(b, y, sizeof b - 8, 8, 8, initial, to) == 0);
    CHECK(b[0] == -1 && b[1] == 1 && b[2] == 40 && b[9] == 47 && b[10] == 10 && b[N - 1] == N - 1);
    CHECK(omp_target_memcpy(b, y, 0, 0, 0, initial, to) == 0 && b[0] == -1);
    CHECK(omp_target_memcpy(0, 0, 0, 0, 0, initial, to) == 0);

    /* 2 x 3 of 10 x 10 and of 5 x 20. */
    size_t volume[] = {2, 3}, to_offsets[] = {4, 15}, from_offsets[] = {1, 2}, wide[] = {5, 20}, square[] = {10, 10};
    for (int i = 0; i < N; i++) b[i] = -1;
    CHECK(omp_target_memcpy(y, b, sizeof b, 0, 0, to, initial) == 0);
    to_offsets[0] = 3;
    CHECK(omp_target_memcpy_rect(y, x, sizeof *a, 2, volume, to_offsets, from_offsets, wide, square, to, from) == 0);
    CHECK(omp_target_memcpy(b, y, sizeof b, 0, 0, initial, to) == 0);
    for (int i = 0; i < N; i++) {
        int row = i / 20 - 3, column = i % 20 - 15;
        int inside = row >= 0 && row < 2 && column >= 0 && column < 3;
        CHECK(b[i] == (inside ? (row + 1) * 10 + column + 2 : -1));
    }
    /* The same distances on both sides, three dimensions of 4 x 5 x 5, host to device and back. */
    size_t cube[] = {4, 5, 5}, part[] = {2, 3, 2}, at[] = {1, 1, 3}, zero[] = {0, 0, 0};
    CHECK(omp_target_memcpy_rect(y, a, sizeof *a, 3, part, at, at, cube, cube, to, initial) == 0);
    for (int i = 0; i < N; i++) b[i] = -2;
    CHECK(omp_target_memcpy_rect(b, y, sizeof *a, 3, part, zero, at, part, cube, initial, to) == 0);
    for (int i = 0; i < 12; i++) CHECK(b[i] == (1 + i / 6) * 25 + (1 + i / 2 % 3) * 5 + 3 + i % 2);
    CHECK(b[12] == -2);
    part[1] = 0;
    CHECK(omp_target_memcpy_rect(y, a, sizeof *a, 3, part, at, at, cube, cube, to, initial) == 0);

    CHECK(omp_target_memcpy_rect(0, 0, 0, 0, 0, 0, 0, 0, 0, to, from) >= 3);
    CHECK(omp_target_memcpy_rect(y, a, 8, 0, volume, at, at, cube, cube, to, initial) != 0);
    size_t huge[] = {3, SIZE_MAX / 2}, two[] = {0, 0};
    CHECK(omp_target_memcpy_rect(y, a, 8, 2, volume, two, two, huge, square, to, initial) != 0);
    CHECK(omp_target_memcpy(y, a, 8, 0, 0, 99, initial) != 0 && omp_target_memcpy(y, a, 8, 0, 0, to, -9) != 0);

    CHECK(omp_target_is_accessible(y, sizeof a, to) && omp_target_is_accessible(a, sizeof a, initial));
    CHECK(!omp_target_is_accessible(0, 1, to));
    omp_target_free(x, from);
    omp_target_free(y, to);
    omp_target_free(0, to);
    CHECK(omp_target_alloc(0, to) == 0);
}

/* Copies that depend on tasks. */
static void asynchronous(int to) {
    static int a[N], b[N];
    int *x = omp_target_alloc(sizeof a, to);
    omp_depend_t written, read;
    CHECK(omp_target_memcpy_async(x, a, sizeof a, 0, 0, to, initial, 0, 0) == 0);
#pragma omp parallel num_threads(4)
#pragma omp single
    {
#pragma omp depobj(written) depend(inout : a)
#pragma omp depobj(read) depend(inout : b)
#pragma omp task depend(out : a)
        for (int i = 0; i < N; i++) {
            volatile int slow = 0;
            while (slow < 10000) slow++;
            a[i] = i + slow;
        }
        CHECK(omp_target_memcpy_async(x, a, sizeof a, 0, 0, to, initial, 1, &written) == 0);
        size_t volume[] = {10, 10}, zero[] = {0, 0};
        CHECK(omp_target_memcpy_rect_async(b, x, sizeof *a, 2, volume, zero, zero, volume, volume, initial, to, 1, &read) == 0);
#pragma omp task depend(in : b)
        for (int i = 0; i < N; i++) CHECK(b[i] == i + 10000);
#pragma omp taskwait
#pragma omp depobj(written) destroy
#pragma omp depobj(read) destroy
    }
    omp_target_free(x, to);
}

/* One table with OpenACC. */
static void mapping(int device) {
    static int a[N], other[N];
    CHECK(!omp_target_is_present(a, device) && omp_get_mapped_ptr(a, device) == 0);
    CHECK(!omp_target_is_present(0, device) && omp_target_is_present(a, initial) && omp_get_mapped_ptr(a, initial) == a);
    CHECK(!omp_target_is_accessible(a, sizeof a, device));
    acc_copyin(a, sizeof a);
    CHECK(omp_target_is_present(a + N - 1, device) && !omp_target_is_present(a + N, device));
    CHECK(omp_get_mapped_ptr(a + 7, device) == acc_deviceptr(a + 7));
    CHECK(omp_target_disassociate_ptr(a, device) != 0);
    acc_delete(a, sizeof a);
    CHECK(!omp_target_is_present(a, device));

    int *memory = omp_target_alloc(2 * sizeof a, device);
    CHECK(omp_target_associate_ptr(a, memory, sizeof a, sizeof a, device) == 0);
    CHECK(omp_target_associate_ptr(a, memory, sizeof a, sizeof a, device) == 0);
    CHECK(omp_target_associate_ptr(a, memory, sizeof a, 0, device) != 0);
    CHECK(omp_target_associate_ptr(a + 1, memory, sizeof a, 0, device) != 0);
    CHECK(omp_target_associate_ptr(other, memory, 0, 0, device) != 0);
    CHECK(omp_target_associate_ptr(other, 0, sizeof a, 0, device) != 0);
    CHECK(omp_target_associate_ptr(other, memory, sizeof a, 0, initial) != 0);
    CHECK(acc_is_present(a, sizeof a) && omp_get_mapped_ptr(a + 1, device) == memory + N + 1);
    acc_copyin(a, sizeof a);
    acc_delete_finalize(a, sizeof a);
    CHECK(omp_target_is_present(a, device));
    for (int i = 0; i < N; i++) a[i] = i;
    acc_update_device(a, sizeof a);
    CHECK(omp_target_memcpy(other, memory, sizeof a, 0, sizeof a, initial, device) == 0 && other[N - 1] == N - 1);
    CHECK(omp_target_disassociate_ptr(a + 1, device) != 0 && omp_target_disassociate_ptr(a, 99) != 0);
    CHECK(omp_target_disassociate_ptr(a, device) == 0 && omp_target_disassociate_ptr(a, device) != 0);
    CHECK(!omp_target_is_present(a, device));
    omp_target_free(memory, device);

    int *other_way = acc_malloc(sizeof a);
    omp_target_free(other_way, device);
    acc_copyin(a, sizeof a);
    CHECK(omp_pause_resource(omp_pause_soft, device) == 0 && omp_target_is_present(a, device));
    CHECK(omp_pause_resource(omp_pause_hard, device) == 0 && !omp_target_is_present(a, device));
}

static void wrong_numbers(int number) {
    int a;
    CHECK(omp_target_alloc(8, number) == 0 && !omp_target_is_present(&a, number));
    CHECK(!omp_target_is_accessible(&a, 4, number) && omp_get_mapped_ptr(&a, number) == 0);
    CHECK(omp_target_associate_ptr(&a, &a, 4, 0, number) != 0 && omp_target_disassociate_ptr(&a, number) != 0);
    CHECK(omp_pause_resource(omp_pause_soft, number) != 0);
}

static void fail(const char *how) {
    int a[10], *x = omp_target_alloc(sizeof a, 0);
    if (!strcmp(how, "invalid")) omp_target_is_present(a, -4);
    if (!strcmp(how, "missing")) omp_target_alloc(8, 99);
    if (!strcmp(how, "free-on-missing")) omp_target_free(x, 99);
    if (!strcmp(how, "free-host")) omp_target_free(a, 0);
    if (!strcmp(how, "free-inside")) omp_target_free(x + 1, 0);
    if (!strcmp(how, "free-mapped")) omp_target_free(acc_copyin(a, sizeof a), 0);
    if (!strcmp(how, "copy-behind")) omp_target_memcpy(x, a, sizeof a, 4, 0, 0, omp_get_initial_device());
    if (!strcmp(how, "copy-null")) omp_target_memcpy(x, 0, sizeof a, 0, 0, 0, omp_get_initial_device());
    if (!strcmp(how, "number")) printf("%d of %d\n", omp_get_default_device(), omp_get_num_devices());
    exit(7);
}

int main(int count, char **arguments) {
    if (count > 1) fail(arguments[1]);
    initial = devices = omp_get_num_devices();
    numbers();
    copies(initial, initial);
    asynchronous(initial);
    for (int device = 0; device < devices; device++) {
        copies(device, device);
        copies(device, initial);
        copies(initial, device);
        asynchronous(device);
        mapping(device);
    }
    wrong_numbers(devices + 1);
    wrong_numbers(-7);
    CHECK(omp_pause_resource(99, 0) != 0 && omp_pause_resource_all(99) != 0);
    CHECK(omp_pause_resource(omp_pause_soft, initial) == 0);
    int threads = 0;
#pragma omp parallel num_threads(3) reduction(+ : threads)
    threads++;
    CHECK(threads == 3);
    /* The last: libomp 14 has no threads afterwards. */
    CHECK(omp_pause_resource_all(omp_pause_hard) == 0);
    printf("%d right\n", devices);
    return 0;
}
