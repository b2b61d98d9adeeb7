// Flags in structs and outside of functions, typedefs of stdatomic.h, and the functions on the host beside regions.
#include <stdatomic.h>
#include <stdio.h>
struct lock { atomic_flag held; int n; };
static atomic_flag global = ATOMIC_FLAG_INIT;
int main(void) {
  struct lock l = { ATOMIC_FLAG_INIT, 0 }; int got = 0; atomic_bool b = 0; atomic_int won = 0; atomic_llong c = 0; atomic_size_t z = 5; atomic_uintptr_t u = 0; int h = 0;
  atomic_fetch_add(&c, 5); /* host */
  h = atomic_exchange(&b, 1) + atomic_flag_test_and_set(&global);
#pragma acc parallel loop copy(l, won)
  for (int i = 0; i < 100; i++) if (!atomic_flag_test_and_set(&l.held)) atomic_fetch_add(&won, 1);
#pragma acc parallel loop copy(b, c, z, u) reduction(+:h)
  for (int i = 0; i < 64; i++) { if (i == 9) atomic_store(&b, 0); atomic_fetch_add(&c, i); atomic_fetch_sub(&z, 1); atomic_fetch_or(&u, 1ul << i); h += atomic_is_lock_free(&c); }
  got = won;
  printf("%d %d %lld %zu %lx %d\n", got, b, (long long)c, (size_t)z, (unsigned long)u, h);
}
