//! Rust rdkafka; the command line and the lines are described in ../lines.py.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use rdkafka::client::ClientContext;
use rdkafka::config::ClientConfig;
use rdkafka::consumer::{BaseConsumer, CommitMode, Consumer, ConsumerContext, Rebalance};
use rdkafka::error::KafkaError;
use rdkafka::message::{DeliveryResult, Message};
use rdkafka::producer::{BaseProducer, BaseRecord, Producer, ProducerContext};
use rdkafka::util::get_rdkafka_version;
use rdkafka::{Offset, TopicPartitionList};
use serde_json::{json, Value};

struct Flags(HashMap<String, String>);

impl Flags {
    fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }
    fn number(&self, name: &str) -> usize {
        self.get(name).parse().unwrap_or(0)
    }
}

fn emit(line: Value) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{line}").unwrap();
    out.flush().unwrap();
}

fn text(bytes: Option<&[u8]>) -> String {
    String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned()
}

fn record<M: Message>(message: &M) -> Value {
    json!({"key": text(message.key()), "value": text(message.payload()), "partition": message.partition(),
           "offset": message.offset()})
}

fn common(flags: &Flags) -> ClientConfig {
    let mut config = ClientConfig::new();
    config.set("bootstrap.servers", flags.get("bootstrap")).set("client.id", flags.get("client-id"));
    config.set("topic.metadata.refresh.interval.ms", "5000").set("retry.backoff.ms", "50");
    config
}

// --- producing -----------------------------------------------------------------------------------

struct Deliveries(Arc<AtomicUsize>);

impl ClientContext for Deliveries {}

impl ProducerContext for Deliveries {
    type DeliveryOpaque = ();
    fn delivery(&self, result: &DeliveryResult<'_>, _: ()) {
        match result {
            Ok(message) => emit(json!({"acked": record(message)})),
            Err((error, message)) => {
                self.0.fetch_add(1, Ordering::Relaxed);
                emit(json!({"failed": {"value": text(message.payload()), "error": error.to_string()}}));
            }
        }
    }
}

fn produce(flags: &Flags) -> i32 {
    let idempotent = flags.get("idempotent") == "1";
    let failed = Arc::new(AtomicUsize::new(0));
    let producer: BaseProducer<Deliveries> = common(flags)
        .set("compression.type", flags.get("codec"))
        .set("acks", flags.get("acks"))
        .set("enable.idempotence", if idempotent { "true" } else { "false" })
        .set("max.in.flight", if idempotent { "5" } else { "1" })
        .set("linger.ms", "5")
        .set("message.timeout.ms", "60000")
        .create_with_context(Deliveries(failed.clone()))
        .expect("a producer");
    let begin = Instant::now();
    for i in 0..flags.number("count") {
        let due = match flags.number("rate") {
            0 => begin,
            rate => begin + Duration::from_secs_f64(i as f64 / rate as f64),
        };
        producer.poll(due.saturating_duration_since(Instant::now()));
        while Instant::now() < due {
            producer.poll(due.saturating_duration_since(Instant::now()));
        }
        let number = flags.number("start") + i;
        let (key, value) = (format!("k{}", number % 8), format!("{}-{number}", flags.get("client-id")));
        producer.send(BaseRecord::to(flags.get("topic")).key(&key).payload(&value)).map_err(|(e, _)| e).expect("room");
    }
    let flushed = producer.flush(Duration::from_secs(60)).is_ok();
    let failed = failed.load(Ordering::Relaxed);
    emit(json!({"done": {"failed": failed, "flushed": flushed}}));
    (failed > 0 || !flushed) as i32
}

// --- consuming -----------------------------------------------------------------------------------

/// What was processed and is not committed: partition and next offset.
struct Member {
    topic: String,
    positions: Mutex<BTreeMap<i32, i64>>,
}

impl Member {
    fn commit(&self, consumer: &BaseConsumer<Member>) {
        let mut positions = self.positions.lock().unwrap();
        if positions.is_empty() {
            return;
        }
        let mut offsets = TopicPartitionList::new();
        for (partition, offset) in positions.iter() {
            offsets.add_partition_offset(&self.topic, *partition, Offset::Offset(*offset)).unwrap();
        }
        match consumer.commit(&offsets, CommitMode::Sync) {
            Ok(()) => {
                let done: BTreeMap<String, i64> = positions.iter().map(|(p, o)| (p.to_string(), *o)).collect();
                emit(json!({"committed": done}));
                positions.clear();
            }
            Err(error) => emit(json!({"commit_failed": error.to_string()})),
        }
    }
}

fn numbers(list: &TopicPartitionList) -> Vec<i32> {
    list.elements().iter().map(|element| element.partition()).collect()
}

impl ClientContext for Member {}

impl ConsumerContext for Member {
    fn pre_rebalance(&self, consumer: &BaseConsumer<Self>, rebalance: &Rebalance<'_>) {
        if let Rebalance::Revoke(list) = rebalance {
            if !consumer.assignment_lost() {
                self.commit(consumer);
            }
            for partition in numbers(list) {
                self.positions.lock().unwrap().remove(&partition);
            }
            emit(json!({"revoked": numbers(list)}));
        }
    }

    fn post_rebalance(&self, _: &BaseConsumer<Self>, rebalance: &Rebalance<'_>) {
        match rebalance {
            Rebalance::Assign(list) => emit(json!({"assigned": numbers(list)})),
            Rebalance::Error(error) => emit(json!({"note": error.to_string()})),
            Rebalance::Revoke(_) => {}
        }
    }
}

fn consumer_config(flags: &Flags) -> ClientConfig {
    let mut config = common(flags);
    config.set("group.id", flags.get("group")).set("enable.auto.commit", "false");
    config.set("auto.offset.reset", "earliest").set("check.crcs", "true");
    if !flags.get("instance-id").is_empty() {
        config.set("group.instance.id", flags.get("instance-id"));
    }
    if flags.get("protocol") == "consumer" {
        config.set("group.protocol", "consumer");
        return config;
    }
    config.set("session.timeout.ms", flags.get("session-ms")).set("heartbeat.interval.ms", "500");
    if flags.get("protocol") == "cooperative" {
        config.set("partition.assignment.strategy", "cooperative-sticky");
    }
    config
}

fn consume(flags: &Flags) -> Result<(), KafkaError> {
    let stop = Arc::new(AtomicBool::new(false));
    signal_hook::flag::register(signal_hook::consts::SIGTERM, stop.clone()).expect("a signal handler");
    let member = Member { topic: flags.get("topic").into(), positions: Mutex::default() };
    let consumer: BaseConsumer<Member> = consumer_config(flags).create_with_context(member)?;
    consumer.subscribe(&[flags.get("topic")])?;
    let (mut count, mut since_commit, mut last) = (0, 0, Instant::now());
    let idle = Duration::from_millis(flags.number("idle-ms") as u64);
    let most = flags.number("max");
    while !stop.load(Ordering::Relaxed) && (most == 0 || count < most) && (idle.is_zero() || last.elapsed() < idle) {
        match consumer.poll(Duration::from_millis(100)) {
            Some(Ok(message)) => {
                emit(json!({"record": record(&message)}));
                consumer.context().positions.lock().unwrap().insert(message.partition(), message.offset() + 1);
                count += 1;
                since_commit += 1;
                last = Instant::now();
            }
            Some(Err(error)) => emit(json!({"note": error.to_string()})),
            None => {}
        }
        if since_commit >= flags.number("commit-every") {
            consumer.context().commit(&consumer);
            since_commit = 0;
        }
    }
    consumer.context().commit(&consumer);
    // Closing leaves the group.
    drop(consumer);
    emit(json!({"done": {"records": count}}));
    Ok(())
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let flags = Flags(words[1..].chunks(2).map(|pair| (pair[0][2..].to_string(), pair[1].clone())).collect());
    match words[0].as_str() {
        "about" => emit(json!({
            "client": "rdkafka (Rust)", "version": format!("0.39.0 (librdkafka {})", get_rdkafka_version().1),
            "codecs": ["none", "gzip", "snappy", "lz4", "zstd"],
            "protocols": ["classic", "cooperative", "consumer"], "idempotence": true})),
        "produce" => std::process::exit(produce(&flags)),
        _ => consume(&flags).expect("the consumer works"),
    }
}
