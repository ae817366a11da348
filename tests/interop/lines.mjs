// What the Node client programs share: the command line and the lines that every program prints, described in
// lines.py.

export function parse() {
  const [command, ...words] = process.argv.slice(2)
  const flags = {}
  for (let i = 0; i + 1 < words.length; i += 2) flags[words[i].slice(2)] = words[i + 1]
  flags.number = (name) => Number(flags[name])
  return [command, flags]
}

export function emit(fields) {
  process.stdout.write(JSON.stringify(fields) + '\n')
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

// Calls send(key, value) for every record when it is due; one after the other.
export async function produceAll(flags, send) {
  const begin = Date.now()
  let failed = 0
  for (let i = 0; i < flags.number('count'); ++i) {
    if (flags.number('rate') > 0) await sleep(Math.max(0, begin + (i * 1000) / flags.number('rate') - Date.now()))
    const number = flags.number('start') + i
    const key = `k${number % 8}`
    const value = `${flags['client-id']}-${number}`
    try {
      const { partition, offset } = await send(key, value)
      emit({ acked: { key, value, partition, offset } })
    } catch (error) {
      ++failed
      emit({ failed: { value, error: String(error) } })
    }
  }
  emit({ done: { failed } })
  return failed > 0 ? 1 : 0
}

// Resolves when SIGTERM has come.
export const stopped = new Promise((resolve) => process.once('SIGTERM', resolve))

// What a consumer has processed and not yet committed, and when it has to end. `commit` takes a Map of partition
// and next offset.
export class Progress {
  constructor(flags, commit) {
    this.flags = flags
    this.commitOffsets = commit
    this.positions = new Map()
    this.next = new Map()
    this.held = []
    this.count = 0
    this.sinceCommit = 0
    this.last = Date.now()
    this.committing = Promise.resolve()
  }

  record(key, value, partition, offset) {
    emit({ record: { key, value, partition, offset } })
    this.positions.set(partition, offset + 1)
    this.next.set(partition, offset + 1)
    ++this.count
    ++this.sinceCommit
    this.last = Date.now()
  }

  async commitIfDue() {
    if (this.sinceCommit >= this.flags.number('commit-every')) await this.commit()
  }

  // One commit at a time.
  commit() {
    this.committing = this.committing.then(() => this.commitNow())
    return this.committing
  }

  async commitNow() {
    const positions = new Map(this.positions)
    if (positions.size === 0) return
    this.sinceCommit = 0
    try {
      await this.commitOffsets(positions)
      for (const [partition, offset] of positions) {
        if (this.positions.get(partition) === offset) this.positions.delete(partition)
      }
      emit({ committed: Object.fromEntries(positions) })
    } catch (error) {
      emit({ commit_failed: String(error) })
    }
  }

  // A new assignment, complete.
  assigned(partitions) {
    this.revoked()
    this.held = partitions
    emit({ assigned: partitions })
  }

  // A new assignment of which only the difference changes hands.
  changed(partitions) {
    const gone = this.held.filter((p) => !partitions.includes(p))
    const fresh = partitions.filter((p) => !this.held.includes(p))
    gone.forEach((p) => { this.positions.delete(p); this.next.delete(p) })
    this.held = partitions
    if (gone.length > 0) emit({ revoked: gone })
    if (fresh.length > 0) emit({ assigned: fresh })
  }

  // Whether a record is one that this consumer has not processed while it held the partition.
  isNew(partition, offset) {
    return this.held.includes(partition) && offset >= (this.next.get(partition) ?? 0)
  }

  revoked() {
    if (this.held.length > 0) emit({ revoked: this.held })
    this.held = []
    this.positions.clear()
    this.next.clear()
  }

  ended() {
    const most = this.flags.number('max')
    const idle = this.flags.number('idle-ms')
    return (most > 0 && this.count >= most) || (idle > 0 && Date.now() - this.last > idle)
  }

  async untilEnded() {
    let asked = false
    stopped.then(() => { asked = true })
    while (!asked && !this.ended()) await sleep(20)
  }
}
