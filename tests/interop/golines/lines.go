// Package golines is what the Go client programs share: the command line and the lines that every program
// prints, described in lines.py.
package golines

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

type Flags map[string]string

func Parse() (string, Flags) {
	flags := Flags{}
	for i := 2; i+1 < len(os.Args); i += 2 {
		flags[os.Args[i][2:]] = os.Args[i+1]
	}
	return os.Args[1], flags
}

func (f Flags) Number(name string) int {
	number := 0
	fmt.Sscan(f[name], &number)
	return number
}

var output sync.Mutex

// Emit prints one line: an object with one field.
func Emit(kind string, content any) { EmitAll(map[string]any{kind: content}) }

func EmitAll(fields map[string]any) {
	line, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	output.Lock()
	defer output.Unlock()
	os.Stdout.Write(append(line, '\n'))
}

type Record struct {
	Key       string `json:"key"`
	Value     string `json:"value"`
	Partition int32  `json:"partition"`
	Offset    int64  `json:"offset"`
}

func Failed(value string, err error) {
	Emit("failed", map[string]string{"value": value, "error": err.Error()})
}

// Produce calls send for every record when it is due.
func (f Flags) Produce(send func(key, value string)) {
	begin := time.Now()
	for i := 0; i < f.Number("count"); i++ {
		if rate := f.Number("rate"); rate > 0 {
			time.Sleep(time.Until(begin.Add(time.Duration(i) * time.Second / time.Duration(rate))))
		}
		number := f.Number("start") + i
		send(fmt.Sprintf("k%d", number%8), fmt.Sprintf("%s-%d", f["client-id"], number))
	}
}

// Stopped is closed by SIGTERM.
func Stopped() <-chan struct{} {
	asked, stopped := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(asked, syscall.SIGTERM)
	go func() {
		<-asked
		close(stopped)
	}()
	return stopped
}

// Progress is what a consumer has processed and not yet committed, and when it has to end. Several goroutines
// may use it.
type Progress struct {
	mutex       sync.Mutex
	flags       Flags
	positions   map[int32]int64
	count       int
	sinceCommit int
	last        time.Time
}

func NewProgress(flags Flags) *Progress {
	return &Progress{flags: flags, positions: map[int32]int64{}, last: time.Now()}
}

func (p *Progress) Record(key, value []byte, partition int32, offset int64) {
	Emit("record", Record{string(key), string(value), partition, offset})
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.positions[partition] = offset + 1
	p.count++
	p.sinceCommit++
	p.last = time.Now()
}

func (p *Progress) CommitIsDue() bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	return p.sinceCommit >= p.flags.Number("commit-every")
}

// Positions is a copy: partition and next offset.
func (p *Progress) Positions() map[int32]int64 {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	copied := map[int32]int64{}
	for partition, offset := range p.positions {
		copied[partition] = offset
	}
	return copied
}

// Committed says how a commit of these positions ended.
func (p *Progress) Committed(positions map[int32]int64, err error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.sinceCommit = 0
	if err != nil {
		Emit("commit_failed", err.Error())
		return
	}
	done := map[string]int64{}
	for partition, offset := range positions {
		done[fmt.Sprint(partition)] = offset
		if p.positions[partition] == offset {
			delete(p.positions, partition)
		}
	}
	Emit("committed", done)
}

func (p *Progress) Forget(partitions []int32) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	for _, partition := range partitions {
		delete(p.positions, partition)
	}
}

func (p *Progress) Ended() bool {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	most, idle := p.flags.Number("max"), time.Duration(p.flags.Number("idle-ms"))*time.Millisecond
	return (most > 0 && p.count >= most) || (idle > 0 && time.Since(p.last) > idle)
}

func (p *Progress) Done() {
	Emit("done", map[string]int{"records": p.count})
}

func Assigned(partitions []int32) { Emit("assigned", notNull(partitions)) }
func Revoked(partitions []int32)  { Emit("revoked", notNull(partitions)) }

func notNull(partitions []int32) []int32 {
	if partitions == nil {
		return []int32{}
	}
	return partitions
}
