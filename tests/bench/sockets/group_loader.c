/* group_loader: how long consumers need to join a group and to get their first record.

     group_loader BROKERS [--topic T] [--members N] [--rounds N] [--pid PID[,PID…]] [--set name=value]…

   Creates topic T with a partition for each member and one record in each, then N librdkafka consumers that
   subscribe at once in a group of their own; a round ends when every member has got a record. With more than
   one round each has a new group. Prints one JSON line: first_ms and all_ms (median of the rounds: from the
   first subscribe to the first record of any and of the last member), server_cpu_us (a round), rate (members
   a second). */
#include <librdkafka/rdkafka.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include "tests/bench/sockets/server_cpu.h"

enum { kPatienceMs = 60000, kMaxMembers = 1000, kMaxRounds = 100, kMaxSettings = 32 };

struct options {
  const char* brokers;
  const char* topic;
  const char* pids;
  int members;
  int rounds;
  char* settings[kMaxSettings];
  int settings_count;
};

static double now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void fail(const char* what, const char* why) {
  fprintf(stderr, "group_loader: %s%s\n", what, why);
  exit(1);
}

static void set(rd_kafka_conf_t* conf, const char* name, const char* value) {
  char problem[512];
  if (rd_kafka_conf_set(conf, name, value, problem, sizeof problem) != RD_KAFKA_CONF_OK) fail(problem, "");
}

static rd_kafka_t* new_client(const struct options* options, rd_kafka_type_t type, rd_kafka_conf_t* conf) {
  char problem[512];
  set(conf, "bootstrap.servers", options->brokers);
  rd_kafka_t* client = rd_kafka_new(type, conf, problem, sizeof problem);
  if (client == NULL) fail(problem, "");
  return client;
}

static void create_topic(rd_kafka_t* client, const struct options* options) {
  char problem[512];
  rd_kafka_NewTopic_t* topic =
      rd_kafka_NewTopic_new(options->topic, options->members, -1, problem, sizeof problem);
  if (topic == NULL) fail(problem, "");
  rd_kafka_queue_t* queue = rd_kafka_queue_new(client);
  rd_kafka_CreateTopics(client, &topic, 1, NULL, queue);
  rd_kafka_event_t* event = rd_kafka_queue_poll(queue, kPatienceMs);
  if (event == NULL) fail("the topic was not created in time", "");
  size_t count = 0;
  const rd_kafka_CreateTopics_result_t* result = rd_kafka_event_CreateTopics_result(event);
  if (result == NULL) fail("create topic: ", rd_kafka_event_error_string(event));
  const rd_kafka_topic_result_t** topics = rd_kafka_CreateTopics_result_topics(result, &count);
  const rd_kafka_resp_err_t error = rd_kafka_topic_result_error(topics[0]);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR && error != RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS)
    fail("create topic: ", rd_kafka_err2str(error));
  rd_kafka_event_destroy(event);
  rd_kafka_queue_destroy(queue);
  rd_kafka_NewTopic_destroy(topic);
}

static void write_records(const struct options* options) {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  set(conf, "acks", "all");
  rd_kafka_t* client = new_client(options, RD_KAFKA_PRODUCER, conf);
  create_topic(client, options);
  for (int partition = 0; partition < options->members; ++partition) {
    const rd_kafka_resp_err_t error =
        rd_kafka_producev(client, RD_KAFKA_V_TOPIC(options->topic), RD_KAFKA_V_PARTITION(partition),
                          RD_KAFKA_V_VALUE("first", 5), RD_KAFKA_V_END);
    if (error != RD_KAFKA_RESP_ERR_NO_ERROR) fail("produce: ", rd_kafka_err2str(error));
  }
  if (rd_kafka_flush(client, kPatienceMs) != RD_KAFKA_RESP_ERR_NO_ERROR)
    fail("records were not acknowledged in time", "");
  rd_kafka_destroy(client);
}

static rd_kafka_t* new_member(const struct options* options, const char* group) {
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  set(conf, "group.id", group);
  set(conf, "auto.offset.reset", "earliest");
  set(conf, "enable.auto.commit", "false");
  for (int i = 0; i < options->settings_count; ++i) {
    char* equals = strchr(options->settings[i], '=');
    if (equals == NULL) fail("--set needs name=value, not ", options->settings[i]);
    *equals = 0;
    set(conf, options->settings[i], equals + 1);
    *equals = '=';
  }
  rd_kafka_t* member = new_client(options, RD_KAFKA_CONSUMER, conf);
  rd_kafka_poll_set_consumer(member);
  return member;
}

struct round {
  double first_ms;
  double all_ms;
};

static struct round run_round(const struct options* options, int number) {
  static rd_kafka_t* members[kMaxMembers];
  static bool served[kMaxMembers];
  char group[64];
  snprintf(group, sizeof group, "group-loader-%d-%d", (int)getpid(), number);
  rd_kafka_topic_partition_list_t* topics = rd_kafka_topic_partition_list_new(1);
  rd_kafka_topic_partition_list_add(topics, options->topic, RD_KAFKA_PARTITION_UA);
  for (int i = 0; i < options->members; ++i) {
    members[i] = new_member(options, group);
    served[i] = false;
  }
  struct round round = {.first_ms = -1, .all_ms = -1};
  const double start = now_ms();
  for (int i = 0; i < options->members; ++i) rd_kafka_subscribe(members[i], topics);
  for (int missing = options->members; missing > 0;) {
    if (now_ms() - start > kPatienceMs) fail("not every member got a record in time", "");
    for (int i = 0; i < options->members; ++i) {
      rd_kafka_message_t* message = rd_kafka_consumer_poll(members[i], options->members == 1 ? 100 : 0);
      if (message == NULL) continue;
      if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR && !served[i]) {
        served[i] = true;
        --missing;
        round.all_ms = now_ms() - start;
        if (round.first_ms < 0) round.first_ms = round.all_ms;
      }
      rd_kafka_message_destroy(message);
    }
    if (options->members > 1) usleep(200);
  }
  for (int i = 0; i < options->members; ++i)
    rd_kafka_destroy_flags(members[i], RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE);
  rd_kafka_topic_partition_list_destroy(topics);
  return round;
}

static int compare(const void* a, const void* b) {
  const double left = *(const double*)a;
  const double right = *(const double*)b;
  return left < right ? -1 : left > right;
}

static double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return values[count / 2];
}

static bool read_arguments(int count, char** words, struct options* options) {
  if (count < 2) return false;
  options->brokers = words[1];
  for (int i = 2; i + 1 < count; i += 2) {
    char* value = words[i + 1];
    if (strcmp(words[i], "--topic") == 0)
      options->topic = value;
    else if (strcmp(words[i], "--members") == 0)
      options->members = atoi(value);
    else if (strcmp(words[i], "--rounds") == 0)
      options->rounds = atoi(value);
    else if (strcmp(words[i], "--pid") == 0)
      options->pids = value;
    else if (strcmp(words[i], "--set") == 0 && options->settings_count < kMaxSettings)
      options->settings[options->settings_count++] = value;
    else
      return false;
  }
  return count % 2 == 0 && options->members >= 1 && options->members <= kMaxMembers && options->rounds >= 1 &&
         options->rounds <= kMaxRounds;
}

int main(int argc, char** argv) {
  struct options options = {.topic = "bench-group", .members = 1, .rounds = 3};
  if (!read_arguments(argc, argv, &options)) {
    fprintf(stderr,
            "usage: group_loader BROKERS [--topic T] [--members N] [--rounds N] [--pid PID[,PID...]]"
            " [--set name=value]...\n");
    return 2;
  }
  write_records(&options);
  double first_ms[kMaxRounds];
  double all_ms[kMaxRounds];
  /* The first group of a cluster also makes the topic that keeps all groups: that is no part of joining. */
  run_round(&options, 0);
  const double cpu_s = options.pids != NULL ? server_cpu_s(options.pids) : -1;
  for (int i = 0; i < options.rounds; ++i) {
    const struct round round = run_round(&options, i + 1);
    first_ms[i] = round.first_ms;
    all_ms[i] = round.all_ms;
  }
  const double used_s = cpu_s < 0 ? -1 : server_cpu_s(options.pids) - cpu_s;
  const double all = median(all_ms, options.rounds);
  printf("{\"members\":%d,\"first_ms\":%.2f,\"all_ms\":%.2f,\"rate\":%.2f,\"server_cpu_us\":%.1f}\n",
         options.members, median(first_ms, options.rounds), all, options.members / all * 1e3,
         used_s < 0 ? -1 : used_s / options.rounds * 1e6);
  return 0;
}
