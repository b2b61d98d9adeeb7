# AC_PROG_CC and the checks every configure script makes.
# needs: autoconf make
directive_program a.c
cat >configure.ac <<'END'
AC_INIT([probe], [1])
AC_CONFIG_SRCDIR([a.c])
AC_CONFIG_HEADERS([config.h])
AC_PROG_CC
AC_PROG_CPP
AC_CHECK_HEADERS([stdlib.h no_such_header.h openacc.h])
AC_CHECK_FUNCS([strtod no_such_function])
AC_CHECK_LIB([m], [cos])
AC_CHECK_SIZEOF([long])
AC_C_INLINE
AC_C_RESTRICT
AC_C_BIGENDIAN
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
END
printf 'prog: a.c\n\t@CC@ @CFLAGS@ @CPPFLAGS@ -o $@ a.c @LIBS@\n' >Makefile.in
autoconf
echo '#undef HAVE_OPENACC_H' >config.h.in
for cc in "accrue cc -fopenacc" "accrue-cc -acc"; do
    rm -f prog config.cache config.status
    ./configure CC="$cc" >configure.txt 2>&1 || { cat configure.txt; fail "configure CC='$cc'"; }
    contains configure.txt 'compiler default output file name... a.out'
    contains configure.txt 'cross compiling... no'
    contains configure.txt 'suffix of object files... o'
    contains configure.txt 'for openacc.h... yes'
    contains configure.txt 'no_such_header.h... no'
    contains configure.txt 'no_such_function... no'
    contains configure.txt 'GNU C... yes'
    make -s prog
    ./prog
done
no_temporary_files
