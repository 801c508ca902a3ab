// Command mcp measures what `trammel mcp proxy` adds to a call of an MCP tool:
// the same calls to the same server, directly and through proxies, in turn, so
// that whatever else the machine does meets all of them alike (MCP-80). Calls
// come in a row, which the limits are about, and then one after the other each
// way, which finds processors and threads asleep.
//
//	go run ./test/bench/mcp [-calls 2000] [-rounds 5] [-- COMMAND ARGS…]
//
// The server is a program of our own that answers at once, unless a command is
// given; it has to have the tool "echo", which takes a message.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/test/programs"
)

// ways are how the server is reached: directly, or through a proxy with this
// configuration.
var ways = []struct {
	name, config string
	call         string
	limit        time.Duration // of what is added at p50
}{
	{name: "directly", call: call},
	{name: "directly, a ping", call: ping},
	{name: "passed through: a ping, which nobody judges", config: "version: 1\n", call: ping, limit: 150 * time.Microsecond},
	{name: "judged by no rule, on record", config: "version: 1\n", call: call},
	{name: "judged by the preset standard, on record", config: "version: 1\npreset: standard\n", call: call,
		limit: 500 * time.Microsecond},
}

const (
	ping  = `{"jsonrpc":"2.0","id":%d,"method":"ping"}`
	call  = `{"jsonrpc":"2.0","id":%[1]d,"method":"tools/call","params":{"name":"echo","arguments":{"message":"hello %[1]d"}}}`
	hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
		`"clientInfo":{"name":"bench","version":"1"}}}`
	ready = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	list  = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
)

func main() {
	calls := flag.Int("calls", 2000, "calls in a round, each way")
	rounds := flag.Int("rounds", 5, "rounds")
	flag.Parse()
	if os.Getenv("ACT_AS") == "server" {
		work, _ := time.ParseDuration(os.Getenv("WORK"))
		serve(os.Stdin, os.Stdout, work)
		return
	}
	if err := run(*calls, *rounds, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(calls, rounds int, server []string) error {
	dir, err := os.MkdirTemp("", "trammel-bench-mcp")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	trammel := filepath.Join(dir, "trammel")
	if out, err := exec.Command("go", "build", programs.Follow, "-o", trammel, "./cmd/trammel").CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	if len(server) == 0 {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		server = []string{self}
	}
	clients := make([]*client, len(ways))
	for i, w := range ways {
		home := filepath.Join(dir, fmt.Sprint(i))
		args := server
		if w.config != "" {
			args = append([]string{trammel, "mcp", "proxy", "--name", "bench", "--"}, server...)
		}
		if clients[i], err = start(home, w.config, args); err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		defer clients[i].end()
	}
	if err := starts(dir, trammel, server); err != nil {
		return err
	}
	fmt.Println("one call each way, in turn:")
	_ = measure(clients, 1, calls, rounds)
	fmt.Println("\nall calls of a round in a row:")
	failed := []error{measure(clients, calls, 1, rounds)}
	fmt.Printf("\n%d calls at once:\n", atOnce)
	failed = append(failed, together(clients, calls, rounds))
	fmt.Println("\na result of 10 MiB, and memory:")
	return errors.Join(append(failed, large(clients), idle(clients))...)
}

// measure makes calls in a row, each way, some times in each round, and reports.
func measure(clients []*client, calls, times, rounds int) error {
	took := make([][]time.Duration, len(ways))
	medians := make([][]time.Duration, len(ways))
	id := 10
	for range rounds {
		for i := range took {
			took[i] = took[i][:0]
		}
		for range times {
			for i, c := range clients {
				for range calls {
					id++
					began := time.Now()
					if err := c.ask(fmt.Sprintf(ways[i].call, id)); err != nil {
						return fmt.Errorf("%s: %w", ways[i].name, err)
					}
					took[i] = append(took[i], time.Since(began))
				}
			}
		}
		for i := range took {
			slices.Sort(took[i])
			medians[i] = append(medians[i], took[i][len(took[i])/2])
		}
	}
	return report(medians, took)
}

// starts measures from the start of a server to its first answer, directly and
// through the proxy, in turn.
func starts(dir, trammel string, server []string) error {
	var took [2][]time.Duration
	for n := range 20 {
		for i, args := range [][]string{server, append([]string{trammel, "mcp", "proxy", "--name", "start", "--"}, server...)} {
			began := time.Now()
			c, err := connect(filepath.Join(dir, "start"), ways[len(ways)-1].config, args)
			if err != nil {
				return err
			}
			if n > 0 { // the first compiles the plan
				took[i] = append(took[i], time.Since(began))
			}
			c.end()
		}
	}
	for i := range took {
		slices.Sort(took[i])
	}
	direct, proxied := took[0][len(took[0])/2], took[1][len(took[1])/2]
	fmt.Printf("from the start to the first answer: directly %.1f ms, through the proxy %.1f ms; adds %.1f ms\n", ms(direct), ms(proxied),
		ms(proxied-direct))
	return nil
}

// report prints, for each way, the median of the rounds' medians, what it adds to
// the direct way, and the last round's p99.
func report(medians, last [][]time.Duration) error {
	var failed []string
	p50 := make([]time.Duration, len(ways))
	for i := range medians {
		slices.Sort(medians[i])
		p50[i] = medians[i][len(medians[i])/2]
	}
	for i, w := range ways {
		p99 := last[i][len(last[i])*99/100]
		if w.config == "" {
			fmt.Printf("%-46s p50 %7.3f ms, p99 %7.3f ms\n", w.name, ms(p50[i]), ms(p99))
			continue
		}
		direct := p50[0]
		if w.call == ping {
			direct = p50[1]
		}
		added := p50[i] - direct
		fmt.Printf("%-46s p50 %7.3f ms, p99 %7.3f ms; adds %.3f ms at p50, %.1f times the direct call\n", w.name, ms(p50[i]), ms(p99), ms(added),
			float64(p50[i])/float64(direct))
		if w.limit > 0 && added > w.limit {
			failed = append(failed, fmt.Sprintf("%s: adds %.3f ms, at most %.3f", w.name, ms(added), ms(w.limit)))
		}
	}
	if failed != nil {
		return fmt.Errorf("too slow:\n%s", strings.Join(failed, "\n"))
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

// client is a client of a server on two streams.
type client struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// start is a client that knows the tools.
func start(home, config string, args []string) (*client, error) {
	c, err := connect(home, config, args)
	if err != nil {
		return nil, err
	}
	if _, err := io.WriteString(c.in, ready+"\n"); err != nil {
		return nil, err
	}
	return c, c.ask(list)
}

// connect starts a server and says hello to it.
func connect(home, config string, args []string) (*client, error) {
	file := filepath.Join(home, ".config", "trammel", "trammel.yaml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		return nil, err
	}
	c := &client{cmd: exec.Command(args[0], args[1:]...)}
	c.cmd.Dir, c.cmd.Stderr = home, os.Stderr
	c.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "ACT_AS=server", "WORK=" + os.Getenv("WORK")}
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 1<<20)
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	return c, c.ask(hello)
}

// ask sends a request and waits for its response.
func (c *client) ask(line string) error {
	if _, err := io.WriteString(c.in, line+"\n"); err != nil {
		return err
	}
	return c.answer()
}

// answer waits for a response. What else the server says is passed over.
func (c *client) answer() error {
	for {
		answer, err := c.out.ReadString('\n')
		switch {
		case err != nil:
			return err
		case strings.Contains(answer, `"isError":true`), strings.Contains(answer, `"error":`):
			return fmt.Errorf("answered: %.300s", answer)
		case strings.Contains(answer, `"result":`):
			return nil
		}
	}
}

func (c *client) end() {
	c.in.Close()
	c.cmd.Wait()
}

// serve is a server that answers at once, or works on each call for a time.
func serve(r io.Reader, w io.Writer, work time.Duration) {
	in := bufio.NewReaderSize(r, 1<<20)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		_, rest, ok := strings.Cut(line, `"id":`)
		if !ok {
			continue
		}
		id, _, _ := strings.Cut(rest, ",")
		result := `{}`
		switch {
		case strings.Contains(line, `"initialize"`):
			result = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"bench","version":"1"}}`
		case strings.Contains(line, `"tools/list"`):
			result = `{"tools":[{"name":"echo","inputSchema":{"type":"object"}},{"name":"large","inputSchema":{"type":"object"}}]}`
		case strings.Contains(line, `"large"`):
			result = `{"content":[{"type":"text","text":"` + strings.Repeat("0123456789 words\\n", 10<<20/18) + `"}]}`
		case strings.Contains(line, `"tools/call"`):
			for began := time.Now(); time.Since(began) < work; {
			}
			result = `{"content":[{"type":"text","text":"Echo: hello"}]}`
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", id, result)
	}
}
