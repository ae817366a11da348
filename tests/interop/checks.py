"""What must hold of the lines of producers and consumers and of the log that is left."""


def acked_of(programs):
    """value → acknowledgement, of all given producers; raises when one says that it failed."""
    acked = {}
    for program in programs:
        failed = program.of("failed")
        assert not failed, f"{program.name} could not send: {failed[:3]}"
        for line in program.of("acked"):
            assert line["value"] not in acked, f"acknowledged twice: {line}"
            acked[line["value"]] = line
    return acked


def check_log(log, acked, once=True, offsets=True):
    """The log of a topic (records in order per partition) against acknowledgements: nothing lost; nothing twice
    where `once`; the records of one producer in the order in which it sent them, per key and partition."""
    by_value = {}
    for record in log:
        by_value.setdefault(record["value"], []).append(record)
    lost = [value for value in acked if value not in by_value]
    assert not lost, f"{len(lost)} acknowledged and lost: {sorted(lost)[:5]}"
    doubled = [value for value, places in by_value.items() if len(places) > 1]
    assert not once or not doubled, f"{len(doubled)} twice in the log: {sorted(doubled)[:5]}"
    for value, line in acked.items():
        places = [(r["partition"], r["offset"]) for r in by_value[value]]
        if offsets and line["offset"] >= 0:
            assert (line["partition"], line["offset"]) in places, f"acknowledged {line}, is at {places}"
        assert by_value[value][0]["key"] == line["key"], f"{line} has another key: {by_value[value]}"
    check_order(log, doubled)
    check_keys(log)


def check_order(log, doubled=()):
    last = {}
    for record in log:
        if record["value"] in doubled:
            continue
        producer, number = record["value"].rsplit("-", 1)
        for place in [(producer, record["partition"]), (producer, record["key"])]:
            assert int(number) > last.get(place, -1), f"out of order for {place}: {record} after {last[place]}"
            last[place] = int(number)


def check_keys(log):
    """One partition a key: the partitioner had the same number of partitions all the time."""
    where = {}
    for record in log:
        producer = record["value"].rsplit("-", 1)[0]
        place = where.setdefault((producer, record["key"]), record["partition"])
        assert place == record["partition"], f"key {record['key']} in partitions {place} and {record['partition']}"


def check_deliveries(watch, consumers, log):
    """Every record of the log was delivered to the group, as it is in the log; again only where no commit that was
    confirmed before covers it. Returns how many were delivered again."""
    wanted = {(r["partition"], r["offset"]): (r["key"], r["value"]) for r in log}
    seen, committed, last = set(), {}, {}
    again = 0
    for process, line in watch.lines:
        if process not in consumers:
            continue
        if "committed" in line:
            for partition, offset in line["committed"].items():
                committed[int(partition)] = max(committed.get(int(partition), 0), offset)
        elif "assigned" in line:
            for partition in line["assigned"]:
                last.pop((process, partition), None)
        elif "record" in line:
            record = line["record"]
            place = (record["partition"], record["offset"])
            assert wanted.get(place) == (record["key"], record["value"]), f"delivered {record}, log: {wanted.get(place)}"
            order = (process, record["partition"])
            assert record["offset"] > last.get(order, -1), f"{process.name}: {record} after offset {last[order]}"
            last[order] = record["offset"]
            if place in seen:
                again += 1
                assert record["offset"] >= committed.get(record["partition"], 0), (
                    f"{process.name}: {record} again, committed up to {committed[record['partition']]}")
            seen.add(place)
    missing = sorted(set(wanted) - seen)
    assert not missing, f"{len(missing)} never delivered: {missing[:5]}"
    return again
