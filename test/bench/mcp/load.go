package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"
)

// atOnce is how many calls of a client wait for their results (MCP-80).
const atOnce = 32

// together makes calls, so many at once, each way in turn. The server has to need
// some time for a call, as real ones do: a direct call takes 0.5 ms then.
func together(clients []*client, calls, rounds int) error {
	rates := make([][]float64, len(ways))
	id := 1 << 20
	before := make([]time.Duration, len(ways))
	for i, c := range clients {
		before[i] = processor(c.cmd.Process.Pid)
	}
	for range rounds {
		for i, c := range clients {
			if ways[i].call == ping {
				continue
			}
			began := time.Now()
			if err := c.load(ways[i].call, id, calls); err != nil {
				return fmt.Errorf("%s: %w", ways[i].name, err)
			}
			id += calls
			rates[i] = append(rates[i], float64(calls)/time.Since(began).Seconds())
		}
	}
	var failed error
	for i, w := range ways {
		if rates[i] == nil {
			continue
		}
		slices.Sort(rates[i])
		rate, direct := rates[i][rounds/2], rates[0][rounds/2]
		used := processor(clients[i].cmd.Process.Pid) - before[i]
		fmt.Printf("%-46s %6.0f a second, %.2f of direct; %.3f ms of processor time for a call\n", w.name, rate, rate/direct,
			ms(used)/float64(rounds*calls))
		if rate < 0.8*direct && os.Getenv("WORK") != "" {
			failed = fmt.Errorf("%s: %.2f of the direct rate, at least 0.80", w.name, rate/direct)
		}
	}
	return failed
}

// load makes calls so that there are always some that wait.

func (c *client) load(call string, id, calls int) error {
	for n := range calls + atOnce {
		if n >= atOnce {
			if err := c.answer(); err != nil {
				return err
			}
		}
		if n < calls {
			if _, err := fmt.Fprintf(c.in, call+"\n", id+n); err != nil {
				return err
			}
		}
	}
	return nil
}

// large has the server answer with 10 MiB.
func large(clients []*client) error {
	const most = 120 * time.Millisecond
	var direct time.Duration
	var failed error
	for i, c := range clients {
		if ways[i].call == ping {
			continue
		}
		before := memory(c.cmd.Process.Pid, "VmRSS")
		var best time.Duration
		for n := range 5 {
			began := time.Now()
			if err := c.ask(strings.Replace(fmt.Sprintf(call, 1<<30+n), "echo", "large", 1)); err != nil {
				return err
			}
			if took := time.Since(began); best == 0 || took < best {
				best = took
			}
		}
		if ways[i].config == "" {
			direct = best
			fmt.Printf("%-46s %.0f ms\n", ways[i].name, ms(best))
			continue
		}
		peak := memory(c.cmd.Process.Pid, "VmHWM") - before
		fmt.Printf("%-46s %.0f ms; adds %.0f ms, and %d KiB at most\n", ways[i].name, ms(best), ms(best-direct), peak)
		if best-direct > most || peak > 4*10<<10 {
			failed = fmt.Errorf("%s: a result of 10 MiB takes more than %v or 40 MiB", ways[i].name, most)
		}
	}
	return failed
}

// idle looks at the memory of proxies that have nothing to do.
func idle(clients []*client) error {
	const most = 30 << 10
	var failed error
	for i, c := range clients {
		if ways[i].config == "" {
			continue
		}
		used := memory(c.cmd.Process.Pid, "VmRSS")
		for end := time.Now().Add(time.Minute); used > most && time.Now().Before(end); used = memory(c.cmd.Process.Pid, "VmRSS") {
			time.Sleep(100 * time.Millisecond)
		}
		fmt.Printf("%-46s %d KiB resident when idle, %d of them its own\n", ways[i].name, used, memory(c.cmd.Process.Pid, "RssAnon"))
		if used > most {
			failed = fmt.Errorf("%s: %d KiB resident when idle, at most %d", ways[i].name, used, most)
		}
	}
	return failed
}

// memory is how much of a process's memory is of a kind, in KiB: 0 where the
// system does not say.
func memory(pid int, kind string) int {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, rest, _ := strings.Cut(string(text), "\n"+kind+":")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	n, _ := strconv.Atoi(fields[0])
	return n
}

// processor is how much processor time a process has used, in hundredths of a
// second: 0 where the system does not say.
func processor(pid int) time.Duration {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	if len(fields) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}
