// A Kafka Streams application with a stateless and a stateful topology:
//
//   Streams run --bootstrap B --application A --in T --upper U --counts C --state DIR --client-id X
//
// copies T to U with the values in upper case, and counts the records of T by the parity of the number at the end of
// their value: this needs a repartition topic, a state store and its changelog. Each new count goes to C. Prints
// {"state":"RUNNING"} and the like; ends on SIGTERM.

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;

public final class Streams {
  public static void main(String[] words) throws Exception {
    Map<String, String> flags = new HashMap<>();
    for (int i = 1; i + 1 < words.length; i += 2) flags.put(words[i], words[i + 1]);
    KafkaStreams streams = new KafkaStreams(topology(flags), properties(flags));
    streams.setStateListener((now, before) -> emit("{\"state\":\"" + now + "\"}"));
    CountDownLatch ended = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      streams.close();
      // A JVM that ends by a signal would not say 0.
      if (streams.state() == KafkaStreams.State.NOT_RUNNING) Runtime.getRuntime().halt(0);
    }));
    streams.start();
    ended.await();
  }

  private static synchronized void emit(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private static String parity(String value) {
    return Long.parseLong(value.substring(value.lastIndexOf('-') + 1)) % 2 == 0 ? "even" : "odd";
  }

  private static Topology topology(Map<String, String> flags) {
    StreamsBuilder builder = new StreamsBuilder();
    KStream<String, String> in = builder.stream(flags.get("--in"));
    in.mapValues(value -> value.toUpperCase()).to(flags.get("--upper"));
    in.selectKey((key, value) -> parity(value)).groupByKey().count(Materialized.as("counts")).toStream()
        .mapValues(count -> Long.toString(count)).to(flags.get("--counts"));
    return builder.build();
  }

  private static Properties properties(Map<String, String> flags) {
    Properties p = new Properties();
    p.put("application.id", flags.get("--application"));
    p.put("bootstrap.servers", flags.get("--bootstrap"));
    p.put("client.id", flags.get("--client-id"));
    p.put("state.dir", flags.get("--state"));
    p.put("default.key.serde", Serdes.String().getClass());
    p.put("default.value.serde", Serdes.String().getClass());
    p.put("commit.interval.ms", "200");
    p.put("statestore.cache.max.bytes", "0");
    p.put("metadata.max.age.ms", "5000");
    p.put("main.consumer.auto.offset.reset", "earliest");
    p.put("consumer.session.timeout.ms", "6000");
    p.put("consumer.heartbeat.interval.ms", "500");
    p.put("producer.enable.idempotence", "true");
    p.put("retry.backoff.ms", "50");
    return p;
  }
}
