// 65536 searches in a tree of 500000 keys with 16 keys in a node: nodes in an array, a child's number beside each key.
#include "../kernels.h"

enum { ORDER = 16, KEYS = 500000, QUERIES = 65536 };

struct node {
    int count, leaf;
    int key[ORDER], child[ORDER];
};

#if SPELLING == 1
static void search(int n, const struct node *restrict nodes, int total, int root, int depth, const int *restrict wanted, int *restrict found)
{
#pragma acc parallel loop present(nodes[0:total], wanted[0:n], found[0:n])
#pragma omp parallel for
    for (int q = 0; q < n; q++) {
        int at = root, key = wanted[q];
        for (int d = 0; d < depth; d++) {
            int next = nodes[at].child[0];
            for (int k = 1; k < ORDER; k++)
                if (k < nodes[at].count && nodes[at].key[k] <= key)
                    next = nodes[at].child[k];
            at = next;
        }
        int value = -1;
        for (int k = 0; k < ORDER; k++)
            if (k < nodes[at].count && nodes[at].key[k] == key)
                value = nodes[at].child[k];
        found[q] = value;
    }
}
#else
#pragma acc routine seq
static unsigned place(const struct node *node, int key)
{
    unsigned k = 0;
    while (k + 1 < (unsigned)node->count && node->key[k + 1] <= key)
        ++k;
    return k;
}

static void search(size_t n, struct node *nodes, size_t total, int root, int depth, int *wanted, int *found)
{
    (void)depth;
#pragma acc kernels loop independent gang vector(128) present(nodes[0:total], wanted[0:n], found[0:n])
#pragma omp parallel for
    for (size_t q = 0; q < n; ++q) {
        const struct node *at = &nodes[root];
        while (!at->leaf)
            at = &nodes[at->child[place(at, wanted[q])]];
        unsigned k = place(at, wanted[q]);
        found[q] = at->key[k] == wanted[q] ? at->child[k] : -1;
    }
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = QUERIES >> args.shift, total = 0, depth = 0, first = 0, level = 0;
    struct node *nodes = calloc(KEYS / ORDER * 2, sizeof(struct node));
    int *wanted = NEW(int, n), *found = NEW(int, n);
    double sum = 0;
    for (int k = 0; k < KEYS; k++) {
        struct node *node = &nodes[k / ORDER];
        node->leaf = 1;
        node->key[node->count] = 3 * k;
        node->child[node->count++] = k;
    }
    for (level = total = (KEYS + ORDER - 1) / ORDER; level > 1; depth++) {
        int above = (level + ORDER - 1) / ORDER;
        for (int k = 0; k < level; k++) {
            struct node *node = &nodes[total + k / ORDER];
            node->key[node->count] = nodes[first + k].key[0];
            node->child[node->count++] = first + k;
        }
        first = total;
        total += above;
        level = above;
    }
    for (int q = 0; q < n; q++)
        wanted[q] = (int)(mix(q) % (3u * KEYS));
#pragma acc enter data copyin(nodes[0:total], wanted[0:n]) create(found[0:n])
    struct watch t = watch(args.repeats);
    while (lap(&t))
        search(n, nodes, total, total - 1, depth, wanted, found);
#pragma acc update self(found[0:n])
    SUM(sum, found, n);
    report("btree", t.best, sum);
    return 0;
}
