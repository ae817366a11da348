/* rdk_loader: librdkafka as people use it.

     rdk_loader BROKERS single|bulk|fetch [--topic T] [--bytes N] [--records N] [--seconds S] [--pid
   PID[,PID…]]
                [--set name=value]…

   single: one record at a time, each acknowledged before the next. bulk: as fast as it goes, linger 5 ms.
   fetch: writes --records records first, then reads them from the beginning, again and again, until --seconds
   are over. --records bounds single and bulk, --seconds all three. Prints one JSON line; nothing else goes
   to standard output. acks=all unless --set says otherwise. */
#include <librdkafka/rdkafka.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>
#include <time.h>

#include "tests/bench/sockets/server_cpu.h"

enum { kPatienceMs = 30000, kBatch = 1000, kMaxSettings = 32 };

struct options {
  const char* brokers;
  const char* mode;
  const char* topic;
  const char* pids;
  long record_bytes;
  long records;
  double seconds;
  char* settings[kMaxSettings];
  int settings_count;
};

struct meter {
  double start_s;
  double server_cpu_s;
  double client_cpu_s;
};

static long delivered = 0;
static long failed = 0;
static const char* first_failure = "";

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double own_cpu_s(void) {
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

static void fail(const char* what, const char* why) {
  fprintf(stderr, "rdk_loader: %s%s\n", what, why);
  exit(1);
}

static void set(rd_kafka_conf_t* conf, const char* name, const char* value) {
  char problem[512];
  if (rd_kafka_conf_set(conf, name, value, problem, sizeof problem) != RD_KAFKA_CONF_OK) fail(problem, "");
}

static void apply_settings(const struct options* options, rd_kafka_conf_t* conf) {
  set(conf, "bootstrap.servers", options->brokers);
  for (int i = 0; i < options->settings_count; ++i) {
    char* equals = strchr(options->settings[i], '=');
    if (equals == NULL) fail("--set needs name=value, not ", options->settings[i]);
    *equals = 0;
    set(conf, options->settings[i], equals + 1);
    *equals = '=';
  }
}

static void on_delivery(rd_kafka_t* client, const rd_kafka_message_t* message, void* opaque) {
  (void)client;
  (void)opaque;
  if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
    ++delivered;
  } else {
    if (failed++ == 0) first_failure = rd_kafka_err2str(message->err);
  }
}

static rd_kafka_t* new_producer(const struct options* options, const char* linger_ms) {
  char problem[512];
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  rd_kafka_conf_set_dr_msg_cb(conf, on_delivery);
  set(conf, "acks", "all");
  set(conf, "linger.ms", linger_ms);
  set(conf, "queue.buffering.max.messages", "500000");
  set(conf, "queue.buffering.max.kbytes", "262144");
  if (strcmp(options->mode, "fetch") != 0)
    apply_settings(options, conf);
  else
    set(conf, "bootstrap.servers", options->brokers);
  rd_kafka_t* client = rd_kafka_new(RD_KAFKA_PRODUCER, conf, problem, sizeof problem);
  if (client == NULL) fail(problem, "");
  return client;
}

static char* new_value(const struct options* options) {
  char* value = malloc((size_t)options->record_bytes + 1);
  for (long i = 0; i < options->record_bytes; ++i) value[i] = (char)('a' + i * 7 % 26);
  return value;
}

/* Hands one record over; waits while the queue is full. */
static void produce(rd_kafka_t* client, const struct options* options, char* value) {
  for (;;) {
    const rd_kafka_resp_err_t error =
        rd_kafka_producev(client, RD_KAFKA_V_TOPIC(options->topic), RD_KAFKA_V_PARTITION(0),
                          RD_KAFKA_V_VALUE(value, (size_t)options->record_bytes),
                          RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_END);
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return;
    if (error != RD_KAFKA_RESP_ERR__QUEUE_FULL) fail("produce: ", rd_kafka_err2str(error));
    rd_kafka_poll(client, 5);
  }
}

static void produce_and_wait(rd_kafka_t* client, const struct options* options, char* value) {
  const long wanted = delivered + 1;
  produce(client, options, value);
  while (delivered < wanted && failed == 0) rd_kafka_poll(client, 1000);
}

static struct meter start_meter(const struct options* options) {
  struct meter meter;
  meter.server_cpu_s = options->pids != NULL ? server_cpu_s(options->pids) : -1;
  meter.client_cpu_s = own_cpu_s();
  meter.start_s = now_s();
  return meter;
}

static void print_result(const struct options* options, const struct meter* start, long records) {
  const double seconds = now_s() - start->start_s;
  const double client_cpu_s = own_cpu_s() - start->client_cpu_s;
  const double server_s = start->server_cpu_s < 0 ? -1 : server_cpu_s(options->pids) - start->server_cpu_s;
  const double megabytes = (double)records * (double)options->record_bytes / 1e6;
  if (failed > 0) fail("records failed: ", first_failure);
  if (records == 0) fail("nothing was moved", "");
  printf(
      "{\"records\":%ld,\"seconds\":%.4f,\"rate\":%.1f,\"mb_s\":%.3f,\"client_cpu_us\":%.4f,"
      "\"server_cpu_us\":%.4f,\"server_cpu_s_gb\":%.4f",
      records, seconds, (double)records / seconds, megabytes / seconds, client_cpu_s / (double)records * 1e6,
      server_s < 0 ? -1 : server_s / (double)records * 1e6, server_s < 0 ? -1 : server_s / megabytes * 1e3);
}

static int compare_latencies(const void* a, const void* b) {
  const uint32_t left = *(const uint32_t*)a;
  const uint32_t right = *(const uint32_t*)b;
  return left < right ? -1 : left > right;
}

static void run_single(const struct options* options) {
  rd_kafka_t* client = new_producer(options, "0");
  char* value = new_value(options);
  uint32_t* latencies_ns = malloc((size_t)options->records * sizeof *latencies_ns);
  for (int i = 0; i < 20; ++i) produce_and_wait(client, options, value);
  const struct meter start = start_meter(options);
  long done = 0;
  double before_s = start.start_s;
  while (done < options->records && failed == 0 && before_s - start.start_s < options->seconds) {
    produce_and_wait(client, options, value);
    const double after_s = now_s();
    latencies_ns[done++] = (uint32_t)((after_s - before_s) * 1e9);
    before_s = after_s;
  }
  print_result(options, &start, done);
  qsort(latencies_ns, (size_t)done, sizeof *latencies_ns, compare_latencies);
  printf(",\"p50_us\":%.1f,\"p99_us\":%.1f}\n", latencies_ns[(done - 1) / 2] / 1e3,
         latencies_ns[(long)((double)(done - 1) * 0.99)] / 1e3);
  rd_kafka_destroy(client);
  free(latencies_ns);
  free(value);
}

/* At most --records and, if `seconds` > 0, for that long; returns when all are acknowledged. */
static void fill(rd_kafka_t* client, const struct options* options, char* value, double seconds) {
  const double end_s = now_s() + seconds;
  for (long i = 0; i < options->records && failed == 0; ++i) {
    if (i % 256 == 0) {
      rd_kafka_poll(client, 0);
      if (seconds > 0 && now_s() > end_s) break;
    }
    produce(client, options, value);
  }
  rd_kafka_flush(client, kPatienceMs);
  if (rd_kafka_outq_len(client) > 0) fail("records were not acknowledged in time", "");
}

static void run_bulk(const struct options* options) {
  rd_kafka_t* client = new_producer(options, "5");
  char* value = new_value(options);
  for (int i = 0; i < 20; ++i) produce_and_wait(client, options, value);
  const long before = delivered;
  const struct meter start = start_meter(options);
  fill(client, options, value, options->seconds);
  print_result(options, &start, delivered - before);
  printf("}\n");
  rd_kafka_destroy(client);
  free(value);
}

struct reader {
  rd_kafka_t* client;
  rd_kafka_queue_t* queue;
  rd_kafka_topic_partition_list_t* partition;
  long record_bytes;
};

static struct reader new_reader(const struct options* options) {
  char problem[512];
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  set(conf, "group.id", "rdk_loader");
  set(conf, "enable.partition.eof", "true");
  set(conf, "enable.auto.commit", "false");
  set(conf, "auto.offset.reset", "earliest");
  apply_settings(options, conf);
  struct reader reader;
  reader.client = rd_kafka_new(RD_KAFKA_CONSUMER, conf, problem, sizeof problem);
  if (reader.client == NULL) fail(problem, "");
  rd_kafka_poll_set_consumer(reader.client);
  reader.queue = rd_kafka_queue_get_consumer(reader.client);
  reader.partition = rd_kafka_topic_partition_list_new(1);
  rd_kafka_topic_partition_list_add(reader.partition, options->topic, 0)->offset = RD_KAFKA_OFFSET_BEGINNING;
  reader.record_bytes = options->record_bytes;
  rd_kafka_assign(reader.client, reader.partition);
  return reader;
}

/* Records that came in; `end` is set at the end of the partition. */
static long read_some(struct reader* reader, bool* end) {
  rd_kafka_message_t* messages[kBatch];
  long records = 0;
  const ssize_t count = rd_kafka_consume_batch_queue(reader->queue, 100, messages, kBatch);
  for (ssize_t i = 0; i < count; ++i) {
    if (messages[i]->err == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
      *end = true;
    } else if (messages[i]->err != RD_KAFKA_RESP_ERR_NO_ERROR) {
      fail("fetch: ", rd_kafka_message_errstr(messages[i]));
    } else if ((long)messages[i]->len != reader->record_bytes) {
      fail("fetch: ", "a record has another length than was written; use a topic of its own");
    } else {
      ++records;
    }
    rd_kafka_message_destroy(messages[i]);
  }
  return records;
}

static void run_fetch(const struct options* options) {
  rd_kafka_t* producer = new_producer(options, "5");
  char* value = new_value(options);
  fill(producer, options, value, 0);
  if (failed > 0) fail("records failed: ", first_failure);
  rd_kafka_destroy(producer);
  free(value);

  struct reader reader = new_reader(options);
  /* The first round is not counted: it finds the leader, and what was fetched ahead of it would look free. */
  const double give_up_s = now_s() + kPatienceMs / 1e3;
  bool end = false;
  while (!end) {
    read_some(&reader, &end);
    if (now_s() > give_up_s) fail("fetch: ", "the end of the partition was not reached");
  }
  const struct meter start = start_meter(options);
  long records = 0;
  long rounds = 0;
  double last_s = start.start_s;
  while (last_s - start.start_s < options->seconds) {
    if (end) {
      end = false;
      ++rounds;
      rd_kafka_error_t* error = rd_kafka_seek_partitions(reader.client, reader.partition, kPatienceMs);
      if (error != NULL) fail("seek: ", rd_kafka_error_string(error));
    }
    records += read_some(&reader, &end);
    last_s = now_s();
  }
  print_result(options, &start, records);
  printf(",\"rounds\":%ld}\n", rounds);
  fflush(stdout);
  rd_kafka_topic_partition_list_destroy(reader.partition);
  rd_kafka_queue_destroy(reader.queue);
  rd_kafka_consumer_close(reader.client);
  rd_kafka_destroy(reader.client);
}

static bool read_arguments(int count, char** words, struct options* options) {
  if (count < 3) return false;
  options->brokers = words[1];
  options->mode = words[2];
  for (int i = 3; i + 1 < count; i += 2) {
    char* value = words[i + 1];
    if (strcmp(words[i], "--topic") == 0)
      options->topic = value;
    else if (strcmp(words[i], "--bytes") == 0)
      options->record_bytes = atol(value);
    else if (strcmp(words[i], "--records") == 0)
      options->records = atol(value);
    else if (strcmp(words[i], "--seconds") == 0)
      options->seconds = atof(value);
    else if (strcmp(words[i], "--pid") == 0)
      options->pids = value;
    else if (strcmp(words[i], "--set") == 0 && options->settings_count < kMaxSettings)
      options->settings[options->settings_count++] = value;
    else
      return false;
  }
  return count % 2 == 1 && options->record_bytes >= 1 && options->records >= 1 &&
         options->records <= 100000000 && options->seconds > 0;
}

int main(int argc, char** argv) {
  struct options options = {.topic = "bench", .record_bytes = 100, .records = 100000, .seconds = 5};
  if (!read_arguments(argc, argv, &options)) {
    fprintf(stderr,
            "usage: rdk_loader BROKERS single|bulk|fetch [--topic T] [--bytes N] [--records N] [--seconds S]"
            " [--pid PID[,PID...]] [--set name=value]...\n");
    return 2;
  }
  if (strcmp(options.mode, "single") == 0)
    run_single(&options);
  else if (strcmp(options.mode, "bulk") == 0)
    run_bulk(&options);
  else if (strcmp(options.mode, "fetch") == 0)
    run_fetch(&options);
  else
    fail("there is no mode ", options.mode);
  return 0;
}
