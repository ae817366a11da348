#!/usr/bin/env python3
"""Official test suites of others against Wavetank; results go to results/, from which render.py makes
docs/clients.md. README.md says what is needed of each suite.

  run.py librdkafka --tests DIR [--only 0018,0029] [--protocol classic,consumer] [--idempotent]
  run.py kafka --command CMD [--only CLASS,…] [--profile kafka-4.3]
  run.py franz-go --checkout DIR [--only PATTERN]
  run.py kafka-python --checkout DIR [--python PYTHON] [--only PATTERN]

All take --bootstrap HOST:PORT --as NAME: another cluster than a double, results under its name;
--program FILE: the double; --timeout S; --set KEY=VALUE: a broker config of the double (repeatable).
"""
import argparse
import os
import sys
import tempfile
import time

import franz_go
import kafka
import kafka_python
import librdkafka
import results
import servers

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("suite", choices=["librdkafka", "kafka", "franz-go", "kafka-python"])
    parser.add_argument("--program", default=os.path.join(ROOT, "build/dev/bin/wavetank"))
    parser.add_argument("--bootstrap", help="another cluster")
    parser.add_argument("--as", dest="name", default="wavetank", help="whose results these are")
    parser.add_argument("--only", default="")
    parser.add_argument("--timeout", type=int, default=0, help="seconds for one test (librdkafka), one file (franz-go) or all")
    parser.add_argument("--set", dest="settings", action="append", default=[])
    parser.add_argument("--tests", help="librdkafka's tests/ with a built test-runner")
    parser.add_argument("--protocol", default="classic,consumer")
    parser.add_argument("--idempotent", action="store_true")
    parser.add_argument("--command", help="the harness of Kafka's own tests")
    parser.add_argument("--profile", default="kafka-4.3")
    parser.add_argument("--checkout", help="folder of the suite's sources")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--kafka-version", default="4.4.0")
    parser.add_argument("--records", type=int, default=20000)
    parser.add_argument("--dry", action="store_true", help="do not write results/")
    return parser.parse_args()


def open_server(options, suite):
    if options.bootstrap:
        return servers.Running(options.bootstrap)
    settings = [word for setting in suite.SETTINGS + options.settings for word in ("--set", setting)]
    return servers.Double(options.program, *suite.FLAGS, *settings)


def report(options, found, log):
    for name, (state, seconds) in sorted(found.items()):
        print(f"{state:8} {seconds:7.1f} s  {name}" + (f"   {log}" if state == "failed" else ""), flush=True)
    if not options.dry:
        results.save(options.suite, options.name, found)


def run_librdkafka(options):
    known = sorted({name.split()[0][:4] for name in results.load("librdkafka", "real-kafka-4.4")})
    everything = {}
    for variant in librdkafka.variants([p for p in options.protocol.split(",") if p], options.idempotent):
        for number in options.only.split(",") if options.only else known:
            server = open_server(options, librdkafka)
            found, log = librdkafka.run_one(options.tests, number, server, variant, options.kafka_version,
                                            options.timeout or 180)
            problem = server.stop()
            if problem:
                found = {name: ("failed", seconds) for name, (_, seconds) in found.items()}
                print(problem)
            report(options, found, log)
            everything.update(found)
    return everything


def run_kafka(options, log):
    chosen = options.only.split(",") if options.only else kafka.classes()
    found = kafka.run(options.command, chosen, options.program, options.profile, options.timeout or 3600, log)
    report(options, found, log)
    return found


def run_one_server(options, log):
    server = open_server(options, franz_go if options.suite == "franz-go" else kafka_python)
    if options.suite == "franz-go":
        found = franz_go.run(options.checkout, options.only, server, options.records, options.timeout or 300, log)
    else:
        found = kafka_python.run(options.checkout, options.python, server, options.kafka_version, options.only,
                                 options.timeout or 1200, log)
    problem = server.stop()
    if problem:
        print(problem)
    report(options, found, log)
    return {} if problem else found


def main():
    options = arguments()
    log = os.path.join(tempfile.gettempdir(), f"wavetank-suite-{options.suite}-{time.strftime('%H%M%S')}.log")
    if options.suite == "librdkafka":
        found = run_librdkafka(options)
    elif options.suite == "kafka":
        found = run_kafka(options, log)
    else:
        found = run_one_server(options, log)
    counts = {state: sum(1 for s, _ in found.values() if s == state) for state in results.STATES}
    print(f"{counts['ok']} passed, {counts['failed']} failed, {counts['skipped']} skipped")
    return 0 if found and counts["failed"] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
