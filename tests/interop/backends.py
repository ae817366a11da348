"""The clusters that a scenario can run against: a double, or a real Kafka (to check clients and scenario)."""

import json
import os
import subprocess

from double import Double, check_replays, patient, wait_for
from raw import api_keys, create_topic, find_coordinator, init_producer_id

HERE = os.path.dirname(os.path.abspath(__file__))


def kcat(bootstrap, *arguments):
    done = subprocess.run(["kcat", "-b", bootstrap, "-q", *arguments], capture_output=True, text=True,
                          timeout=patient(120))
    if done.returncode != 0:
        raise AssertionError(f"kcat {arguments}: {done.stderr[-2000:]}")
    return done.stdout


def read_log(bootstrap, topic):
    """All records of a topic in order per partition, read with another client than the tested one."""
    records = []
    for line in kcat(bootstrap, "-C", "-t", topic, "-o", "beginning", "-e", "-J").splitlines():
        record = json.loads(line)
        records.append({"partition": record["partition"], "offset": record["offset"], "key": record["key"],
                        "value": record["payload"]})
    return sorted(records, key=lambda r: (r["partition"], r["offset"]))


class Backend:
    """`bootstrap`, and what both kinds can do with it."""

    def has_consumer_groups(self):
        """Whether the cluster offers the newer group protocol, by ConsumerGroupHeartbeat."""
        return 68 in api_keys(self.bootstrap.split(",")[0])

    def log(self, topic):
        return read_log(self.bootstrap, topic)

    def leader(self, topic, partition):
        listed = json.loads(kcat(self.bootstrap, "-L", "-J", "-t", topic))
        return listed["topics"][0]["partitions"][partition]["leader"]

    def coordinator(self, group):
        found = []

        def ask():
            for address in self.bootstrap.split(","):
                try:
                    node = find_coordinator(address, group)
                except OSError:
                    continue
                if node is not None:
                    found.append(node)
                    return True
            return False

        wait_for(ask, 60)
        return found[0]


class Wavetank(Backend):
    name = "wavetank"
    CONFIGS = ["group.consumer.min.session.timeout.ms=6000", "group.consumer.session.timeout.ms=6000",
               "group.consumer.min.heartbeat.interval.ms=500", "group.consumer.heartbeat.interval.ms=500"]

    def __init__(self, folder, seed):
        settings = [word for config in self.CONFIGS for word in ("--set", config)]
        self.double = Double(folder, "--brokers", "3", "--seed", str(seed), *settings)
        self.bootstrap = self.double.bootstrap

    def create_topic(self, name, partitions):
        self.double.create_topic(name, partitions)

    def crash_leader_at(self, topic, point, producer):
        """The leader of a partition of `topic` dies at `point` while `producer` is sending."""
        rule = self.double.rule(point=point, action="crash", topic=topic, skip=20, count=1)
        wait_for(lambda: self.double.rule_state(rule)["hits"] == 1 or producer.process.poll() is not None, 60)
        assert self.double.rule_state(rule)["hits"] == 1, f"{point} was never reached"

    def crash(self, broker):
        self.double.call("POST", f"/v1/brokers/{broker}/crash")

    def restart_all(self):
        self.double.restart_all()

    def check(self):
        self.double.check_no_finding()

    def stop(self):
        self.double.stop()

    def check_recording(self):
        result = check_replays(self.double.recording)
        print(f"replayed: hash {result['hash']}, {result['events']} events", flush=True)


class RealKafka(Backend):
    name = "real-kafka"

    def __init__(self, folder, seed):
        self.tool = [os.path.join(HERE, "..", "conformance", "real_kafka", "real_kafka"), "--dir",
                     os.path.join(folder, "cluster")]
        port = 21000 + seed % 1000
        self.run("end")
        self.bootstrap = self.run("start", "--brokers", "3", "--port", str(port), *Wavetank.CONFIGS,
                                  "group.initial.rebalance.delay.ms=0", "broker.session.timeout.ms=3000",
                                  "broker.heartbeat.interval.ms=500", "min.insync.replicas=2").strip()
        self.down = []
        # A cold cluster refuses the first ones for seconds, which the oldest clients do not survive.
        for address in self.bootstrap.split(","):
            wait_for(lambda at=address: init_producer_id(at) == 0, 60)
        self.coordinator("warm")

    def run(self, *words):
        done = subprocess.run([*self.tool, *words], capture_output=True, text=True, timeout=300)
        if done.returncode != 0:
            raise AssertionError(f"real_kafka {words}: {done.stderr}")
        return done.stdout

    def create_topic(self, name, partitions):
        create_topic(self.bootstrap.split(",")[0], name, partitions, 3)

    def crash_leader_at(self, topic, point, producer):
        wait_for(lambda: len(producer.of("acked")) >= 20, 60)
        self.crash(self.leader(topic, 0))

    def crash(self, broker):
        self.run("crash", str(broker))
        self.down.append(broker)

    def restart_all(self):
        while self.down:
            self.run("restart", str(self.down.pop()))

    def check(self):
        pass

    def stop(self):
        self.run("end")

    def check_recording(self):
        print("a real broker has no recording")
