/* librdkafka; the command line and the lines are described in ../lines.py. Keys and values need no escapes. */
#include <librdkafka/rdkafka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kMaxPartitions = 64 };

static int words;
static char** word;
static volatile sig_atomic_t asked_to_end = 0;
static long failures = 0;

static const char* flag(const char* name) {
  for (int i = 2; i + 1 < words; i += 2) {
    if (strcmp(word[i] + 2, name) == 0) return word[i + 1];
  }
  return NULL;
}

static long number(const char* name) { return flag(name) == NULL ? 0 : atol(flag(name)); }

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void set(rd_kafka_conf_t* conf, const char* key, const char* value) {
  char error[512];
  if (rd_kafka_conf_set(conf, key, value, error, sizeof error) != RD_KAFKA_CONF_OK) {
    fprintf(stderr, "%s=%s: %s\n", key, value, error);
    exit(2);
  }
}

static rd_kafka_conf_t* common(void) {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  set(conf, "bootstrap.servers", flag("bootstrap"));
  set(conf, "client.id", flag("client-id"));
  set(conf, "topic.metadata.refresh.interval.ms", "5000");
  return conf;
}

static rd_kafka_t* create(rd_kafka_type_t type, rd_kafka_conf_t* conf) {
  char error[512];
  rd_kafka_t* rk = rd_kafka_new(type, conf, error, sizeof error);
  if (rk == NULL) {
    fprintf(stderr, "rd_kafka_new: %s\n", error);
    exit(2);
  }
  return rk;
}

static void print_record(const char* kind, const rd_kafka_message_t* m) {
  printf("{\"%s\":{\"key\":\"%.*s\",\"value\":\"%.*s\",\"partition\":%d,\"offset\":%lld}}\n", kind, (int)m->key_len,
         (const char*)m->key, (int)m->len, (const char*)m->payload, m->partition, (long long)m->offset);
}

/* --- producing ------------------------------------------------------------------------------- */

static void on_delivery(rd_kafka_t* rk, const rd_kafka_message_t* message, void* opaque) {
  (void)rk;
  (void)opaque;
  if (!message->err) {
    print_record("acked", message);
    return;
  }
  ++failures;
  printf("{\"failed\":{\"value\":\"%.*s\",\"error\":\"%s\"}}\n", (int)message->len, (const char*)message->payload,
         rd_kafka_err2name(message->err));
}

static rd_kafka_t* producer(void) {
  const int idempotent = number("idempotent") == 1;
  rd_kafka_conf_t* conf = common();
  set(conf, "compression.codec", flag("codec"));
  set(conf, "request.required.acks", flag("acks"));
  set(conf, "enable.idempotence", idempotent ? "true" : "false");
  set(conf, "max.in.flight", idempotent ? "5" : "1");
  set(conf, "linger.ms", "5");
  set(conf, "message.timeout.ms", "60000");
  set(conf, "retry.backoff.ms", "50");
  rd_kafka_conf_set_dr_msg_cb(conf, on_delivery);
  return create(RD_KAFKA_PRODUCER, conf);
}

static void send_number(rd_kafka_t* rk, long n) {
  char key[8], value[128];
  snprintf(key, sizeof key, "k%ld", n % 8);
  snprintf(value, sizeof value, "%s-%ld", flag("client-id"), n);
  const rd_kafka_resp_err_t error = rd_kafka_producev(
      rk, RD_KAFKA_V_TOPIC(flag("topic")), RD_KAFKA_V_KEY(key, strlen(key)), RD_KAFKA_V_VALUE(value, strlen(value)),
      RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY), RD_KAFKA_V_END);
  if (error) {
    fprintf(stderr, "produce: %s\n", rd_kafka_err2str(error));
    exit(2);
  }
}

static int produce(void) {
  rd_kafka_t* rk = producer();
  const double begin = now();
  for (long i = 0; i < number("count"); ++i) {
    const double due = number("rate") > 0 ? begin + (double)i / (double)number("rate") : begin;
    do {
      const double left = due - now();
      rd_kafka_poll(rk, left > 0 ? (int)(left * 1000) : 0);
    } while (now() < due);
    send_number(rk, number("start") + i);
  }
  const int flushed = rd_kafka_flush(rk, 60000) == RD_KAFKA_RESP_ERR_NO_ERROR;
  printf("{\"done\":{\"failed\":%ld,\"flushed\":%d}}\n", failures, flushed);
  rd_kafka_destroy(rk);
  return failures > 0 || !flushed;
}

/* --- consuming ------------------------------------------------------------------------------- */

static int64_t positions[kMaxPartitions]; /* next offset to commit; 0: nothing to commit */

static void print_partitions(const char* kind, const rd_kafka_topic_partition_list_t* list) {
  printf("{\"%s\":[", kind);
  for (int i = 0; i < list->cnt; ++i) printf("%s%d", i > 0 ? "," : "", list->elems[i].partition);
  printf("]}\n");
}

static void commit(rd_kafka_t* rk) {
  rd_kafka_topic_partition_list_t* offsets = rd_kafka_topic_partition_list_new(kMaxPartitions);
  for (int p = 0; p < kMaxPartitions; ++p) {
    if (positions[p] > 0) rd_kafka_topic_partition_list_add(offsets, flag("topic"), p)->offset = positions[p];
  }
  rd_kafka_resp_err_t error = RD_KAFKA_RESP_ERR_NO_ERROR;
  if (offsets->cnt > 0) error = rd_kafka_commit(rk, offsets, 0);
  for (int i = 0; !error && i < offsets->cnt; ++i) error = offsets->elems[i].err;
  if (error) {
    printf("{\"commit_failed\":\"%s\"}\n", rd_kafka_err2name(error));
  } else if (offsets->cnt > 0) {
    printf("{\"committed\":{");
    for (int i = 0; i < offsets->cnt; ++i) {
      printf("%s\"%d\":%lld", i > 0 ? "," : "", offsets->elems[i].partition, (long long)offsets->elems[i].offset);
      positions[offsets->elems[i].partition] = 0;
    }
    printf("}}\n");
  }
  rd_kafka_topic_partition_list_destroy(offsets);
}

static void on_rebalance(rd_kafka_t* rk, rd_kafka_resp_err_t error, rd_kafka_topic_partition_list_t* list,
                         void* opaque) {
  (void)opaque;
  const int cooperative = strcmp(rd_kafka_rebalance_protocol(rk), "COOPERATIVE") == 0;
  if (error == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS) {
    if (cooperative) {
      rd_kafka_error_destroy(rd_kafka_incremental_assign(rk, list));
    } else {
      rd_kafka_assign(rk, list);
    }
    print_partitions("assigned", list);
    return;
  }
  if (!rd_kafka_assignment_lost(rk)) commit(rk);
  for (int i = 0; i < list->cnt; ++i) positions[list->elems[i].partition] = 0;
  print_partitions("revoked", list);
  if (cooperative) {
    rd_kafka_error_destroy(rd_kafka_incremental_unassign(rk, list));
  } else {
    rd_kafka_assign(rk, NULL);
  }
}

static rd_kafka_t* member(void) {
  rd_kafka_conf_t* conf = common();
  set(conf, "group.id", flag("group"));
  set(conf, "session.timeout.ms", flag("session-ms"));
  set(conf, "heartbeat.interval.ms", "500");
  set(conf, "enable.auto.commit", "false");
  set(conf, "auto.offset.reset", "earliest");
  set(conf, "check.crcs", "true");
  if (flag("instance-id") != NULL) set(conf, "group.instance.id", flag("instance-id"));
  if (strcmp(flag("protocol"), "cooperative") == 0) set(conf, "partition.assignment.strategy", "cooperative-sticky");
  rd_kafka_conf_set_rebalance_cb(conf, on_rebalance);
  rd_kafka_t* rk = create(RD_KAFKA_CONSUMER, conf);
  rd_kafka_poll_set_consumer(rk);
  rd_kafka_topic_partition_list_t* topics = rd_kafka_topic_partition_list_new(1);
  rd_kafka_topic_partition_list_add(topics, flag("topic"), RD_KAFKA_PARTITION_UA);
  rd_kafka_subscribe(rk, topics);
  rd_kafka_topic_partition_list_destroy(topics);
  return rk;
}

static void on_term(int signal_number) {
  (void)signal_number;
  asked_to_end = 1;
}

static int consume(void) {
  signal(SIGTERM, on_term);
  rd_kafka_t* rk = member();
  const long most = number("max");
  const double idle = (double)number("idle-ms") / 1000;
  long count = 0, since_commit = 0;
  for (double last = now(); !asked_to_end && (most == 0 || count < most) && (idle == 0 || now() - last < idle);) {
    rd_kafka_message_t* message = rd_kafka_consumer_poll(rk, 100);
    if (message == NULL) continue;
    if (message->err) {
      printf("{\"note\":\"%s\"}\n", rd_kafka_err2name(message->err));
    } else {
      print_record("record", message);
      positions[message->partition] = message->offset + 1;
      ++count;
      ++since_commit;
      last = now();
    }
    rd_kafka_message_destroy(message);
    if (since_commit >= number("commit-every")) {
      commit(rk);
      since_commit = 0;
    }
  }
  commit(rk);
  rd_kafka_consumer_close(rk);
  rd_kafka_destroy(rk);
  printf("{\"done\":{\"records\":%ld}}\n", count);
  return 0;
}

int main(int argc, char** argv) {
  words = argc;
  word = argv;
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (argc > 1 && strcmp(argv[1], "produce") == 0) return produce();
  if (argc > 1 && strcmp(argv[1], "consume") == 0) return consume();
  printf("{\"client\":\"librdkafka (C)\",\"version\":\"%s\",\"codecs\":[\"none\",\"gzip\",\"snappy\",\"lz4\",\"zstd\"],"
         "\"protocols\":[\"classic\",\"cooperative\"],\"idempotence\":true}\n",
         rd_kafka_version_str());
  return 0;
}
