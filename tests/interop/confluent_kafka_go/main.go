// confluent-kafka-go; the command line and the lines are described in ../lines.py.
package main

import (
	"os"
	"runtime/debug"
	"sync"

	"client/golines"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

func about() {
	version := "?"
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == "github.com/confluentinc/confluent-kafka-go/v2" {
			version = dependency.Version
		}
	}
	_, librdkafka := kafka.LibraryVersion()
	golines.EmitAll(map[string]any{
		"client": "confluent-kafka-go", "version": version + " (librdkafka " + librdkafka + ")",
		"codecs":    []string{"none", "gzip", "snappy", "lz4", "zstd"},
		"protocols": []string{"classic", "cooperative", "consumer"}, "idempotence": true,
	})
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func produce(flags golines.Flags) int {
	idempotent, inFlight := flags["idempotent"] == "1", 1
	if idempotent {
		inFlight = 5
	}
	producer, err := kafka.NewProducer(&kafka.ConfigMap{
		"bootstrap.servers": flags["bootstrap"], "client.id": flags["client-id"], "compression.type": flags["codec"],
		"acks": flags["acks"], "enable.idempotence": idempotent, "max.in.flight": inFlight, "linger.ms": 5,
		"message.timeout.ms": 60000, "retry.backoff.ms": 50,
	})
	check(err)
	failed := 0
	var reader sync.WaitGroup
	reader.Add(1)
	go func() {
		defer reader.Done()
		for event := range producer.Events() {
			message, is := event.(*kafka.Message)
			if is && message.TopicPartition.Error != nil {
				failed++
				golines.Failed(string(message.Value), message.TopicPartition.Error)
			} else if is {
				golines.Emit("acked", golines.Record{Key: string(message.Key), Value: string(message.Value),
					Partition: message.TopicPartition.Partition, Offset: int64(message.TopicPartition.Offset)})
			}
		}
	}()
	topic := flags["topic"]
	flags.Produce(func(key, value string) {
		check(producer.Produce(&kafka.Message{
			TopicPartition: kafka.TopicPartition{Topic: &topic, Partition: kafka.PartitionAny},
			Key:            []byte(key), Value: []byte(value)}, nil))
	})
	left := producer.Flush(60000)
	producer.Close()
	reader.Wait()
	golines.Emit("done", map[string]int{"left": left, "failed": failed})
	return min(left+failed, 1)
}

type member struct {
	topic    string
	progress *golines.Progress
}

func numbers(partitions []kafka.TopicPartition) []int32 {
	result := []int32{}
	for _, partition := range partitions {
		result = append(result, partition.Partition)
	}
	return result
}

func (m *member) rebalanced(consumer *kafka.Consumer, event kafka.Event) error {
	switch change := event.(type) {
	case kafka.AssignedPartitions:
		golines.Assigned(numbers(change.Partitions))
	case kafka.RevokedPartitions:
		if !consumer.AssignmentLost() {
			m.commit(consumer)
		}
		m.progress.Forget(numbers(change.Partitions))
		golines.Revoked(numbers(change.Partitions))
	}
	return nil
}

func (m *member) commit(consumer *kafka.Consumer) {
	positions := m.progress.Positions()
	if len(positions) == 0 {
		return
	}
	offsets := []kafka.TopicPartition{}
	for partition, offset := range positions {
		offsets = append(offsets, kafka.TopicPartition{
			Topic: &m.topic, Partition: partition, Offset: kafka.Offset(offset)})
	}
	done, err := consumer.CommitOffsets(offsets)
	for _, partition := range done {
		if err == nil {
			err = partition.Error
		}
	}
	m.progress.Committed(positions, err)
}

func configuration(flags golines.Flags) *kafka.ConfigMap {
	config := kafka.ConfigMap{
		"bootstrap.servers": flags["bootstrap"], "client.id": flags["client-id"], "group.id": flags["group"],
		"enable.auto.commit": false, "auto.offset.reset": "earliest", "topic.metadata.refresh.interval.ms": 5000,
	}
	if flags["instance-id"] != "" {
		config["group.instance.id"] = flags["instance-id"]
	}
	if flags["protocol"] == "consumer" {
		config["group.protocol"] = "consumer"
		return &config
	}
	config["session.timeout.ms"] = flags.Number("session-ms")
	config["heartbeat.interval.ms"] = 500
	if flags["protocol"] == "cooperative" {
		config["partition.assignment.strategy"] = "cooperative-sticky"
	}
	return &config
}

func consume(flags golines.Flags) {
	m := &member{flags["topic"], golines.NewProgress(flags)}
	consumer, err := kafka.NewConsumer(configuration(flags))
	check(err)
	check(consumer.Subscribe(m.topic, m.rebalanced))
	stopped := golines.Stopped()
	for running := true; running && !m.progress.Ended(); {
		switch event := consumer.Poll(100).(type) {
		case *kafka.Message:
			m.progress.Record(event.Key, event.Value, event.TopicPartition.Partition, int64(event.TopicPartition.Offset))
		case kafka.Error:
			golines.Emit("note", event.Error())
		}
		if m.progress.CommitIsDue() {
			m.commit(consumer)
		}
		select {
		case <-stopped:
			running = false
		default:
		}
	}
	m.commit(consumer)
	check(consumer.Close())
	m.progress.Done()
}

func main() {
	command, flags := golines.Parse()
	switch command {
	case "about":
		about()
	case "produce":
		os.Exit(produce(flags))
	default:
		consume(flags)
	}
}
