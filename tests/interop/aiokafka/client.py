"""aiokafka; see ../lines.py."""

import asyncio
import os
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import aiokafka  # noqa: E402
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, ConsumerRebalanceListener, TopicPartition  # noqa: E402
from aiokafka.errors import KafkaError  # noqa: E402
from lines import Arguments, Progress, Stop, emit, key_of, numbers  # noqa: E402


def about():
    emit(client="aiokafka", version=aiokafka.__version__, codecs=["none", "gzip", "snappy", "lz4", "zstd"],
         protocols=["classic"], idempotence=True)


async def produce(arguments):
    idempotent = arguments.idempotent == "1"
    producer = AIOKafkaProducer(
        bootstrap_servers=arguments.bootstrap, client_id=arguments.client_id,
        compression_type=None if arguments.codec == "none" else arguments.codec,
        acks="all" if arguments.acks == "all" else int(arguments.acks), enable_idempotence=idempotent, linger_ms=5,
        retry_backoff_ms=50, request_timeout_ms=60000)
    await producer.start()
    failed, waiting = [], []

    async def finish(key, value, future):
        try:
            done = await future
            emit(acked={"key": key, "value": value, "partition": done.partition, "offset": done.offset})
        except KafkaError as error:
            failed.append(value)
            emit(failed={"value": value, "error": repr(error)})

    begin = time.monotonic()
    for number, due in numbers(arguments):
        await asyncio.sleep(max(0, begin + due - time.monotonic()))
        key, value = key_of(number), f"{arguments.client_id}-{number}"
        future = await producer.send(arguments.topic, key=key.encode(), value=value.encode())
        waiting.append(asyncio.ensure_future(finish(key, value, future)))
    await asyncio.gather(*waiting)
    await producer.stop()
    emit(done={"failed": len(failed)})
    return 1 if failed else 0


class GroupMember(ConsumerRebalanceListener):
    def __init__(self, arguments):
        self.topic = arguments.topic
        self.progress = Progress(arguments)
        self.consumer = AIOKafkaConsumer(
            bootstrap_servers=arguments.bootstrap, client_id=arguments.client_id, group_id=arguments.group,
            group_instance_id=arguments.optional("instance_id"), enable_auto_commit=False,
            auto_offset_reset="earliest", session_timeout_ms=arguments.number("session_ms"),
            heartbeat_interval_ms=500, metadata_max_age_ms=5000, rebalance_timeout_ms=30000)
        self.consumer.subscribe([self.topic], listener=self)

    async def on_partitions_revoked(self, revoked):
        await self.commit()
        self.progress.forget([p.partition for p in revoked])
        emit(revoked=[p.partition for p in revoked])

    async def on_partitions_assigned(self, assigned):
        emit(assigned=[p.partition for p in assigned])

    async def commit(self):
        positions = dict(self.progress.positions)
        if not positions:
            return
        try:
            await self.consumer.commit({TopicPartition(self.topic, p): o for p, o in positions.items()})
            self.progress.committed(positions)
        except KafkaError as error:
            self.progress.commit_failed(repr(error))

    async def run(self):
        stop = Stop()
        await self.consumer.start()
        while not stop.asked and not self.progress.ended():
            for batch in (await self.consumer.getmany(timeout_ms=100, max_records=20)).values():
                for record in batch:
                    self.progress.record(record.partition, record.offset, record.key.decode(),
                                         record.value.decode())
            if self.progress.commit_is_due():
                await self.commit()
        await self.commit()
        await self.consumer.stop()
        emit(done={"records": self.progress.count})
        return 0


async def consume(arguments):
    return await GroupMember(arguments).run()


def main():
    arguments = Arguments(sys.argv[1:])
    if arguments.command == "about":
        about()
        return 0
    return asyncio.run(produce(arguments) if arguments.command == "produce" else consume(arguments))


if __name__ == "__main__":
    sys.exit(main())
