"""What is asked of the tools, in order: a fresh cluster of three brokers, ids 1 to 3.

A step is a list of words: the tool and its arguments. `{NAME}` stands for a file with that JSON text from FILES.
"""

TOOLS = {
    "acls": "AclCommand", "broker-api-versions": "BrokerApiVersionsCommand",
    "client-metrics": "ClientMetricsCommand", "cluster": "ClusterTool", "configs": "ConfigCommand",
    "delegation-tokens": "DelegationTokenCommand", "delete-records": "DeleteRecordsCommand",
    "features": "FeatureCommand", "get-offsets": "GetOffsetShell", "leader-election": "LeaderElectionCommand",
    "log-dirs": "LogDirsCommand", "metadata-quorum": "MetadataQuorumCommand",
    "producer-perf-test": "ProducerPerformance", "reassign-partitions": "reassign.ReassignPartitionsCommand",
    "topics": "TopicCommand", "transactions": "TransactionsCommand",
}

FILES = {
    "empty": "",
    "delete": '{"partitions":[{"topic":"one","partition":0,"offset":2}],"version":1}',
    "delete-all": '{"partitions":[{"topic":"one","partition":0,"offset":-1}],"version":1}',
    "elect": '{"partitions":[{"topic":"a","partition":0},{"topic":"c","partition":0}]}',
    "topics": '{"topics":[{"topic":"c"}],"version":1}',
    "move": '{"version":1,"partitions":[{"topic":"c","partition":0,"replicas":[3,2]}]}',
    "move-nowhere": '{"version":1,"partitions":[{"topic":"c","partition":0,"replicas":[3,9]}]}',
    "move-nothing": '{"version":1,"partitions":[{"topic":"nope","partition":0,"replicas":[3,1]}]}',
}

STEPS = """
topics --create --topic a --replica-assignment 1:2,2:3
topics --create --topic b --replica-assignment 2:3:1,3:1:2,1:2:3 --config retention.ms=1000000
topics --create --topic b
topics --create --topic c --if-not-exists --replica-assignment 1:2:3
topics --create --topic one --replica-assignment 1
topics --create --topic bad!name
topics --list
topics --describe --topic a
topics --describe
topics --describe --under-replicated-partitions
topics --describe --unavailable-partitions
topics --describe --topics-with-overrides
topics --describe --topic nope
topics --alter --topic a --partitions 3 --replica-assignment 1:2,2:3,3:1
topics --alter --topic a --partitions 2
topics --delete --topic nope
configs --describe --entity-type topics --entity-name b
configs --describe --entity-type topics --entity-name b --all
configs --alter --entity-type topics --entity-name b --add-config cleanup.policy=compact,segment.ms=5000
configs --describe --entity-type topics --entity-name b
configs --alter --entity-type topics --entity-name b --delete-config cleanup.policy,segment.ms
configs --alter --entity-type topics --entity-name b --add-config nonsense=1
configs --describe --entity-type brokers --entity-default
configs --alter --entity-type brokers --entity-default --add-config log.retention.ms=12345678
configs --describe --entity-type brokers --entity-default
configs --describe --entity-type topics --entity-name a --all
configs --describe --entity-type brokers --entity-name 1
configs --alter --entity-type brokers --entity-default --delete-config log.retention.ms
configs --alter --entity-type users --entity-name u1 --add-config producer_byte_rate=1024,consumer_byte_rate=2048
configs --alter --entity-type clients --entity-default --add-config request_percentage=50
configs --alter --entity-type users --entity-name u1 --entity-type clients --entity-name c1 --add-config producer_byte_rate=77
configs --describe --entity-type users
configs --describe --entity-type clients
configs --describe --entity-type users --entity-type clients
configs --alter --entity-type users --entity-name u1 --delete-config producer_byte_rate
configs --describe --entity-type users --entity-name u1
configs --alter --entity-type ips --entity-name 1.2.3.4 --add-config connection_creation_rate=5
configs --describe --entity-type ips
configs --describe --entity-type groups
configs --alter --entity-type groups --entity-name g --add-config consumer.session.timeout.ms=50000
configs --describe --entity-type groups --entity-name g
configs --describe --entity-type groups
client-metrics --alter --name m --metrics org.apache.kafka.producer. --interval 1000 --match client_id=x
client-metrics --list
client-metrics --describe --name m
client-metrics --describe
client-metrics --delete --name m
client-metrics --describe
producer-perf-test --topic one --num-records 20 --record-size 10 --throughput -1
get-offsets --topic one
get-offsets --topic one --time earliest
get-offsets --topic-partitions one:0,c:0 --time latest
get-offsets --topic nope
delete-records --offset-json-file {delete}
get-offsets --topic one --time -2
delete-records --offset-json-file {delete-all}
get-offsets --topic one --time -2
leader-election --election-type preferred --topic c --partition 0
leader-election --election-type preferred --all-topic-partitions
leader-election --election-type unclean --topic c --partition 0
leader-election --election-type preferred --topic nope --partition 0
leader-election --election-type preferred --path-to-json-file {elect}
log-dirs --describe --topic-list a,c
log-dirs --describe --broker-list 1
log-dirs --describe --broker-list 9
reassign-partitions --list
reassign-partitions --topics-to-move-json-file {topics} --broker-list 1,2,3 --generate
reassign-partitions --reassignment-json-file {move} --execute
reassign-partitions --reassignment-json-file {move} --verify
reassign-partitions --list
reassign-partitions --reassignment-json-file {move} --cancel
topics --describe --topic c
reassign-partitions --reassignment-json-file {move-nowhere} --execute
reassign-partitions --reassignment-json-file {move-nothing} --execute
cluster cluster-id
cluster list-endpoints
cluster list-endpoints --include-fenced-brokers
cluster unregister --id 9
broker-api-versions
features describe
features upgrade --feature transaction.version=2
features downgrade --feature transaction.version=1
features describe
features upgrade --feature transaction.version=2 --dry-run
features upgrade --feature transaction.version=2
features upgrade --feature nope.version=2
features upgrade --feature transaction.version=9
features version-mapping --release-version 4.4
features feature-dependencies --feature transaction.version=2
metadata-quorum describe --status
metadata-quorum describe --replication
metadata-quorum remove-controller --controller-id 9 --controller-directory-id AAAAAAAAAAAAAAAAAAAAAQ
acls --list
acls --add --allow-principal User:x --operation Read --topic a
delegation-tokens --describe --command-config {empty}
delegation-tokens --create --max-life-time-period -1 --command-config {empty}
transactions describe-producers --topic one --partition 0
topics --delete --topic a
topics --list
""".strip().splitlines()

# Where the double differs on purpose (docs/differences.md): only that the tool ends in the same way is checked.
MEANT = {
    "metadata-quorum describe": "one controller is the only voter, brokers are observers",
    "metadata-quorum remove-controller": "the voters it names are others",
    "configs --describe --entity-type brokers --entity-name": "static configs of a broker are not those of a file",
    "transactions describe-producers": "the id and the time are another run's",
}
# What a tool prints differs from run to run.
VOLATILE = {"producer-perf-test": "speeds"}
