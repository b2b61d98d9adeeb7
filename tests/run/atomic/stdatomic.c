// The functions of stdatomic.h in regions: counters, flags, tickets, lists, loops that compare and exchange, and builtins.
#include <stdatomic.h>
#include <stdio.h>

#define N 500

struct node {
    int value, next;
};

static _Atomic int head = -1;

#pragma acc routine seq
static double add(_Atomic double *sum, double x)
{
    double old = atomic_load_explicit(sum, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(sum, &old, old + x, memory_order_acq_rel, memory_order_relaxed))
        ;
    return old;
}

int main(void)
{
    atomic_int count = 0;
    atomic_uint bits = 0, mask = ~0u, odd = 0x55;
    _Atomic long low = 1000, ticket;
    _Atomic double sum = 0.5;
    _Atomic(short) small = 7;
    atomic_flag once = ATOMIC_FLAG_INIT;
    int first = 0, seen[N] = {0}, plain = 0, claimed[N] = {0}, differ = 0;
    unsigned long long wide = 1;
    atomic_init(&ticket, 10);
#pragma acc parallel loop copy(count, bits, mask, odd, ticket, seen)
    for (int i = 0; i < N; i++) {
        atomic_fetch_add(&count, 3);
        atomic_fetch_sub_explicit(&count, 1, memory_order_relaxed);
        atomic_fetch_or(&bits, 1u << i % 9);
        atomic_fetch_and(&mask, ~(1u << i % 5));
        atomic_fetch_xor(&odd, i);
        long mine = atomic_fetch_add_explicit(&ticket, 1, memory_order_acq_rel);
        seen[mine - 10]++;
    }
#pragma acc parallel loop copy(sum, low, once, first)
    for (int i = 0; i < N; i++) {
        add(&sum, 0.25 * (i % 4));
        long value = 1000 - i * 7 % 512, old = atomic_load(&low);
        while (value < old && !atomic_compare_exchange_strong(&low, &old, value))
            ;
        if (!atomic_flag_test_and_set(&once))
            first = 1;
    }
    // Elements of a list, in an order that nobody knows.
    struct node nodes[N];
#pragma acc parallel loop copyout(nodes) copy(head)
    for (int i = 0; i < N; i++) {
        nodes[i].value = i;
        int old = atomic_load(&head);
        do
            nodes[i].next = old;
        while (!atomic_compare_exchange_weak(&head, &old, i));
    }
    int listed = 0, members = 0;
    for (int i = head; i >= 0; i = nodes[i].next) {
        listed += nodes[i].value;
        members++;
    }
#pragma acc parallel loop copy(plain, claimed, wide, differ)
    for (int i = 0; i < N; i++) {
        __atomic_fetch_add(&plain, i, __ATOMIC_SEQ_CST);
        __sync_fetch_and_add(&plain, 1);
        __atomic_fetch_xor(&wide, 1ull << i % 40, 0);
        if (__sync_bool_compare_and_swap(&claimed[i / 2], 0, 1 + (int)__atomic_load_n(&claimed[N - 1], __ATOMIC_ACQUIRE)))
            __atomic_store_n(&claimed[i / 2], 1, __ATOMIC_RELEASE);
        if (__sync_val_compare_and_swap(&claimed[i / 2], 1, 1) != 1)
            __atomic_add_fetch(&differ, 1, __ATOMIC_RELAXED);
    }
    int order[8];
#pragma acc serial copyout(order) copy(small)
    {
        atomic_store(&small, -3);
        order[0] = atomic_exchange(&small, 90);
        order[1] = atomic_fetch_add(&small, 70000);
        order[2] = atomic_load(&small);
        short expected = 1;
        order[3] = atomic_compare_exchange_strong(&small, &expected, 5) + 10 * expected;
        _Atomic float f = 1.5f;
        float g = atomic_exchange_explicit(&f, 2.5f, memory_order_seq_cst), h = -0.0f;
        atomic_store_explicit(&f, 0.0f, memory_order_release);
        order[4] = (int)(g * 10) + atomic_compare_exchange_strong(&f, &h, 9.0f) * 100 + (1 / h > 0) * 1000;
        _Atomic(int *) p = &order[1];
        order[5] = atomic_load(&p) == order + 1;
        atomic_thread_fence(memory_order_seq_cst);
        atomic_flag flag = ATOMIC_FLAG_INIT;
        order[6] = atomic_flag_test_and_set(&flag) + 2 * atomic_flag_test_and_set_explicit(&flag, memory_order_acquire);
        atomic_flag_clear(&flag);
        order[6] += 4 * atomic_flag_test_and_set(&flag);
        int nand = 12;
        order[7] = __atomic_nand_fetch(&nand, 10, 5) + __sync_lock_test_and_set(&nand, 4) + atomic_is_lock_free(&small);
        __sync_lock_release(&nand);
        order[7] += nand;
    }
    int ones = 0;
    for (int i = 0; i < N; i++)
        ones += seen[i] == 1;
    printf("%d %x %x %x %ld %d\n", count, bits, mask, odd, ticket, ones);
    printf("%g %ld %d %d %d %d %llx %d\n", sum, low, first, listed, members, plain, wide, differ);
    for (int i = 0; i < 8; i++)
        printf("%d ", order[i]);
    printf("%d\n", small);
    return 0;
}
