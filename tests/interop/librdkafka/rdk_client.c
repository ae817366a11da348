/* A librdkafka client in its own process: produces numbered records, or reads a topic back.
 *
 *   rdk_client produce BOOTSTRAP TOPIC PARTITIONS COUNT CODEC ACKS IDEMPOTENT
 *       sends "record-0" … to partition n % PARTITIONS; prints "acked N PARTITION OFFSET" for each that
 *       the broker has acknowledged and "failed N REASON" for each that it has not. Exit 1 on a failure.
 *   rdk_client consume BOOTSTRAP TOPIC PARTITIONS
 *       prints "PARTITION OFFSET VALUE" for every record up to the end.
 *   rdk_client idle BOOTSTRAP TOPIC
 *       an idempotent producer and a consumer that stay connected: reads lines from standard input, and
 *       for each one produces it and waits until the consumer has it; prints "seen LINE".
 */
#include <librdkafka/rdkafka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void set(rd_kafka_conf_t* conf, const char* key, const char* value) {
  char error[512];
  if (rd_kafka_conf_set(conf, key, value, error, sizeof error) != RD_KAFKA_CONF_OK) {
    fprintf(stderr, "%s=%s: %s\n", key, value, error);
    exit(2);
  }
}

static void on_delivery(rd_kafka_t* rk, const rd_kafka_message_t* message, void* opaque) {
  (void)rk;
  (void)opaque;
  const long number = (long)(size_t)message->_private;
  if (message->err) {
    printf("failed %ld %s\n", number, rd_kafka_err2name(message->err));
    ++failures;
  } else {
    printf("acked %ld %d %lld\n", number, message->partition, (long long)message->offset);
  }
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

static rd_kafka_t* producer(const char* bootstrap, const char* codec, const char* acks,
                            const char* idempotent) {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  set(conf, "bootstrap.servers", bootstrap);
  set(conf, "client.id", "rdk-producer");
  set(conf, "compression.codec", codec);
  if (strcmp(idempotent, "true") == 0) {
    set(conf, "enable.idempotence", "true");
  } else {
    set(conf, "request.required.acks", acks);
  }
  set(conf, "linger.ms", "5");
  set(conf, "batch.num.messages", "10");
  set(conf, "message.timeout.ms", "60000");
  set(conf, "retry.backoff.ms", "50");
  rd_kafka_conf_set_dr_msg_cb(conf, on_delivery);
  return create(RD_KAFKA_PRODUCER, conf);
}

static void send_one(rd_kafka_t* rk, const char* topic, int partition, const char* value, size_t number) {
  for (;;) {
    rd_kafka_resp_err_t error = rd_kafka_producev(
        rk, RD_KAFKA_V_TOPIC(topic), RD_KAFKA_V_PARTITION(partition),
        RD_KAFKA_V_VALUE((void*)value, strlen(value)), RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
        RD_KAFKA_V_OPAQUE((void*)number), RD_KAFKA_V_END);
    if (!error) return;
    if (error != RD_KAFKA_RESP_ERR__QUEUE_FULL) {
      fprintf(stderr, "produce: %s\n", rd_kafka_err2str(error));
      exit(2);
    }
    rd_kafka_poll(rk, 100);
  }
}

static int produce(char** args) {
  rd_kafka_t* rk = producer(args[0], args[4], args[5], args[6]);
  const int partitions = atoi(args[2]);
  const long count = atol(args[3]);
  for (long n = 0; n < count; ++n) {
    char value[64];
    snprintf(value, sizeof value, "record-%ld", n);
    send_one(rk, args[1], (int)(n % partitions), value, (size_t)n);
    rd_kafka_poll(rk, 0);
    /* Several requests, so that a fault can land between them. */
    if (n % 10 == 9) rd_kafka_poll(rk, 6);
  }
  if (rd_kafka_flush(rk, 60000) != RD_KAFKA_RESP_ERR_NO_ERROR) {
    fprintf(stderr, "flush timed out\n");
    ++failures;
  }
  rd_kafka_destroy(rk);
  return failures > 0 ? 1 : 0;
}

static rd_kafka_t* consumer(const char* bootstrap, const char* topic, int partitions) {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  set(conf, "bootstrap.servers", bootstrap);
  set(conf, "client.id", "rdk-consumer");
  set(conf, "group.id", "unused");
  set(conf, "enable.auto.commit", "false");
  set(conf, "enable.partition.eof", "true");
  set(conf, "check.crcs", "true");
  rd_kafka_t* rk = create(RD_KAFKA_CONSUMER, conf);
  rd_kafka_topic_partition_list_t* list = rd_kafka_topic_partition_list_new(partitions);
  for (int p = 0; p < partitions; ++p) {
    rd_kafka_topic_partition_list_add(list, topic, p)->offset = RD_KAFKA_OFFSET_BEGINNING;
  }
  rd_kafka_poll_set_consumer(rk);
  rd_kafka_assign(rk, list);
  rd_kafka_topic_partition_list_destroy(list);
  return rk;
}

static int consume(char** args) {
  const int partitions = atoi(args[2]);
  rd_kafka_t* rk = consumer(args[0], args[1], partitions);
  int ended = 0;
  for (int quiet = 0; ended < partitions && quiet < 300;) {
    rd_kafka_message_t* message = rd_kafka_consumer_poll(rk, 100);
    if (message == NULL) {
      ++quiet;
      continue;
    }
    quiet = 0;
    if (message->err == RD_KAFKA_RESP_ERR__PARTITION_EOF) {
      ++ended;
    } else if (message->err) {
      fprintf(stderr, "consume: %s\n", rd_kafka_message_errstr(message));
    } else {
      printf("%d %lld %.*s\n", message->partition, (long long)message->offset, (int)message->len,
             (const char*)message->payload);
    }
    rd_kafka_message_destroy(message);
  }
  rd_kafka_consumer_close(rk);
  rd_kafka_destroy(rk);
  return ended == partitions ? 0 : 1;
}

static int idle(char** args) {
  rd_kafka_t* out = producer(args[0], "none", "all", "true");
  rd_kafka_t* in = consumer(args[0], args[1], 1);
  char line[256];
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = 0;
    send_one(out, args[1], 0, line, 0);
    if (rd_kafka_flush(out, 30000) != RD_KAFKA_RESP_ERR_NO_ERROR) return 1;
    int seen = 0;
    for (int tries = 0; !seen && tries < 300; ++tries) {
      rd_kafka_message_t* message = rd_kafka_consumer_poll(in, 100);
      if (message == NULL) continue;
      if (!message->err && message->len == strlen(line) && memcmp(message->payload, line, message->len) == 0)
        seen = 1;
      rd_kafka_message_destroy(message);
    }
    if (!seen) return 1;
    printf("seen %s\n", line);
    fflush(stdout);
  }
  rd_kafka_consumer_close(in);
  rd_kafka_destroy(in);
  rd_kafka_destroy(out);
  return failures > 0 ? 1 : 0;
}

int main(int argc, char** argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (argc == 9 && strcmp(argv[1], "produce") == 0) return produce(argv + 2);
  if (argc == 5 && strcmp(argv[1], "consume") == 0) return consume(argv + 2);
  if (argc == 4 && strcmp(argv[1], "idle") == 0) return idle(argv + 2);
  fprintf(stderr, "usage: rdk_client produce|consume|idle …, see the head of rdk_client.c\n");
  return 2;
}
