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

// Nothing comes back from a call in which the client has thrown from a timer.
function within(ms, promise) {
  const late = new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`no answer in ${ms} ms`)), ms).unref()
  })
  return Promise.race([promise, late])
}

// A member of the group. The client asks for the coordinator once and keeps to that broker, so that the application has
// to make another consumer when the broker is gone.
class Member {
  constructor() {
    this.progress = new Progress(flags, (positions) => this.commit(positions))
    this.restarting = false
  }

  held() {
    return (this.consumer.assignments ?? []).filter((a) => a.topic === flags.topic).flatMap((a) => a.partitions)
  }

  async start() {
    const consumer = new Consumer({ ...common(), ...groupOptions(), deserializers: stringDeserializers })
    this.consumer = consumer
    consumer.on('consumer:group:join', () => this.noteAssignment(consumer))
    consumer.on('consumer:heartbeat:error', ({ error }) => {
      // A fenced member comes back by itself.
      if (consumer === this.consumer && !String(error).includes('FENCED')) this.startAgain(error)
    })
    await this.read(consumer)
  }

  noteAssignment(consumer) {
    if (consumer === this.consumer && !this.restarting) this.progress.changed(this.held())
  }

  async read(consumer) {
    const stream = await consumer.consume({ topics: [flags.topic], mode: 'committed', fallbackMode: 'earliest' })
    this.stream = stream
    // A stream ends when the broker that it reads from is gone: the application starts another.
    stream.on('error', async (error) => {
      emit({ note: String(error) })
      consumer.clearMetadata()
      await sleep(200)
      if (consumer === this.consumer && !this.restarting) this.read(consumer).catch((again) => this.startAgain(again))
    })
    stream.on('data', async (message) => {
      if (consumer !== this.consumer || this.restarting || this.progress.ended()) return
      // The first records of a new assignment may come before the event that tells of it.
      this.noteAssignment(consumer)
      // After a rebalance it reads again from what was committed, also where a partition has stayed.
      if (!this.progress.isNew(message.partition, Number(message.offset))) return
      this.progress.record(message.key, message.value, message.partition, Number(message.offset))
      await this.progress.commitIfDue()
    })
  }

  commit(positions) {
    const offsets = [...positions].map(([partition, offset]) =>
      ({ topic: flags.topic, partition, offset: BigInt(offset), leaderEpoch: -1 }))
    return within(10000, this.consumer.commit({ offsets }))
  }

  // It may throw at once as well.
  async abandon(consumer) {
    try {
      await consumer.close(true)
    } catch (error) {
      emit({ note: String(error) })
    }
  }

  async startAgain(error) {
    if (this.restarting) return
    this.restarting = true
    emit({ note: `starts again after ${error}` })
    await this.progress.committing
    this.progress.revoked()
    for (let started = false; !started;) {
      this.abandon(this.consumer)
      await sleep(200)
      started = await within(20000, this.start()).then(() => true, (failure) => emit({ note: String(failure) }))
    }
    this.restarting = false
    this.progress.changed(this.held())
  }

  async run() {
    await this.start()
    // Under the consumer protocol no event tells what changes.
    if (flags.protocol === 'consumer') setInterval(() => this.noteAssignment(this.consumer), 10).unref()
    await this.progress.untilEnded()
    await this.progress.commit()
    await this.stream.close()
    await this.consumer.close(true)
    this.progress.revoked()
    emit({ done: { records: this.progress.count } })
    // A consumer that was given up may still hold timers.
    process.exit(0)
  }
}

// When a broker that it means to ask is no longer in the metadata, the client throws from a timer or from an answer, and
// that consumer does nothing more. Any other exception is a failure.
function startAgainWithoutBroker(member) {
  process.on('uncaughtException', (error) => {
    if (error instanceof TypeError && error.message.includes("(reading 'host')")) {
      member.startAgain(error)
      return
    }
    console.error(error)
    process.exit(1)
  })
}

async function consume() {
  const member = new Member()
  startAgainWithoutBroker(member)
  await member.run()
}

if (command === 'about') about()
else if (command === 'produce') await produce()
else await consume()
