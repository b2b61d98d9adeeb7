/* Classes of numbers, as functions: the macros of <math.h> are builtins of the compiler. */
#include "common.h"

int __accrue_isnan(double x) { return x != x; }
int __accrue_isinf(double x) { return fabs(x) == INF ? (x > 0 ? 1 : -1) : 0; }
int __accrue_finite(double x) { return fabs(x) < INF; }

int __accrue_isnanf(float x) { return x != x; }
int __accrue_isinff(float x) { return fabsf(x) == INFF ? (x > 0 ? 1 : -1) : 0; }
int __accrue_finitef(float x) { return fabsf(x) < INFF; }

/* Characters, in the "C" locale. */
int __accrue_isdigit(int c) { return c >= '0' && c <= '9'; }
int __accrue_isalpha(int c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }
int __accrue_isalnum(int c) { return __accrue_isalpha(c) || __accrue_isdigit(c); }
int __accrue_isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
int __accrue_toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
int __accrue_tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
