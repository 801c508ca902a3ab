package state

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"
)

// TestMain lets the test binary be its own subprocess.
func TestMain(m *testing.M) {
	dir := os.Getenv("STATE_TEST_DIR")
	n, _ := strconv.Atoi(os.Getenv("STATE_TEST_N"))
	switch os.Getenv("STATE_TEST_ROLE") {
	case "take":
		take(dir, n)
	case "count":
		count(dir)
	case "limit":
		takeUntilLimit(dir, n)
	case "journal":
		writeLines(dir)
	case "outputs":
		keepTexts(dir, n)
	case "past":
		rememberUntilKilled(dir, n)
	default:
		os.Exit(m.Run())
	}
}

// take asks n times for one of 100 places, in two counts at once, and says how
// often it got them.
func take(dir string, n int) {
	got := 0
	for range n {
		counts, err := in(dir).Take(context.Background(),
			Claim{Key: []string{"window"}, N: 1, Limit: 100, Window: time.Hour}, Claim{Key: []string{"total"}, N: 1, Limit: 120})
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		if Taken(counts) {
			got++
		}
	}
	fmt.Println(got)
}

// count counts until it is killed, and says each count that it got.
func count(dir string) {
	for {
		n, err := in(dir).Add(context.Background(), "k")
		fmt.Println(n)
		if err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
}

func role(name, dir string, n int) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "STATE_TEST_ROLE="+name, "STATE_TEST_DIR="+dir, fmt.Sprint("STATE_TEST_N=", n))
	cmd.Stderr = os.Stderr
	return cmd
}
