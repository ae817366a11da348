// kafkajs; the command line and the lines are described in ../lines.py.

import { createRequire } from 'node:module'
import { CompressionTypes, Kafka, logLevel, Partitioners } from 'kafkajs'
import { emit, parse, produceAll, Progress } from './lines.mjs'

const [command, flags] = parse()

function about() {
  const version = createRequire(import.meta.url)('kafkajs/package.json').version
  emit({ client: 'kafkajs', version, codecs: ['none', 'gzip'], protocols: ['classic'], idempotence: true })
}

const connect = () => new Kafka({
  clientId: flags['client-id'], brokers: flags.bootstrap.split(','), logLevel: logLevel.WARN,
  retry: { initialRetryTime: 50, maxRetryTime: 500, retries: 100 }, requestTimeout: 20000
})

async function produce() {
  const idempotent = flags.idempotent === '1'
  const producer = connect().producer({
    idempotent, maxInFlightRequests: 1, createPartitioner: Partitioners.DefaultPartitioner, metadataMaxAge: 5000
  })
  await producer.connect()
  const options = {
    topic: flags.topic, acks: flags.acks === 'all' ? -1 : flags.number('acks'),
    compression: flags.codec === 'gzip' ? CompressionTypes.GZIP : CompressionTypes.None
  }
  const code = await produceAll(flags, async (key, value) => {
    const [done] = await producer.send({ ...options, messages: [{ key, value }] })
    return { partition: done.partition, offset: Number(done.baseOffset) }
  })
  await producer.disconnect()
  process.exitCode = code
}

async function consume() {
  const consumer = connect().consumer({
    groupId: flags.group, sessionTimeout: flags.number('session-ms'), heartbeatInterval: 500, maxWaitTimeInMs: 500,
    metadataMaxAge: 5000, rebalanceTimeout: 30000
  })
  const progress = new Progress(flags, (positions) => consumer.commitOffsets([...positions].map(
    ([partition, offset]) => ({ topic: flags.topic, partition, offset: String(offset) }))))
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) =>
    progress.assigned(payload.memberAssignment[flags.topic] ?? []))
  consumer.on(consumer.events.CRASH, ({ payload }) => emit({ note: String(payload.error) }))
  await consumer.connect()
  await consumer.subscribe({ topic: flags.topic, fromBeginning: true })
  await consumer.run({
    autoCommit: false,
    eachMessage: async ({ partition, message }) => {
      // A partition that is gone must not be processed on.
      if (progress.ended() || !progress.held.includes(partition)) return
      progress.record(message.key.toString(), message.value.toString(), partition, Number(message.offset))
      await progress.commitIfDue()
    }
  })
  await progress.untilEnded()
  await progress.commit()
  await consumer.disconnect()
  progress.revoked()
  emit({ done: { records: progress.count } })
}

if (command === 'about') about()
else if (command === 'produce') await produce()
else await consume()
