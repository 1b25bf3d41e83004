// Runs a harness over files, for the referee. Linked in place of a fuzzing engine.
//
// usage: harness SECONDS_PER_FILE < LIST    (LIST: file names, each ended by a NUL byte)
//
// The files run in a child process; if one of them crashes, hangs or exits, the next child goes on behind
// it. What was covered until then is not lost, because the coverage counters are mapped to the profile file
// (LLVM_PROFILE_FILE with %c) and shared by all children. Its last line is "RAN FAILED".
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);
// For a judge that counts something in each run (judge-counters.c): asked once whether to go on, told of every file, and
// at the end. A file that ends its child is told of by the parent.
__attribute__((weak)) int referee_start(size_t files);
__attribute__((weak)) void referee_before(size_t file);
__attribute__((weak)) void referee_after(size_t file);
__attribute__((weak)) void referee_end(size_t files);

enum { kMemoryLimit = 4, kFileLimit = 1 << 26 };

static void fail(const char *what) {
  fprintf(stderr, "referee-driver: %s: %s\n", what, strerror(errno));
  exit(1);
}

// A buffer of exactly the file's size, or NULL if it is no regular file of a sane size.
static uint8_t *read_file(const char *name, size_t *size) {
  struct stat status;
  int file = open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return NULL;
  uint8_t *data = NULL;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= kFileLimit) {
    data = malloc(status.st_size > 0 ? (size_t)status.st_size : 1);
    *size = 0;
    ssize_t got = 0;
    while (data != NULL && *size < (size_t)status.st_size &&
           (got = read(file, data + *size, (size_t)status.st_size - *size)) > 0) {
      *size += (size_t)got;
    }
  }
  close(file);
  return data;
}

static char *read_list(size_t *size) {
  size_t capacity = 1 << 16;
  char *list = malloc(capacity);
  *size = 0;
  while (list != NULL) {
    ssize_t got = read(STDIN_FILENO, list + *size, capacity - *size);
    if (got < 0) fail("reading the list of files");
    if (got == 0) return list;
    *size += (size_t)got;
    if (*size == capacity) list = realloc(list, capacity *= 2);
  }
  fail("memory for the list of files");
  return NULL;
}

// Runs files from *next on; *next is shared with the parent and always names the file in work.
static void run_files(char **files, size_t count, volatile size_t *next, unsigned seconds) {
  struct rlimit memory = {(rlim_t)kMemoryLimit << 30, (rlim_t)kMemoryLimit << 30};
  setrlimit(RLIMIT_AS, &memory);
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  for (; *next < count; ++*next) {
    size_t size;
    uint8_t *data = read_file(files[*next], &size);
    if (data == NULL) continue;
    alarm(seconds);
    if (referee_before) referee_before(*next);
    LLVMFuzzerTestOneInput(data, size);
    if (referee_after) referee_after(*next);
    alarm(0);
    free(data);
  }
}

int main(int argc, char **argv) {
  unsigned seconds = argc == 2 ? (unsigned)atoi(argv[1]) : 0;
  if (seconds == 0) {
    fprintf(stderr, "usage: %s SECONDS_PER_FILE < LIST_OF_FILES\n", argv[0]);
    return 1;
  }
  size_t size, count = 0, failed = 0;
  char *list = read_list(&size);
  for (size_t i = 0; i < size; i++) count += list[i] == '\0';
  char **files = calloc(count + 1, sizeof *files);
  if (files == NULL) fail("memory for the list of files");
  char *name = list;
  for (size_t i = 0; i < count; i++, name += strlen(name) + 1) files[i] = name;

  volatile size_t *next = mmap(NULL, sizeof *next, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (next == MAP_FAILED) fail("shared memory");
  if (referee_start && !referee_start(count)) return 0;
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
  while (*next < count) {
    pid_t child = fork();
    if (child < 0) fail("fork");
    if (child == 0) {
      run_files(files, count, next, seconds);
      _exit(0);
    }
    int status;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    if (*next < count) {
      if (referee_after) referee_after(*next);
      failed++;
      ++*next;
    }
  }
  if (referee_end) referee_end(count);
  // What the target printed need not end with a line.
  printf("\n%zu %zu\n", count, failed);
  return 0;
}
