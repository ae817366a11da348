// The Java client, from 2.1 to the newest; the command line and the lines are described in ../lines.py.

import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

public final class Client {
  private final Map<String, String> flags = new HashMap<>();
  private final String topic;

  private Client(String[] words) {
    for (int i = 1; i + 1 < words.length; i += 2) flags.put(words[i], words[i + 1]);
    topic = flags.get("--topic");
  }

  public static void main(String[] words) throws Exception {
    Client client = new Client(words);
    switch (words[0]) {
      case "about": about(); break;
      case "produce": System.exit(client.produce());
      default: client.consume();
    }
  }

  private static synchronized void emit(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private static String quoted(Object text) {
    return "\"" + String.valueOf(text).replace("\\", "\\\\").replace("\"", "'").replace("\n", " ") + "\"";
  }

  private static boolean has(String className) {
    try {
      Class.forName(className);
      return true;
    } catch (ClassNotFoundException absent) {
      return false;
    }
  }

  private static String version() throws Exception {
    Properties p = new Properties();
    try (InputStream in = KafkaProducer.class.getResourceAsStream("/kafka/kafka-version.properties")) {
      p.load(in);
    }
    return p.getProperty("version");
  }

  private static void about() throws Exception {
    String protocols = "\"classic\"";
    if (has("org.apache.kafka.clients.consumer.CooperativeStickyAssignor")) protocols += ",\"cooperative\"";
    if (has("org.apache.kafka.clients.consumer.GroupProtocol")) protocols += ",\"consumer\"";
    emit("{\"client\":\"kafka-clients (Java)\",\"version\":" + quoted(version())
        + ",\"codecs\":[\"none\",\"gzip\",\"snappy\",\"lz4\",\"zstd\"],\"protocols\":[" + protocols
        + "],\"idempotence\":true}");
  }

  private int number(String flag) {
    return Integer.parseInt(flags.get(flag));
  }

  private Properties common() {
    Properties p = new Properties();
    p.put("bootstrap.servers", flags.get("--bootstrap"));
    p.put("client.id", flags.get("--client-id"));
    p.put("retry.backoff.ms", "50");
    p.put("metadata.max.age.ms", "5000");
    for (String kind : new String[] {"key", "value"}) {
      p.put(kind + ".serializer", "org.apache.kafka.common.serialization.StringSerializer");
      p.put(kind + ".deserializer", "org.apache.kafka.common.serialization.StringDeserializer");
    }
    return p;
  }

  // --- producing ---------------------------------------------------------------------------------

  private int produce() throws Exception {
    boolean idempotent = flags.get("--idempotent").equals("1");
    Properties p = common();
    p.put("acks", flags.get("--acks"));
    p.put("enable.idempotence", idempotent ? "true" : "false");
    p.put("max.in.flight.requests.per.connection", idempotent ? "5" : "1");
    p.put("compression.type", flags.get("--codec"));
    p.put("linger.ms", "5");
    p.put("request.timeout.ms", "20000");
    p.put("delivery.timeout.ms", "60000");
    AtomicInteger failed = new AtomicInteger();
    try (KafkaProducer<String, String> producer = new KafkaProducer<>(p)) {
      long begin = System.nanoTime();
      for (int i = 0; i < number("--count"); ++i) {
        if (number("--rate") > 0) {
          long due = begin + i * 1_000_000_000L / number("--rate");
          Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
        }
        send(producer, number("--start") + i, failed);
      }
    }
    emit("{\"done\":{\"failed\":" + failed + "}}");
    return failed.get() > 0 ? 1 : 0;
  }

  private void send(KafkaProducer<String, String> producer, int number, AtomicInteger failed) {
    String key = "k" + number % 8;
    String value = flags.get("--client-id") + "-" + number;
    producer.send(new ProducerRecord<>(topic, key, value), (RecordMetadata done, Exception error) -> {
      if (error != null) {
        failed.incrementAndGet();
        emit("{\"failed\":{\"value\":" + quoted(value) + ",\"error\":" + quoted(error) + "}}");
      } else {
        emit("{\"acked\":" + record(key, value, done.partition(), done.offset()) + "}");
      }
    });
  }

  private static String record(String key, String value, int partition, long offset) {
    return "{\"key\":" + quoted(key) + ",\"value\":" + quoted(value) + ",\"partition\":" + partition
        + ",\"offset\":" + offset + "}";
  }

  // --- consuming ---------------------------------------------------------------------------------

  private final Map<Integer, Long> positions = new TreeMap<>();
  private KafkaConsumer<String, String> consumer;
  private volatile boolean stop = false;
  private volatile boolean finished = false;
  private int sinceCommit = 0;

  private void consume() throws Exception {
    consumer = new KafkaConsumer<>(consumerProperties());
    Thread mine = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      stop = true;
      try {
        mine.join();
        // A JVM that ends by a signal would not say 0.
        if (finished) Runtime.getRuntime().halt(0);
      } catch (InterruptedException ignored) {
        Thread.currentThread().interrupt();
      }
    }));
    consumer.subscribe(java.util.Collections.singletonList(topic), new Listener());
    int count = 0;
    long last = System.nanoTime();
    long idle = number("--idle-ms") * 1_000_000L;
    while (!stop && (number("--max") == 0 || count < number("--max"))
        && (idle == 0 || System.nanoTime() - last < idle)) {
      for (ConsumerRecord<String, String> r : consumer.poll(Duration.ofMillis(100))) {
        emit("{\"record\":" + record(r.key(), r.value(), r.partition(), r.offset()) + "}");
        positions.put(r.partition(), r.offset() + 1);
        ++count;
        ++sinceCommit;
        last = System.nanoTime();
      }
      if (sinceCommit >= number("--commit-every")) commit();
    }
    commit();
    consumer.close();
    emit("{\"done\":{\"records\":" + count + "}}");
    finished = true;
  }

  private Properties consumerProperties() {
    Properties p = common();
    p.put("group.id", flags.get("--group"));
    p.put("enable.auto.commit", "false");
    p.put("auto.offset.reset", "earliest");
    p.put("max.poll.records", "20");
    if (flags.containsKey("--instance-id")) p.put("group.instance.id", flags.get("--instance-id"));
    if (flags.get("--protocol").equals("consumer")) {
      p.put("group.protocol", "consumer");
      return p;
    }
    p.put("session.timeout.ms", flags.get("--session-ms"));
    p.put("heartbeat.interval.ms", "500");
    p.put("partition.assignment.strategy", "org.apache.kafka.clients.consumer."
        + (flags.get("--protocol").equals("cooperative") ? "CooperativeStickyAssignor" : "RangeAssignor"));
    return p;
  }

  private void commit() {
    if (positions.isEmpty()) return;
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    positions.forEach((partition, offset) ->
        offsets.put(new TopicPartition(topic, partition), new OffsetAndMetadata(offset)));
    sinceCommit = 0;
    try {
      consumer.commitSync(offsets, Duration.ofSeconds(30));
      List<String> done = new ArrayList<>();
      positions.forEach((partition, offset) -> done.add("\"" + partition + "\":" + offset));
      positions.clear();
      emit("{\"committed\":{" + String.join(",", done) + "}}");
    } catch (KafkaException error) {
      emit("{\"commit_failed\":" + quoted(error) + "}");
    }
  }

  private final class Listener implements ConsumerRebalanceListener {
    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      emit("{\"assigned\":" + numbers(partitions) + "}");
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      commit();
      partitions.forEach(p -> positions.remove(p.partition()));
      emit("{\"revoked\":" + numbers(partitions) + "}");
    }

    // Overrides where the interface has it.
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      partitions.forEach(p -> positions.remove(p.partition()));
      emit("{\"revoked\":" + numbers(partitions) + ",\"lost\":true}");
    }

    private String numbers(Collection<TopicPartition> partitions) {
      return partitions.stream().map(p -> String.valueOf(p.partition())).collect(Collectors.joining(",", "[", "]"));
    }
  }
}
