// sarama; the command line and the lines are described in ../lines.py.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"client/golines"

	"github.com/IBM/sarama"
)

var codecs = map[string]sarama.CompressionCodec{
	"none": sarama.CompressionNone, "gzip": sarama.CompressionGZIP, "snappy": sarama.CompressionSnappy,
	"lz4": sarama.CompressionLZ4, "zstd": sarama.CompressionZSTD,
}

func about() {
	version := "?"
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == "github.com/IBM/sarama" {
			version = dependency.Version
		}
	}
	golines.EmitAll(map[string]any{
		"client": "sarama", "version": version, "codecs": []string{"none", "gzip", "snappy", "lz4", "zstd"},
		"protocols": []string{"classic", "cooperative"}, "idempotence": true,
	})
}

func common(flags golines.Flags) *sarama.Config {
	config := sarama.NewConfig()
	config.ClientID = flags["client-id"]
	config.Version = sarama.MaxVersion
	config.Metadata.RefreshFrequency = 5 * time.Second
	config.Metadata.Retry.Max = 100
	config.Metadata.Retry.Backoff = 100 * time.Millisecond
	return config
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func produce(flags golines.Flags) int {
	config := common(flags)
	config.Net.MaxOpenRequests = 1
	config.Producer.Idempotent = flags["idempotent"] == "1"
	config.Producer.RequiredAcks = map[string]sarama.RequiredAcks{
		"0": sarama.NoResponse, "1": sarama.WaitForLocal, "all": sarama.WaitForAll}[flags["acks"]]
	config.Producer.Compression = codecs[flags["codec"]]
	config.Producer.Retry.Max = 300
	config.Producer.Retry.Backoff = 100 * time.Millisecond
	config.Producer.Flush.Frequency = 5 * time.Millisecond
	config.Producer.Return.Successes = true
	producer, err := sarama.NewAsyncProducer(strings.Split(flags["bootstrap"], ","), config)
	check(err)
	failed := 0
	var readers sync.WaitGroup
	readers.Add(2)
	go func() {
		defer readers.Done()
		for done := range producer.Successes() {
			key, _ := done.Key.Encode()
			value, _ := done.Value.Encode()
			golines.Emit("acked", golines.Record{
				Key: string(key), Value: string(value), Partition: done.Partition, Offset: done.Offset})
		}
	}()
	go func() {
		defer readers.Done()
		for failure := range producer.Errors() {
			value, _ := failure.Msg.Value.Encode()
			failed++
			golines.Failed(string(value), failure.Err)
		}
	}()
	flags.Produce(func(key, value string) {
		producer.Input() <- &sarama.ProducerMessage{
			Topic: flags["topic"], Key: sarama.StringEncoder(key), Value: sarama.StringEncoder(value)}
	})
	producer.AsyncClose()
	readers.Wait()
	golines.Emit("done", map[string]int{"failed": failed})
	return min(failed, 1)
}

// member handles claims: each in its own goroutine, so one at a time holds `working`.
type member struct {
	flags    golines.Flags
	topic    string
	progress *golines.Progress
	admin    sarama.ClusterAdmin
	working  sync.Mutex
}

func (m *member) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (m *member) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (m *member) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	mine := []int32{claim.Partition()}
	golines.Assigned(mine)
	defer func() {
		m.working.Lock()
		defer m.working.Unlock()
		m.commit(session)
		m.progress.Forget(mine)
		golines.Revoked(mine)
	}()
	for {
		select {
		case message, open := <-claim.Messages():
			if !open {
				return nil
			}
			m.process(session, message)
		case <-session.Context().Done():
			return nil
		}
	}
}

func (m *member) process(session sarama.ConsumerGroupSession, message *sarama.ConsumerMessage) {
	m.working.Lock()
	defer m.working.Unlock()
	if session.Context().Err() != nil || m.progress.Ended() {
		return
	}
	m.progress.Record(message.Key, message.Value, message.Partition, message.Offset)
	session.MarkMessage(message, "")
	if m.progress.CommitIsDue() {
		m.commit(session)
	}
}

// Commit gives no error: what is committed is what the coordinator says afterwards.
func (m *member) commit(session sarama.ConsumerGroupSession) {
	positions := m.progress.Positions()
	if len(positions) == 0 {
		return
	}
	session.Commit()
	partitions := []int32{}
	for partition := range positions {
		partitions = append(partitions, partition)
	}
	answer, err := m.admin.ListConsumerGroupOffsets(m.flags["group"], map[string][]int32{m.topic: partitions})
	for partition, offset := range positions {
		if err != nil {
			break
		}
		if block := answer.GetBlock(m.topic, partition); block == nil || block.Offset != offset {
			err = fmt.Errorf("partition %d is not committed at %d: %v", partition, offset, block)
		}
	}
	m.progress.Committed(positions, err)
}

func consume(flags golines.Flags) {
	config := common(flags)
	config.Consumer.Offsets.AutoCommit.Enable = false
	config.Consumer.Offsets.Initial = sarama.OffsetOldest
	config.Consumer.Group.Session.Timeout = time.Duration(flags.Number("session-ms")) * time.Millisecond
	config.Consumer.Group.Heartbeat.Interval = 500 * time.Millisecond
	config.Consumer.Group.InstanceId = flags["instance-id"]
	config.Consumer.Group.Rebalance.GroupStrategies = []sarama.BalanceStrategy{sarama.NewBalanceStrategyRange()}
	if flags["protocol"] == "cooperative" {
		config.Consumer.Group.Rebalance.GroupStrategies = []sarama.BalanceStrategy{
			sarama.NewBalanceStrategyCooperativeSticky()}
	}
	brokers := strings.Split(flags["bootstrap"], ",")
	admin, err := sarama.NewClusterAdmin(brokers, config)
	check(err)
	group, err := sarama.NewConsumerGroup(brokers, flags["group"], config)
	check(err)
	m := &member{flags: flags, topic: flags["topic"], progress: golines.NewProgress(flags), admin: admin}
	running, cancel := context.WithCancel(context.Background())
	stopped := golines.Stopped()
	go func() {
		for ; running.Err() == nil; time.Sleep(20 * time.Millisecond) {
			select {
			case <-stopped:
				cancel()
			default:
				if m.progress.Ended() {
					cancel()
				}
			}
		}
	}()
	for running.Err() == nil {
		if err := group.Consume(running, []string{m.topic}, m); err != nil {
			golines.Emit("note", err.Error())
			time.Sleep(100 * time.Millisecond)
		}
	}
	check(group.Close())
	admin.Close()
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
