// Which of 512 words of 5 to 12 letters begins at each of 2^23 places of a genome, the longest where there are several: from every place a walk
// through a tree of the words until it has no branch for the next letter.
#include "../kernels.h"

enum { LETTERS = 1 << 23, WORDS = 512, LONGEST = 12, STATES = WORDS * LONGEST + 1 };

#if SPELLING == 1
static int match(int n, const unsigned char *restrict text, const int *restrict next, const int *restrict ends, int *restrict found)
{
    int total = 0;
#pragma acc parallel loop reduction(+ : total) present(text[0:n], next[0:4 * STATES], ends[0:STATES], found[0:n])
#pragma omp parallel for reduction(+ : total)
    for (int i = 0; i < n; i++) {
        int state = 0, word = 0;
        for (int p = i; p < n; p++) {
            state = next[state * 4 + text[p]];
            if (state < 0)
                break;
            if (ends[state])
                word = ends[state];
        }
        found[i] = word;
        total += word != 0;
    }
    return total;
}
#else
struct node { int next[4], end; };

static int longest(const struct node *tree, const unsigned char *from, const unsigned char *to)
{
    int word = 0;
    const struct node *here = tree;
    while (from != to) {
        int state = here->next[*from++];
        if (state == -1)
            return word;
        here = tree + state;
        word = here->end ? here->end : word;
    }
    return word;
}

static long match(size_t n, unsigned char *text, struct node *tree, int *found)
{
    long total = 0;
#pragma acc kernels present(text[0:n], tree[0:STATES], found[0:n])
#pragma acc loop independent reduction(+ : total)
#pragma omp parallel for reduction(+ : total)
    for (size_t i = 0; i < n; ++i) {
        found[i] = longest(tree, text + i, text + n);
        if (found[i] > 0)
            ++total;
    }
    return total;
}
#endif

int main(int argc, char **argv)
{
    struct arguments args = arguments(argc, argv);
    int n = LETTERS >> args.shift, states = 1, *next = NEW(int, 4 * STATES), *ends = NEW(int, STATES), *found = NEW(int, n);
    unsigned char *text = NEW(unsigned char, n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        text[i] = mix(i) % 4;
    for (int k = 0; k < 4 * STATES; k++)
        next[k] = -1;
    for (int k = 0; k < STATES; k++)
        ends[k] = 0;
    for (int w = 0; w < WORDS; w++) {
        int state = 0;
        for (int k = 0; k < 5 + w % (LONGEST - 4); k++) {
            int *branch = &next[4 * state + mix(mix(w) + k) % 4];
            if (*branch < 0)
                *branch = states++;
            state = *branch;
        }
        ends[state] = w + 1;
    }
    struct watch t = watch(args.repeats);
    long total = 0;
#if SPELLING == 1
#pragma acc enter data copyin(text[0:n], next[0:4 * STATES], ends[0:STATES]) create(found[0:n])
    while (lap(&t))
        total = match(n, text, next, ends, found);
#else
    struct node *tree = NEW(struct node, STATES);
    for (int k = 0; k < STATES; k++)
        tree[k] = (struct node){{next[4 * k], next[4 * k + 1], next[4 * k + 2], next[4 * k + 3]}, ends[k]};
#pragma acc enter data copyin(text[0:n], tree[0:STATES]) create(found[0:n])
    while (lap(&t))
        total = match(n, text, tree, found);
#endif
#pragma acc update self(found[0:n])
    SUM(sum, found, n);
    report("matches", t.best, sum + total);
    return 0;
}
