"""kafka-python; see ../lines.py."""

import os
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import kafka  # noqa: E402
from kafka import AsyncConsumerRebalanceListener, KafkaConsumer, KafkaProducer, TopicPartition  # noqa: E402
from kafka.errors import KafkaError  # noqa: E402
from kafka.structs import OffsetAndMetadata  # noqa: E402
from lines import Arguments, Progress, Stop, emit, key_of, numbers  # noqa: E402


def about():
    emit(client="kafka-python", version=kafka.__version__, codecs=["none", "gzip", "snappy", "lz4", "zstd"],
         protocols=["classic", "cooperative"], idempotence=True)


def produce(arguments):
    failed = []
    idempotent = arguments.idempotent == "1"
    producer = KafkaProducer(
        bootstrap_servers=arguments.bootstrap.split(","), client_id=arguments.client_id,
        compression_type=None if arguments.codec == "none" else arguments.codec,
        acks="all" if arguments.acks == "all" else int(arguments.acks), enable_idempotence=idempotent,
        max_in_flight_requests_per_connection=5 if idempotent else 1, linger_ms=5, retry_backoff_ms=50,
        delivery_timeout_ms=60000, request_timeout_ms=20000)

    def send(number):
        key, value = key_of(number), f"{arguments.client_id}-{number}"

        def on_failed(error):
            failed.append(value)
            emit(failed={"value": value, "error": repr(error)})

        future = producer.send(arguments.topic, key=key.encode(), value=value.encode())
        future.add_callback(lambda done: emit(
            acked={"key": key, "value": value, "partition": done.partition, "offset": done.offset}))
        future.add_errback(on_failed)

    begin = time.monotonic()
    for number, due in numbers(arguments):
        time.sleep(max(0, begin + due - time.monotonic()))
        send(number)
    producer.flush(60)
    producer.close(10)
    emit(done={"failed": len(failed)})
    return 1 if failed else 0


class Listener(AsyncConsumerRebalanceListener):
    def __init__(self, member):
        self.member = member

    async def on_partitions_assigned(self, assigned):
        emit(assigned=[p.partition for p in assigned])

    async def on_partitions_revoked(self, revoked):
        await self.member.commit_without_blocking()
        self.member.progress.forget([p.partition for p in revoked])
        emit(revoked=[p.partition for p in revoked])

    async def on_partitions_lost(self, lost):
        self.member.progress.forget([p.partition for p in lost])
        emit(revoked=[p.partition for p in lost], lost=True)


class GroupMember:
    def __init__(self, arguments):
        self.topic = arguments.topic
        self.progress = Progress(arguments)
        options = {}
        if arguments.protocol == "cooperative":
            from kafka.coordinator.assignors.cooperative_sticky import CooperativeStickyAssignor
            options["partition_assignment_strategy"] = [CooperativeStickyAssignor]
        if arguments.optional("instance_id"):
            options["group_instance_id"] = arguments.instance_id
        self.consumer = KafkaConsumer(
            bootstrap_servers=arguments.bootstrap.split(","), client_id=arguments.client_id,
            group_id=arguments.group, enable_auto_commit=False, auto_offset_reset="earliest",
            session_timeout_ms=arguments.number("session_ms"), heartbeat_interval_ms=500,
            request_timeout_ms=30000, metadata_max_age_ms=5000, **options)
        self.consumer.subscribe([self.topic], listener=Listener(self))

    def offsets(self, positions):
        return {TopicPartition(self.topic, p): OffsetAndMetadata(o, "", -1) for p, o in positions.items()}

    def commit(self):
        positions = dict(self.progress.positions)
        if not positions:
            return
        try:
            self.consumer.commit(self.offsets(positions))
            self.progress.committed(positions)
        except KafkaError as error:
            self.progress.commit_failed(repr(error))

    async def commit_without_blocking(self):
        """For listeners: they run where a blocking call would wait for itself."""
        positions = dict(self.progress.positions)
        if not positions:
            return
        try:
            await self.consumer.commit_async(self.offsets(positions))
            self.progress.committed(positions)
        except KafkaError as error:
            self.progress.commit_failed(repr(error))

    def run(self):
        stop = Stop()
        while not stop.asked and not self.progress.ended():
            # Long: the client forgets a join that is under way when a poll ends, if it joins for new partitions.
            for batch in self.consumer.poll(timeout_ms=3000, max_records=20).values():
                for record in batch:
                    self.progress.record(record.partition, record.offset, record.key.decode(),
                                         record.value.decode())
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
