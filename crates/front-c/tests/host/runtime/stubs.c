/* A run-time library that only shows its arguments. Regions run on the host, or, with LAUNCH=1, not at all. */
#include <stdio.h>
#include <stdlib.h>

typedef unsigned long long word;
struct __accrue_site { const char *name; int words; int open; };

static void show(const char *what, struct __accrue_site *site, const word *words)
{
    int i;
    fprintf(stderr, "%s %s:", what, site->name);
    for (i = 0; i < site->words; i++)
        if (words[i] == (word)1 << 63)
            fprintf(stderr, " sync");
        else if (words[i] >= 0x500000000000 && words[i] < 0x800000000000)
            fprintf(stderr, " address");
        else if (words[i] + 1000 < 1000000)
            fprintf(stderr, " %lld", (long long)words[i]);
        else
            fprintf(stderr, " 0x%llx", words[i]);
    fprintf(stderr, "\n");
}

int __accrue_launch(struct __accrue_site *site, const word *words)
{
    show("launch", site, words);
    return getenv("LAUNCH") != NULL;
}

void __accrue_data_begin(struct __accrue_site *site, const word *words)
{
    show("begin", site, words);
    site->open = 1;
}

int __accrue_data_next(struct __accrue_site *site)
{
    if (site->open)
        return site->open--;
    fprintf(stderr, "end %s\n", site->name);
    return 0;
}

void __accrue_exec(struct __accrue_site *site, const word *words)
{
    show("exec", site, words);
}

int __accrue_device_is(unsigned int mask)
{
    return (mask & 2) != 0;
}
