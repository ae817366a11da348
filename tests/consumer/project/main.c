/* The same through the C interface. */
#include <stdio.h>
#include <string.h>
#include <wavetank/wavetank.h>

int main(void) {
  wt_cluster* cluster = wt_cluster_new("{\"seed\":42,\"brokers\":1,\"clock\":\"frozen\"}");
  if (cluster == NULL) {
    puts(wt_last_error());
    return 1;
  }
  char* answer = wt_execute(cluster, "{\"do\":\"create_topic\",\"name\":\"orders\"}");
  const int made = answer != NULL && strstr(answer, "\"ok\":true") != NULL;
  wt_free(answer);
  const int fine = made && strchr(wt_bootstrap(cluster), ':') != NULL && wt_advance_ms(cluster, 1000, 0) == 0;
  wt_cluster_free(cluster);
  puts(fine ? "consumer: linked from C" : "consumer: the cluster does not work");
  return fine ? 0 : 1;
}
