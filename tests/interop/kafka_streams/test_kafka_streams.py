"""A Kafka Streams application against a double: a stateless and a stateful topology, a second instance that joins
and leaves, a leader's crash in the middle, a restart that has to restore its state from the changelog."""

import argparse
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from backends import RealKafka, Wavetank, kcat  # noqa: E402
from clients import CLIENTS, CannotBeHad  # noqa: E402
from double import skip, wait_for  # noqa: E402
from processes import Program, Watch  # noqa: E402


class Application:
    def __init__(self, backend, words, folder):
        self.backend, self.words, self.folder = backend, words, folder
        self.watch, self.sent, self.instances = Watch(), 0, []
        for topic, partitions in [("in", 3), ("upper", 3), ("counts", 1)]:
            backend.create_topic(topic, partitions)

    def start(self, name):
        instance = Program(self.watch, [*self.words, "run"], os.path.join(self.folder, f"{name}.log"),
                           bootstrap=self.backend.bootstrap, application="app", **{"in": "in"}, upper="upper",
                           counts="counts", state=os.path.join(self.folder, name), client_id=name)
        self.instances.append(instance)
        self.watch.wait(lambda: instance.of("state")[-1:] == ["RUNNING"] or instance.process.poll() is not None, 90,
                        f"running instance {name}")
        instance.check_alive()
        return instance

    def send(self, count):
        path = os.path.join(self.folder, "lines")
        with open(path, "w", encoding="utf-8") as file:
            for n in range(self.sent, self.sent + count):
                file.write(f"k{n % 8}:record-{n}\n")
        kcat(self.backend.bootstrap, "-P", "-t", "in", "-K", ":", "-X", "enable.idempotence=true", "-l", path)
        self.sent += count

    def check(self, exact):
        """All that was sent has come out of both topologies; once, where no instance was killed."""
        def complete():
            upper = [r["value"] for r in self.backend.log("upper")]
            counts = {}
            for record in self.backend.log("counts"):
                counts[record["key"]] = int(record["value"])
            self.seen = (len(upper), counts)
            wanted = {f"RECORD-{n}" for n in range(self.sent)}
            if exact:
                return sorted(upper) == sorted(wanted) and counts == {"even": self.sent // 2, "odd": self.sent // 2}
            return set(upper) == wanted and min(counts.values()) >= self.sent // 2

        try:
            wait_for(complete, 90)
        except AssertionError as error:
            raise AssertionError(f"{self.sent} sent, seen: {self.seen}") from error

    def end(self):
        for instance in self.instances:
            instance.kill()


def play(app):
    one = app.start("one")
    app.send(200)
    app.check(exact=True)
    print("stateless and stateful: ok", flush=True)
    two = app.start("two")
    app.send(200)
    app.check(exact=True)
    two.stop()
    app.send(100)
    app.check(exact=True)
    print("second instance came and went: ok", flush=True)
    app.backend.crash(app.backend.leader("in", 0))
    app.send(100)
    app.check(exact=False)
    app.backend.restart_all()
    print("leader crashed: ok", flush=True)
    before = app.seen[1]
    one.stop()
    shutil.rmtree(os.path.join(app.folder, "one"))
    app.start("three")
    app.send(100)
    app.check(exact=False)
    after = app.seen[1]
    assert all(after[k] == before[k] + 50 for k in before), f"restored counts {after}, were {before}"
    print("restarted without its state: ok", flush=True)
    app.backend.check()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--against", choices=["wavetank", "real-kafka"], default="wavetank")
    against = parser.parse_args().against
    try:
        words = CLIENTS["kafka_streams"].prepare("kafka_streams")
    except CannotBeHad as reason:
        skip(f"kafka-streams cannot be had: {reason}")
    folder = tempfile.mkdtemp(prefix="wavetank-interop-kafka-streams-")
    backend = (Wavetank if against == "wavetank" else RealKafka)(folder, 517)
    app = None
    try:
        app = Application(backend, words, folder)
        play(app)
    except BaseException:
        print(f"the logs are in {folder}", file=sys.stderr)
        raise
    finally:
        if app:
            app.end()
        backend.stop()
    backend.check_recording()
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
