/* Character strings, and integers' absolute values. */
#include "common.h"

size_t __accrue_strlen(const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

size_t __accrue_strnlen(const char *text, size_t most)
{
    size_t length = 0;
    while (length < most && text[length])
        length++;
    return length;
}

int __accrue_strncmp(const char *left, const char *right, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char l = (unsigned char)left[i], r = (unsigned char)right[i];
        if (l != r || l == 0)
            return (int)l - (int)r;
    }
    return 0;
}

int __accrue_strcmp(const char *left, const char *right)
{
    return __accrue_strncmp(left, right, (size_t)-1);
}

char *__accrue_strcpy(char *to, const char *from)
{
    size_t i = 0;
    do
        to[i] = from[i];
    while (from[i++]);
    return to;
}

char *__accrue_strncpy(char *to, const char *from, size_t count)
{
    size_t i = 0;
    for (; i < count && from[i]; i++)
        to[i] = from[i];
    for (; i < count; i++)
        to[i] = 0;
    return to;
}

char *__accrue_strcat(char *to, const char *from)
{
    __accrue_strcpy(to + __accrue_strlen(to), from);
    return to;
}

char *__accrue_strncat(char *to, const char *from, size_t count)
{
    char *end = to + __accrue_strlen(to);
    size_t i = 0;
    for (; i < count && from[i]; i++)
        end[i] = from[i];
    end[i] = 0;
    return to;
}

char *__accrue_strchr(const char *text, int value)
{
    char c = (char)value;
    size_t i = 0;
    while (text[i] && text[i] != c)
        i++;
    return text[i] == c ? (char *)(text + i) : NULL;
}

char *__accrue_strrchr(const char *text, int value)
{
    char c = (char)value;
    const char *found = NULL;
    size_t i = 0;
    do {
        if (text[i] == c)
            found = text + i;
    } while (text[i++]);
    return (char *)found;
}

int __accrue_abs(int x) { return x < 0 ? -x : x; }
long __accrue_labs(long x) { return x < 0 ? -x : x; }
long long __accrue_llabs(long long x) { return x < 0 ? -x : x; }
