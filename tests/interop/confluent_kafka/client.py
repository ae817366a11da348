"""confluent-kafka; see ../lines.py."""

import os
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from confluent_kafka import Consumer, KafkaException, Producer, TopicPartition, libversion, version  # noqa: E402
from lines import Arguments, Progress, Stop, emit, key_of, numbers  # noqa: E402


def about():
    emit(client="confluent-kafka", version=f"{version()} (librdkafka {libversion()[0]})",
         codecs=["none", "gzip", "snappy", "lz4", "zstd"], protocols=["classic", "cooperative", "consumer"],
         idempotence=True)


def produce(arguments):
    failed = []

    def on_delivery(error, message):
        value = message.value().decode()
        if error is not None:
            failed.append(value)
            emit(failed={"value": value, "error": str(error)})
        else:
            emit(acked={"key": message.key().decode(), "value": value, "partition": message.partition(),
                        "offset": message.offset()})

    idempotent = arguments.idempotent == "1"
    producer = Producer({
        "bootstrap.servers": arguments.bootstrap, "client.id": arguments.client_id,
        "compression.type": arguments.codec, "acks": arguments.acks, "enable.idempotence": idempotent,
        "max.in.flight": 5 if idempotent else 1, "linger.ms": 5, "message.timeout.ms": 60000,
        "retry.backoff.ms": 50})
    begin = time.monotonic()
    for number, due in numbers(arguments):
        producer.poll(max(0, begin + due - time.monotonic()))
        producer.produce(arguments.topic, key=key_of(number), value=f"{arguments.client_id}-{number}",
                         on_delivery=on_delivery)
    left = producer.flush(60)
    emit(done={"left": left})
    return 1 if failed or left else 0


class GroupMember:
    def __init__(self, arguments):
        self.topic = arguments.topic
        self.progress = Progress(arguments)
        options = {
            "bootstrap.servers": arguments.bootstrap, "client.id": arguments.client_id, "group.id": arguments.group,
            "enable.auto.commit": False, "auto.offset.reset": "earliest", "check.crcs": True,
            "topic.metadata.refresh.interval.ms": 5000}
        if arguments.protocol == "consumer":
            options["group.protocol"] = "consumer"
        else:
            options["session.timeout.ms"] = arguments.number("session_ms")
            options["heartbeat.interval.ms"] = 500
            if arguments.protocol == "cooperative":
                options["partition.assignment.strategy"] = "cooperative-sticky"
        if arguments.optional("instance_id"):
            options["group.instance.id"] = arguments.instance_id
        self.consumer = Consumer(options)
        self.consumer.subscribe([self.topic], on_assign=self.on_assign, on_revoke=self.on_revoke,
                                on_lost=self.on_lost)

    def on_assign(self, _, partitions):
        emit(assigned=[p.partition for p in partitions])

    def on_revoke(self, _, partitions):
        self.commit()
        self.progress.forget([p.partition for p in partitions])
        emit(revoked=[p.partition for p in partitions])

    def on_lost(self, _, partitions):
        self.progress.forget([p.partition for p in partitions])
        emit(revoked=[p.partition for p in partitions], lost=True)

    def commit(self):
        positions = dict(self.progress.positions)
        if not positions:
            return
        try:
            done = self.consumer.commit(
                offsets=[TopicPartition(self.topic, p, o) for p, o in positions.items()], asynchronous=False)
            good = {p.partition: p.offset for p in done if p.error is None}
            for p in done:
                if p.error is not None:
                    self.progress.commit_failed(p.error)
            if good:
                self.progress.committed(good)
        except KafkaException as error:
            self.progress.commit_failed(error)

    def run(self):
        stop = Stop()
        while not stop.asked and not self.progress.ended():
            message = self.consumer.poll(0.1)
            if message is None:
                continue
            if message.error():
                emit(note=str(message.error()))
                continue
            self.progress.record(message.partition(), message.offset(), message.key().decode(),
                                 message.value().decode())
            if self.progress.commit_is_due():
                self.commit()
        self.commit()
        self.consumer.close()
        emit(done={"records": self.progress.count})
        return 0


def main():
    arguments = Arguments(sys.argv[1:])
    if arguments.command == "about":
        about()
    elif arguments.command == "produce":
        return produce(arguments)
    else:
        return GroupMember(arguments).run()


if __name__ == "__main__":
    sys.exit(main())
