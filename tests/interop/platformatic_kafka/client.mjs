// @platformatic/kafka; the command line and the lines are described in ../lines.py.

import { readFileSync } from 'node:fs'
import { compressionsAlgorithms, Consumer, Producer, stringDeserializers, stringSerializers } from '@platformatic/kafka'
import { emit, parse, produceAll, Progress, sleep } from './lines.mjs'

const [command, flags] = parse()

function about() {
  const file = new URL('./node_modules/@platformatic/kafka/package.json', import.meta.url)
  const codecs = Object.entries(compressionsAlgorithms).filter(([, codec]) => codec.available).map(([name]) => name)
  emit({
    client: '@platformatic/kafka', version: JSON.parse(readFileSync(file)).version, codecs,
    protocols: ['classic', 'consumer'], idempotence: true
  })
}

const common = () => ({
  clientId: flags['client-id'], bootstrapBrokers: flags.bootstrap.split(','), retries: 3, retryDelay: 100,
  timeout: 20000, metadataMaxAge: 5000, autocreateTopics: false
})

// A lost connection is the application's to retry here. The client counts a sequence only when it was acknowledged, so
// that an idempotent producer sends the same one again.
async function sendAgain(producer, request) {
  for (let attempt = 0; ; ++attempt) {
    try {
      return await producer.send(request)
    } catch (error) {
      if (attempt === 300) throw error
      emit({ note: (error.errors ?? [error]).map(String).join('; ') })
      producer.clearMetadata()
      await sleep(100)
    }
  }
}

async function produce() {
  const producer = new Producer({ ...common(), serializers: stringSerializers })
  const options = {
    idempotent: flags.idempotent === '1', acks: flags.acks === 'all' ? -1 : flags.number('acks'),
    compression: flags.codec
  }
  const code = await produceAll(flags, async (key, value) => {
    const { offsets: [done] } = await sendAgain(producer, { ...options, messages: [{ topic: flags.topic, key, value }] })
    return { partition: done.partition, offset: Number(done.offset) }
  })
  await producer.close()
  process.exitCode = code
}

function groupOptions() {
  const options = { groupId: flags.group, maxWaitTime: 500, autocommit: false }
  if (flags.protocol === 'consumer') return { ...options, groupProtocol: 'consumer', rebalanceTimeout: 60000 }
  return { ...options, sessionTimeout: flags.number('session-ms'), rebalanceTimeout: 30000, heartbeatInterval: 500 }
}

// Under the consumer protocol no event tells what changes.
function watchAssignment(progress, held) {
  setInterval(() => {
    const now = held()
    if (String(now) !== String(progress.held)) progress.changed(now)
  }, 10).unref()
}

async function consume() {
  const consumer = new Consumer({ ...common(), ...groupOptions(), deserializers: stringDeserializers })
  const progress = new Progress(flags, (positions) => consumer.commit({
    offsets: [...positions].map(([partition, offset]) =>
      ({ topic: flags.topic, partition, offset: BigInt(offset), leaderEpoch: -1 }))
  }))
  const held = () => (consumer.assignments ?? []).filter((a) => a.topic === flags.topic).flatMap((a) => a.partitions)
  if (flags.protocol === 'consumer') watchAssignment(progress, held)
  else consumer.on('consumer:group:join', () => progress.changed(held()))
  consumer.on('consumer:heartbeat:error', ({ error }) => emit({ note: String(error) }))
  let stream
  // A stream ends when the broker that it reads from is gone: the application starts another.
  const read = async () => {
    stream = await consumer.consume({ topics: [flags.topic], mode: 'committed', fallbackMode: 'earliest' })
    stream.on('error', async (error) => {
      emit({ note: String(error) })
      consumer.clearMetadata()
      await sleep(200)
      read().catch((failure) => emit({ note: String(failure) }))
    })
    stream.on('data', async (message) => {
      // After a rebalance it reads again from what was committed, also where a partition has stayed.
      if (progress.ended() || !progress.isNew(message.partition, Number(message.offset))) return
      progress.record(message.key, message.value, message.partition, Number(message.offset))
      await progress.commitIfDue()
    })
  }
  await read()
  await progress.untilEnded()
  await progress.commit()
  await stream.close()
  await consumer.close(true)
  progress.revoked()
  emit({ done: { records: progress.count } })
}

// It throws from a timer when a broker that it means to ask is no longer in the metadata, and goes on with the next try.
process.on('uncaughtException', (error) => emit({ note: String(error) }))

if (command === 'about') about()
else if (command === 'produce') await produce()
else await consume()
