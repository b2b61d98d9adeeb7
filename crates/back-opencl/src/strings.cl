static ulong accrue_strlen_LEFT_(const LEFT char *text)
{
    ulong length = 0;
    while (text[length] != 0)
        ++length;
    return length;
}

static int accrue_strncmp_LEFT_RIGHT_(const LEFT char *left, const RIGHT char *right, ulong count)
{
    for (ulong at = 0; at < count; ++at) {
        int l = (uchar)left[at];
        int r = (uchar)right[at];
        if (l != r || l == 0)
            return l - r;
    }
    return 0;
}

static int accrue_strcmp_LEFT_RIGHT_(const LEFT char *left, const RIGHT char *right)
{
    for (ulong at = 0;; ++at) {
        int l = (uchar)left[at];
        int r = (uchar)right[at];
        if (l != r || l == 0)
            return l - r;
    }
}

static int accrue_memcmp_LEFT_RIGHT_(const LEFT char *left, const RIGHT char *right, ulong count)
{
    for (ulong at = 0; at < count; ++at)
        if (left[at] != right[at])
            return (int)(uchar)left[at] - (int)(uchar)right[at];
    return 0;
}

static LEFT char *accrue_strcpy_LEFT_RIGHT_(LEFT char *to, const RIGHT char *from)
{
    ulong at = 0;
    do
        to[at] = from[at];
    while (from[at++] != 0);
    return to;
}

static LEFT char *accrue_strncpy_LEFT_RIGHT_(LEFT char *to, const RIGHT char *from, ulong count)
{
    ulong at = 0;
    for (; at < count && from[at] != 0; ++at)
        to[at] = from[at];
    for (; at < count; ++at)
        to[at] = 0;
    return to;
}

static LEFT char *accrue_strcat_LEFT_RIGHT_(LEFT char *to, const RIGHT char *from)
{
    LEFT char *end = to;
    while (*end != 0)
        ++end;
    ulong at = 0;
    do
        end[at] = from[at];
    while (from[at++] != 0);
    return to;
}

static LEFT char *accrue_strncat_LEFT_RIGHT_(LEFT char *to, const RIGHT char *from, ulong count)
{
    LEFT char *end = to;
    while (*end != 0)
        ++end;
    ulong at = 0;
    for (; at < count && from[at] != 0; ++at)
        end[at] = from[at];
    end[at] = 0;
    return to;
}

static LEFT char *accrue_strchr_LEFT_(LEFT char *text, int value)
{
    char wanted = (char)value;
    while (*text != 0 && *text != wanted)
        ++text;
    return *text == wanted ? text : (LEFT char *)0;
}

static LEFT char *accrue_strrchr_LEFT_(LEFT char *text, int value)
{
    char wanted = (char)value;
    LEFT char *found = 0;
    do
        if (*text == wanted)
            found = text;
    while (*text++ != 0);
    return found;
}

static LEFT char *accrue_memchr_LEFT_(LEFT char *memory, int value, ulong count)
{
    char wanted = (char)value;
    for (ulong at = 0; at < count; ++at)
        if (memory[at] == wanted)
            return memory + at;
    return 0;
}
