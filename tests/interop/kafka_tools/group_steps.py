"""What is asked of the tools about groups, in order: a fresh cluster of three brokers, ids 1 to 3.

A step is a list of words: the tool and its arguments. Before them may stand
  start NAME      the tool goes on in the background; `stop NAME` ends it
  until WORD      the step is repeated until it prints that word
"""

TOOLS = {
    "console-consumer": "consumer.ConsoleConsumer", "console-producer": "ConsoleProducer",
    "consumer-groups": "consumer.group.ConsumerGroupCommand", "consumer-perf-test": "ConsumerPerformance",
    "groups": "GroupsCommand", "producer-perf-test": "ProducerPerformance", "topics": "TopicCommand",
    "verifiable-consumer": "VerifiableConsumer", "verifiable-producer": "VerifiableProducer",
}
# What these read on standard input, and whose output has no order.
INPUT = {"console-producer": "a:1\nb:2\nc:3\nd:4\ne:5\nf:6\n"}
UNORDERED = ("console-consumer --topic t --group", "groups --list", "consumer-groups --list",
             "consumer-groups --describe --all-groups",
             "verifiable-consumer", "console-consumer --topic __consumer_offsets")
# Tools whose results come when their process ends: each in one of its own.
ALONE = ("verifiable-",)

OFFSETS = "org.apache.kafka.tools.consumer.OffsetsMessageFormatter"
METADATA = "org.apache.kafka.tools.consumer.GroupMetadataMessageFormatter"
LOG = "console-consumer --topic __consumer_offsets --timeout-ms 8000"

STEPS = f"""
topics --create --topic t --replica-assignment 1:2,2:3
topics --create --topic one --replica-assignment 3
consumer-groups --list
consumer-groups --describe --group nope
console-producer --topic t --reader-property parse.key=true --reader-property key.separator=:
console-consumer --topic t --partition 0 --offset earliest --max-messages 2 --formatter-property print.key=true
console-consumer --topic t --partition 1 --offset 1 --max-messages 1 --formatter-property print.offset=true
console-consumer --topic t --group g --from-beginning --max-messages 6
{LOG} --partition 3 --offset earliest --formatter {OFFSETS}
{LOG} --partition 3 --offset earliest --formatter {METADATA}
consumer-groups --list
consumer-groups --list --state
consumer-groups --list --state stable
consumer-groups --list --type
consumer-groups --describe --group g
consumer-groups --describe --group g --offsets --verbose
consumer-groups --describe --group g --state
consumer-groups --describe --group g --members
consumer-groups --describe --all-groups
consumer-groups --reset-offsets --group g --topic t --to-earliest --dry-run
consumer-groups --reset-offsets --group g --topic t --shift-by -1 --execute
consumer-groups --reset-offsets --group g --topic t:0 --to-offset 1 --execute
consumer-groups --reset-offsets --group g --topic t:1 --to-offset 99 --execute
consumer-groups --reset-offsets --group g --all-topics --to-current --dry-run --export
consumer-groups --reset-offsets --group g --topic nope --to-latest --execute
consumer-groups --reset-offsets --group fresh --topic t --to-latest --execute
consumer-groups --describe --group fresh
consumer-groups --delete-offsets --group g --topic t:1
consumer-groups --delete-offsets --group g --topic nope
consumer-groups --describe --group g
consumer-groups --delete --group fresh --group nope
groups --list
start old console-consumer --topic t --group old --consumer-property client.id=c1
until Stable consumer-groups --describe --group old --state
consumer-groups --describe --group old --state --verbose
consumer-groups --describe --group old --members
consumer-groups --describe --group old --members --verbose
consumer-groups --delete --group old
consumer-groups --reset-offsets --group old --topic t --to-earliest --execute
consumer-groups --delete-offsets --group old --topic t
start new console-consumer --topic t --group new --consumer-property client.id=c2 --consumer-property group.protocol=consumer
until Stable consumer-groups --describe --group new --state
consumer-groups --describe --group new --state --verbose
consumer-groups --describe --group new --members
consumer-groups --describe --group new --members --verbose
until c2 consumer-groups --describe --group new
consumer-groups --delete --group new
consumer-groups --reset-offsets --group new --topic t --to-earliest --execute
consumer-groups --list --state
consumer-groups --list --type
consumer-groups --list --type consumer --state stable
groups --list
groups --list --group-type classic
groups --list --protocol consumer
groups --list --consumer
stop old
stop new
until Empty consumer-groups --describe --group new --state
consumer-groups --delete --group new
verifiable-producer --topic one --max-messages 5 --throughput -1
verifiable-consumer --topic one --group-id v --max-messages 5 --reset-policy earliest
producer-perf-test --topic one --num-records 20 --record-size 10 --throughput -1
consumer-perf-test --topic one --num-records 25 --group p --timeout 60000
consumer-groups --describe --group p
""".strip().splitlines()
