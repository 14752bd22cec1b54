// SPDX-License-Identifier: Apache-2.0
// crema_peak COMMAND...: runs the command and prints the most memory it had, in bytes. A program's peak
// counts from before it was loaded, so one that is started by a large program appears as large; this one is
// small.
#include <cstdio>
#include <cstdlib>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char** argv) {
  if (argc < 2) return EXIT_FAILURE;
  const pid_t child = fork();
  if (child == 0) {
    execv(argv[1], argv + 1);
    std::_Exit(EXIT_FAILURE);
  }
  int status = 0;
  rusage usage{};
  if (child < 0 || wait4(child, &status, 0, &usage) < 0) return EXIT_FAILURE;
  std::printf("%ld\n", usage.ru_maxrss * 1024);
  return WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;
}
