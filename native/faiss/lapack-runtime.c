/* What LAPACK takes from the Fortran runtime, so that the addon needs no libgfortran. */
#include <stdio.h>
#include <stdlib.h>

/* LAPACK's handler of wrong arguments. A child process ends by it, as it would in Fortran. */
void xerbla_(const char *routine, const int *argument, size_t length) {
  fprintf(stderr, "%.*s: argument %d has an illegal value\n", (int)length, routine, *argument);
  abort();
}

/* The operator `//`: both strings after each other, cut or filled with spaces to the length of the result. */
void _gfortran_concat_string(size_t length, char *result, size_t first_length, const char *first,
                             size_t second_length, const char *second) {
  for (size_t i = 0; i < length; i++) {
    if (i < first_length) {
      result[i] = first[i];
    } else {
      result[i] = i - first_length < second_length ? second[i - first_length] : ' ';
    }
  }
}
