/* CPU time of other processes from /proc/PID/stat; C and C++. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Seconds in user and system mode so far, of all processes in `pids` ("12" or "12,13") together. -1: one of
   them is not there. */
static inline double server_cpu_s(const char* pids) {
  double total_s = 0;
  for (const char* at = pids; *at != 0;) {
    char* end = NULL;
    const long pid = strtol(at, &end, 10);
    if (end == at) return -1;
    at = *end == ',' ? end + 1 : end;
    if (*end != ',' && *end != 0) return -1;
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE* file = fopen(path, "r");
    if (file == NULL) return -1;
    char line[1024];
    const size_t size = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[size] = 0;
    /* The name in parentheses may hold anything, so count fields from its end: 3 is the state. */
    const char* name_end = strrchr(line, ')');
    unsigned long user_ticks = 0;
    unsigned long system_ticks = 0;
    if (name_end == NULL || sscanf(name_end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                                   &user_ticks, &system_ticks) != 2) {
      return -1;
    }
    total_s += (double)(user_ticks + system_ticks) / (double)sysconf(_SC_CLK_TCK);
  }
  return total_s;
}
