# 1 "types.c"
typedef double real;
typedef struct { real x; } point;
typedef struct node { struct node *next; } node_t;
struct { int z; } one, *many;
union u { int i; };
enum color { RED };
real (*matrix)[10];
int (*table[3])(int, char);
int (*(*chooser)(int))[3];
const char *const names[] = {"a"};
unsigned long long big;
float _Complex z;
_Atomic int counter;
volatile signed char flags;
node_t list;
point *restrict path;
void (*handler)(union u, enum color, ...);
__typeof__(big) same;
void f(int n, real a[n][n + 1], point p[4])
{
  typedef short real;
  struct node { char c; } local;
  real inner;
  struct { int q; } here;
  {
    enum color { BLUE } shadow;
  }
  for (struct node *it = 0; it;)
    ;
}
struct node after;
