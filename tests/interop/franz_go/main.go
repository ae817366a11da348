// franz-go; the command line and the lines are described in ../lines.py.
package main

import (
	"context"
	"os"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"client/golines"

	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

var codecs = map[string]kgo.CompressionCodec{
	"none": kgo.NoCompression(), "gzip": kgo.GzipCompression(), "snappy": kgo.SnappyCompression(),
	"lz4": kgo.Lz4Compression(), "zstd": kgo.ZstdCompression(),
}

func version(module string) string {
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == module {
			return dependency.Version
		}
	}
	return "?"
}

func about() {
	golines.EmitAll(map[string]any{
		"client": "franz-go", "version": version("github.com/twmb/franz-go"),
		"codecs":    []string{"none", "gzip", "snappy", "lz4", "zstd"},
		"protocols": []string{"classic", "cooperative", "consumer"}, "idempotence": true,
	})
}

func common(flags golines.Flags) []kgo.Opt {
	return []kgo.Opt{
		kgo.SeedBrokers(strings.Split(flags["bootstrap"], ",")...), kgo.ClientID(flags["client-id"]),
		kgo.MetadataMaxAge(5 * time.Second), kgo.MetadataMinAge(100 * time.Millisecond),
	}
}

func produce(flags golines.Flags) int {
	options := append(common(flags), kgo.ProducerBatchCompression(codecs[flags["codec"]]),
		kgo.RecordDeliveryTimeout(time.Minute), kgo.ProducerLinger(5*time.Millisecond))
	if flags["idempotent"] != "1" {
		options = append(options, kgo.DisableIdempotentWrite(), kgo.MaxProduceRequestsInflightPerBroker(1))
	}
	switch flags["acks"] {
	case "0":
		options = append(options, kgo.RequiredAcks(kgo.NoAck()))
	case "1":
		options = append(options, kgo.RequiredAcks(kgo.LeaderAck()))
	}
	client, err := kgo.NewClient(options...)
	if err != nil {
		panic(err)
	}
	var failed atomic.Int32
	flags.Produce(func(key, value string) {
		record := &kgo.Record{Topic: flags["topic"], Key: []byte(key), Value: []byte(value)}
		client.Produce(context.Background(), record, func(done *kgo.Record, err error) {
			if err != nil {
				failed.Add(1)
				golines.Failed(value, err)
				return
			}
			golines.Emit("acked", golines.Record{Key: key, Value: value, Partition: done.Partition, Offset: done.Offset})
		})
	})
	client.Flush(context.Background())
	client.Close()
	golines.Emit("done", map[string]int{"failed": int(failed.Load())})
	return int(min(failed.Load(), 1))
}

type member struct {
	topic    string
	progress *golines.Progress
}

func (m *member) commit(client *kgo.Client) {
	positions := m.progress.Positions()
	if len(positions) == 0 {
		return
	}
	offsets := map[int32]kgo.EpochOffset{}
	for partition, offset := range positions {
		offsets[partition] = kgo.EpochOffset{Epoch: -1, Offset: offset}
	}
	var failure error
	context, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	client.CommitOffsetsSync(context, map[string]map[int32]kgo.EpochOffset{m.topic: offsets},
		func(_ *kgo.Client, _ *kmsg.OffsetCommitRequest, answer *kmsg.OffsetCommitResponse, err error) {
			failure = err
			for i := 0; failure == nil && i < len(answer.Topics); i++ {
				for _, partition := range answer.Topics[i].Partitions {
					if failure == nil {
						failure = kerr.ErrorForCode(partition.ErrorCode)
					}
				}
			}
		})
	m.progress.Committed(positions, failure)
}

func (m *member) options(flags golines.Flags) []kgo.Opt {
	options := append(common(flags), kgo.ConsumerGroup(flags["group"]), kgo.ConsumeTopics(m.topic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()), kgo.DisableAutoCommit(), kgo.BlockRebalanceOnPoll(),
		kgo.FetchMaxWait(500*time.Millisecond),
		kgo.OnPartitionsAssigned(func(_ context.Context, _ *kgo.Client, partitions map[string][]int32) {
			golines.Assigned(partitions[m.topic])
		}),
		kgo.OnPartitionsRevoked(func(_ context.Context, client *kgo.Client, partitions map[string][]int32) {
			m.commit(client)
			m.progress.Forget(partitions[m.topic])
			golines.Revoked(partitions[m.topic])
		}),
		kgo.OnPartitionsLost(func(_ context.Context, _ *kgo.Client, partitions map[string][]int32) {
			m.progress.Forget(partitions[m.topic])
			golines.Revoked(partitions[m.topic])
		}))
	if flags["instance-id"] != "" {
		options = append(options, kgo.InstanceID(flags["instance-id"]))
	}
	switch flags["protocol"] {
	case "consumer":
		return append(options, kgo.ServerSideBalancer(), kgo.Balancers(kgo.RangeBalancer()))
	case "cooperative":
		options = append(options, kgo.Balancers(kgo.CooperativeStickyBalancer()))
	default:
		options = append(options, kgo.Balancers(kgo.RangeBalancer()))
	}
	return append(options, kgo.SessionTimeout(time.Duration(flags.Number("session-ms"))*time.Millisecond),
		kgo.HeartbeatInterval(500*time.Millisecond))
}

func consume(flags golines.Flags) {
	m := &member{flags["topic"], golines.NewProgress(flags)}
	client, err := kgo.NewClient(m.options(flags)...)
	if err != nil {
		panic(err)
	}
	stopped := golines.Stopped()
	for running := true; running && !m.progress.Ended(); {
		waiting, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
		fetches := client.PollRecords(waiting, 20)
		cancel()
		fetches.EachRecord(func(record *kgo.Record) {
			m.progress.Record(record.Key, record.Value, record.Partition, record.Offset)
		})
		if m.progress.CommitIsDue() {
			m.commit(client)
		}
		client.AllowRebalance()
		select {
		case <-stopped:
			running = false
		default:
		}
	}
	m.commit(client)
	client.CloseAllowingRebalance()
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
