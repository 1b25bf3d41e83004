// Writes in every way C has; argument 1 says how many bytes. Everything goes to descriptor 7 and stays out of the way, but
// for the lines on standard output and on standard error at the end.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static void formatted(FILE *file, int descriptor, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(file, format, list);
  va_end(list);
  va_start(list, format);
  vdprintf(descriptor, format, list);
  va_end(list);
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1, pair[2];
  char *bytes = malloc((size_t)n + 1);
  memset(bytes, 'x', (size_t)n);
  bytes[n] = 0;
  int null = open("/dev/null", O_RDWR);
  if (dup2(null, 7) != 7 || dup2(null, 300) != 300) return 1;
  struct iovec parts[2] = {{bytes, (size_t)n}, {bytes, (size_t)n}};
  if (write(7, bytes, (size_t)n) != n) return 2;         /* n */
  pwrite(7, bytes, (size_t)n, 0);                        /* n */
  writev(7, parts, 2);                                   /* 2n */
  dprintf(7, "%s", bytes);                               /* n */
  FILE *file = fdopen(7, "w");
  fwrite(bytes, 1, (size_t)n, file);                     /* n */
  fwrite(parts, 16, 2, file);                            /* 32 */
  fputs(bytes, file);                                    /* n */
  fputc('x', file), putc('x', file);                     /* 2 */
  fprintf(file, "%s\n", bytes);                          /* n + 1 */
  formatted(file, 7, "%d%s", 5, bytes);                  /* 2n + 2 */
  write(300, bytes, (size_t)n);
  write(-1, bytes, (size_t)n);
  char *text;
  size_t size;
  FILE *memory = open_memstream(&text, &size);
  fputs(bytes, memory);
  fclose(memory);
  if (!socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) && dup2(pair[0], 9) == 9) {
    send(9, bytes, (size_t)n, 0);
    sendto(9, bytes, (size_t)n, 0, NULL, 0);
    sendmsg(9, &(struct msghdr){.msg_iov = parts, .msg_iovlen = 2}, 0);
  }
  puts("hello");                                         /* 6 */
  printf("number %d\n", n % 10);                         /* 9 */
  putchar('!'), putchar('\n');                           /* 2 */
  fprintf(stderr, "oh\n");                               /* 3 */
  return 0;
}
