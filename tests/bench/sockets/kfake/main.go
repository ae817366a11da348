// kfake_server [SECONDS]: franz-go's in-memory cluster as a server process, to compare with.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kfake"
)

func main() {
	seconds := 600
	if len(os.Args) > 1 {
		seconds, _ = strconv.Atoi(os.Args[1])
	}
	cluster, err := kfake.NewCluster(kfake.NumBrokers(3), kfake.DefaultNumPartitions(1), kfake.AllowAutoTopicCreation())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Printf("{\"kafka\":\"%s\"}\n", strings.Join(cluster.ListenAddrs(), ","))
	time.Sleep(time.Duration(seconds) * time.Second)
	cluster.Close()
}
