/* mock_server [SECONDS [BROKERS]]: librdkafka's own mock cluster as a server process, to compare with.
   Prints {"kafka":"127.0.0.1:port,…"} and ends by itself. */
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static volatile sig_atomic_t ended = 0;

static void end(int signal_number) {
  (void)signal_number;
  ended = 1;
}

int main(int argc, char** argv) {
  const int seconds = argc > 1 ? atoi(argv[1]) : 600;
  const int brokers = argc > 2 ? atoi(argv[2]) : 3;
  char problem[512];
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  rd_kafka_conf_set(conf, "log_level", "2", problem,
                    sizeof problem); /* no warnings: it connects to nothing */
  rd_kafka_t* owner = rd_kafka_new(RD_KAFKA_PRODUCER, conf, problem, sizeof problem);
  if (owner == NULL) {
    fprintf(stderr, "mock_server: %s\n", problem);
    return 1;
  }
  rd_kafka_mock_cluster_t* cluster = rd_kafka_mock_cluster_new(owner, brokers);
  if (cluster == NULL) {
    fprintf(stderr, "mock_server: no mock cluster\n");
    return 1;
  }
  signal(SIGTERM, end);
  signal(SIGINT, end);
  printf("{\"kafka\":\"%s\"}\n", rd_kafka_mock_cluster_bootstraps(cluster));
  fflush(stdout);
  for (int tenths = 0; tenths < seconds * 10 && !ended; ++tenths) {
    const struct timespec tenth = {0, 100000000};
    nanosleep(&tenth, NULL);
  }
  rd_kafka_mock_cluster_destroy(cluster);
  rd_kafka_destroy(owner);
  return 0;
}
