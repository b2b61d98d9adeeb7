// 65536 searches in a tree of 500000 keys with 16 keys in a node: 16 threads to a search, one for each key of a node.
#include "kernels.cuh"

constexpr int ORDER = 16, KEYS = 500000, QUERIES = 65536;

struct node {
    int count, leaf;
    int key[ORDER], child[ORDER];
};

__global__ void search(int n, const node *__restrict__ nodes, int root, int depth, const int *__restrict__ wanted, int *__restrict__ found)
{
    int q = (blockIdx.x * blockDim.x + threadIdx.x) / ORDER, k = threadIdx.x % ORDER, shift = threadIdx.x & 16;
    if (q >= n)
        return;
    unsigned group = 0xffffu << shift;
    int at = root, key = wanted[q];
    for (int d = 0; d < depth; d++) {
        bool fits = k < nodes[at].count && (k == 0 || nodes[at].key[k] <= key);
        int place = 31 - __clz(__ballot_sync(group, fits) >> shift);
        at = nodes[at].child[place];
    }
    bool is = k < nodes[at].count && nodes[at].key[k] == key;
    unsigned any = __ballot_sync(group, is);
    if (is)
        found[q] = nodes[at].child[k];
    if (!any && k == 0)
        found[q] = -1;
}

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = QUERIES >> args.shift, total = 0, depth = 0, first = 0, level = 0;
    node *nodes = (node *)calloc(KEYS / ORDER * 2, sizeof(node));
    int *wanted = NEW(int, n), *found = NEW(int, n);
    double sum = 0;
    for (int k = 0; k < KEYS; k++) {
        node *at = &nodes[k / ORDER];
        at->leaf = 1;
        at->key[at->count] = 3 * k;
        at->child[at->count++] = k;
    }
    for (level = total = (KEYS + ORDER - 1) / ORDER; level > 1; depth++) {
        int above = (level + ORDER - 1) / ORDER;
        for (int k = 0; k < level; k++) {
            node *at = &nodes[total + k / ORDER];
            at->key[at->count] = nodes[first + k].key[0];
            at->child[at->count++] = first + k;
        }
        first = total;
        total += above;
        level = above;
    }
    for (int q = 0; q < n; q++)
        wanted[q] = (int)(mix(q) % (3u * KEYS));
    node *dnodes = on_device(nodes, total);
    int *dwanted = on_device(wanted, n), *dfound = device<int>(n);
    double best = fastest(args.repeats, [&] { search<<<ceiling(n * ORDER, 256), 256>>>(n, dnodes, total - 1, depth, dwanted, dfound); });
    to_host(found, dfound, n);
    SUM(sum, found, n);
    report("btree", best, sum);
    return 0;
}
