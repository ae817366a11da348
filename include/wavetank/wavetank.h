/* Wavetank from C: everything is JSON text, as in the control API (docs/control-api.md).
 *
 *   wt_cluster* sim = wt_cluster_new("{\"seed\":42,\"brokers\":3,\"clock\":\"frozen\"}");
 *   char* answer = wt_execute(sim, "{\"do\":\"create_topic\",\"name\":\"orders\",\"partitions\":1}");
 *   wt_free(answer);
 *   … point any Kafka client at wt_bootstrap(sim) …
 *   wt_cluster_free(sim);
 *
 * Any thread may call. No function throws or ends the program. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WT_API __attribute__((visibility("default")))

typedef struct wt_cluster wt_cluster;

/* A cluster that listens, or NULL: then wt_last_error() says why. `options` is a JSON object, or NULL for the
 * defaults; its fields are seed, brokers, first_broker_id, clock ("flow", "frozen", "virtual"), rate, ports,
 * tls (an object with certificate_file, key_file, client_ca_file, client_auth), recording (a path, "memory"
 * or null), recording_limit_bytes, real_delays, broker_configs, and the options of a cluster as a recording's
 * head has them (default_partitions, auto_create_topics, profile, features, …). */
WT_API wt_cluster* wt_cluster_new(const char* options);
/* Ends the recording and closes the sockets. NULL is fine. */
WT_API void wt_cluster_free(wt_cluster* cluster);

/* "127.0.0.1:…,127.0.0.1:…"; valid as long as the cluster. */
WT_API const char* wt_bootstrap(const wt_cluster* cluster);

/* The PEM file of the authority that clients have to trust; "" unless the cluster has made its own
 * certificate. Valid as long as the cluster. */
WT_API const char* wt_tls_ca_file(const wt_cluster* cluster);

/* A call that changes something: {"do":…}. The answer is {"ok":true,…} or {"error":{"code":…,"message":…}};
 * free it with wt_free(). NULL only when memory is gone or an argument is NULL. */
WT_API char* wt_execute(wt_cluster* cluster, const char* request);
/* A call that only looks: {"get":…}. */
WT_API char* wt_query(wt_cluster* cluster, const char* request);
/* A fault rule as the control API takes it, with names for APIs and errors. */
WT_API char* wt_add_rule(wt_cluster* cluster, const char* rule);

/* Waits until the rule was hit so often and holds so many, at most so long. 1 when so, 0 when the time is
 * over (wt_last_error() then says who waits for whom), -1 with wt_last_error() when there is no such rule. */
WT_API int wt_wait_rule(wt_cluster* cluster, uint32_t rule, uint64_t hits, uint64_t holding,
                        int64_t timeout_ms);

/* Jumps in virtual time. 0 when done, -1 with wt_last_error() otherwise. */
WT_API int wt_advance_ms(wt_cluster* cluster, int64_t by_ms, int silence_counts);
/* Milliseconds since 1970 in virtual time. */
WT_API int64_t wt_now_ms(wt_cluster* cluster);
/* Completes the recording. 0 when done, -1 with wt_last_error() otherwise. */
WT_API int wt_stop_recording(wt_cluster* cluster);

WT_API void wt_free(char* text);
/* Of the last function that failed on this thread; never NULL. */
WT_API const char* wt_last_error(void);

#ifdef __cplusplus
}
#endif
