// segmentio/kafka-go; the command line and the lines are described in ../lines.py.
//
// Its group reader does not tell which partitions it holds: this uses the ConsumerGroup beneath it, with one plain
// reader a partition, as its documentation shows.
package main

import (
	"context"
	"errors"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"client/golines"

	"github.com/segmentio/kafka-go"
)

var codecs = map[string]kafka.Compression{
	"gzip": kafka.Gzip, "snappy": kafka.Snappy, "lz4": kafka.Lz4, "zstd": kafka.Zstd,
}

func about() {
	version := "?"
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == "github.com/segmentio/kafka-go" {
			version = dependency.Version
		}
	}
	golines.EmitAll(map[string]any{
		"client": "kafka-go", "version": version, "codecs": []string{"none", "gzip", "snappy", "lz4", "zstd"},
		"protocols": []string{"classic"}, "idempotence": false,
	})
}

func produce(flags golines.Flags) int {
	var failed atomic.Int32
	writer := &kafka.Writer{
		Addr: kafka.TCP(strings.Split(flags["bootstrap"], ",")...), Topic: flags["topic"], Balancer: &kafka.Hash{},
		MaxAttempts: 300, WriteBackoffMin: 50 * time.Millisecond, WriteBackoffMax: 200 * time.Millisecond,
		BatchTimeout: 5 * time.Millisecond, Async: true, Compression: codecs[flags["codec"]],
		RequiredAcks: map[string]kafka.RequiredAcks{
			"0": kafka.RequireNone, "1": kafka.RequireOne, "all": kafka.RequireAll}[flags["acks"]],
		Transport: &kafka.Transport{ClientID: flags["client-id"], MetadataTTL: time.Second},
		Completion: func(messages []kafka.Message, err error) {
			for _, m := range messages {
				if err != nil {
					failed.Add(1)
					golines.Failed(string(m.Value), err)
					continue
				}
				golines.Emit("acked", golines.Record{
					Key: string(m.Key), Value: string(m.Value), Partition: int32(m.Partition), Offset: m.Offset})
			}
		},
	}
	flags.Produce(func(key, value string) {
		if err := writer.WriteMessages(context.Background(),
			kafka.Message{Key: []byte(key), Value: []byte(value)}); err != nil {
			failed.Add(1)
			golines.Failed(value, err)
		}
	})
	if err := writer.Close(); err != nil {
		failed.Add(1)
	}
	golines.Emit("done", map[string]int{"failed": int(failed.Load())})
	return int(min(failed.Load(), 1))
}

type member struct {
	flags    golines.Flags
	topic    string
	brokers  []string
	progress *golines.Progress
	working  sync.Mutex
}

// generation serves one generation of the group until it ends.
func (m *member) generation(generation *kafka.Generation) {
	for _, assignment := range generation.Assignments[m.topic] {
		generation.Start(func(until context.Context) { m.partition(until, generation, assignment) })
	}
}

func (m *member) partition(until context.Context, generation *kafka.Generation, a kafka.PartitionAssignment) {
	mine := []int32{int32(a.ID)}
	golines.Assigned(mine)
	defer func() {
		m.working.Lock()
		defer m.working.Unlock()
		m.commit(generation)
		m.progress.Forget(mine)
		golines.Revoked(mine)
	}()
	reader := kafka.NewReader(kafka.ReaderConfig{
		Brokers: m.brokers, Topic: m.topic, Partition: a.ID, MaxWait: 500 * time.Millisecond,
		ReadBackoffMin: 50 * time.Millisecond, ReadBackoffMax: 200 * time.Millisecond,
	})
	defer reader.Close()
	reader.SetOffset(a.Offset)
	for {
		message, err := reader.ReadMessage(until)
		if errors.Is(err, context.Canceled) || errors.Is(err, kafka.ErrGenerationEnded) || until.Err() != nil {
			return
		} else if err != nil {
			golines.Emit("note", err.Error())
			continue
		}
		m.process(generation, message)
	}
}

func (m *member) process(generation *kafka.Generation, message kafka.Message) {
	m.working.Lock()
	defer m.working.Unlock()
	if m.progress.Ended() {
		return
	}
	m.progress.Record(message.Key, message.Value, int32(message.Partition), message.Offset)
	if m.progress.CommitIsDue() {
		m.commit(generation)
	}
}

func (m *member) commit(generation *kafka.Generation) {
	positions := m.progress.Positions()
	if len(positions) == 0 {
		return
	}
	offsets := map[int]int64{}
	for partition, offset := range positions {
		offsets[int(partition)] = offset
	}
	m.progress.Committed(positions, generation.CommitOffsets(map[string]map[int]int64{m.topic: offsets}))
}

func consume(flags golines.Flags) {
	m := &member{flags: flags, topic: flags["topic"], brokers: strings.Split(flags["bootstrap"], ","),
		progress: golines.NewProgress(flags)}
	group, err := kafka.NewConsumerGroup(kafka.ConsumerGroupConfig{
		ID: flags["group"], Brokers: m.brokers, Topics: []string{m.topic}, StartOffset: kafka.FirstOffset,
		GroupBalancers:    []kafka.GroupBalancer{kafka.RangeGroupBalancer{}},
		HeartbeatInterval: 500 * time.Millisecond, JoinGroupBackoff: 200 * time.Millisecond,
		SessionTimeout: time.Duration(flags.Number("session-ms")) * time.Millisecond,
	})
	if err != nil {
		panic(err)
	}
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
		generation, err := group.Next(running)
		if err == nil {
			m.generation(generation)
		} else if running.Err() == nil {
			golines.Emit("note", err.Error())
		}
	}
	group.Close()
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
