package proxy

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/trammel-dev/trammel"
)

// The test's own program stands in for servers and for the proxy.
func TestMain(m *testing.M) {
	switch os.Getenv("ACT_AS") {
	case "server":
		serve()
		os.Exit(0)
	case "stubborn":
		stay()
	case "proxy":
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		code, err := (&Stdio{Session: &Session{ID: "s", Name: "srv", Judge: &bench{judge: holding}}, In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
			Args: []string{os.Args[0]}, Env: append(Environment(""), "ACT_AS=server")}).Run(ctx)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// holding is a judge that never comes to an end about the tool "held".
func holding(ctx context.Context, ev *trammel.Event) *trammel.Verdict {
	if ev.Tool != nil && strings.HasSuffix(ev.Tool.Name, "__held") {
		reached()
		<-ctx.Done()
	}
	return &trammel.Verdict{}
}

// reached says that a step is reached that a test waits for.
func reached() {
	if err := os.WriteFile(os.Getenv("REACHED"), nil, 0o600); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
}

// serve is a server that does what the names of methods say.
func serve() {
	in := bufio.NewReader(os.Stdin)
	if os.Getenv("STUBBORN") != "" { // stays although its input has ended, and although it is told to go
		writePID()
		var child *exec.Cmd
		for range 2 {
			child = exec.Command(os.Args[0])
			child.Env = append(os.Environ(), "ACT_AS=stubborn")
			child.Start()
		}
		defer child.Wait()
	}
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		id := ""
		if _, rest, ok := bytes.Cut(line, []byte(`"id":`)); ok {
			id, _, _ = strings.Cut(string(rest), ",")
		}
		switch {
		case bytes.Contains(line, []byte(`"die"`)):
			fmt.Fprintln(os.Stderr, "one line\nthe last words")
			os.Exit(7)
		case bytes.Contains(line, []byte(`"name":"unanswered"`)):
			reached()
		case bytes.Contains(line, []byte(`"name":"torn"`)):
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"con`, id)
			reached()
		case bytes.Contains(line, []byte(`"large"`)):
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"a":"%s"}}`+"\n", id, strings.Repeat("x", 2<<20))
		case bytes.Contains(line, []byte(`"noise"`)):
			fmt.Printf("listening on port 80\n\n{\n"+`{"jsonrpc":"2.0","id":%s,"result":{}}`+"\n", id)
		case bytes.Contains(line, []byte(`"env"`)):
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"env":%q}}`+"\n", id, os.Getenv("TRAMMEL_X")+os.Getenv("OTHER_X"))
		case id != "":
			fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`+"\n", id)
		}
	}
}

// talk is a client of a proxy, which runs inside of the test.
type talk struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Scanner
	code chan int
}

func newTalk(t *testing.T, b *bench, env ...string) *talk {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &talk{t, inW, bufio.NewScanner(outR), make(chan int, 1)}
	c.out.Buffer(nil, 4<<20)
	p := &Stdio{Session: b.Session, In: inR, Out: outW, Err: io.Discard, Args: []string{os.Args[0]},
		Env: append(append(Environment(""), "ACT_AS=server"), env...)}
	go func() {
		code, err := p.Run(t.Context())
		if err != nil {
			t.Error(err)
		}
		outW.Close()
		c.code <- code
	}()
	return c
}

func (c *talk) say(line string) { io.WriteString(c.in, line+"\n") }

func (c *talk) hear() string {
	c.t.Helper()
	if !c.out.Scan() {
		c.t.Fatal("the proxy has ended")
	}
	return c.out.Text()
}

func (c *talk) want(line string) {
	c.t.Helper()
	if got := c.hear(); got != line {
		c.t.Errorf("got %.300s, want %.300s", got, line)
	}
}

// end ends the client and returns the exit code of the proxy.
func (c *talk) end() int {
	c.in.Close()
	return <-c.code
}

// MCP-10, MCP-12, MCP-15, MCP-60: a session over stdio, with noise and with a
// message that is too large.
func TestStdio(t *testing.T) {
	t.Setenv("TRAMMEL_X", "ours")
	t.Setenv("OTHER_X", "theirs")
	b := newBench(t)
	b.MaxMessage = 1 << 20
	c := newTalk(t, b)
	c.say(`{"jsonrpc":"2.0","id":1,"method":"noise"}`)
	c.want(`{"jsonrpc":"2.0","id":1,"result":{}}`)
	c.say(`{"jsonrpc":"2.0","id":2,"method":"large"}`)
	c.want(`{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"Trammel has not passed the server's response on: the message has more ` +
		`than 1048576 bytes"}}`)
	c.say(`{"jsonrpc":"2.0","id":3,"method":"x","params":{"a":"` + strings.Repeat("x", 2<<20) + `"}}`)
	c.want(`{"jsonrpc":"2.0","id":3,"error":{"code":-32600,"message":"Trammel has not passed this message on: the message has more than ` +
		`1048576 bytes"}}`)
	c.say(`{"jsonrpc":"2.0","id":4,"method":"env"}`)
	c.want(`{"jsonrpc":"2.0","id":4,"result":{"env":"theirs"}}`)
	if code := c.end(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// MCP-59: when the server dies, open requests get an error with its exit code
// and its last words, and the proxy exits with the same code.
func TestServerDies(t *testing.T) {
	b := newBench(t)
	c := newTalk(t, b)
	c.say(`{"jsonrpc":"2.0","id":"a","method":"die"}`)
	c.want(`{"jsonrpc":"2.0","id":"a","error":{"code":-32000,"message":"The server has ended: exit code 7; ` +
		`its last line on stderr: the last words"}}`)
	if code := <-c.code; code != 7 {
		t.Errorf("exit code %d", code)
	}
}

// MCP-14: on streams, too, a call that is held does not hold those behind it, and a
// result that is being judged does not hold those of other calls.
func TestHeldOnStreams(t *testing.T) {
	for name, kind := range map[string]trammel.Kind{"the call": trammel.PreToolUse, "its result": trammel.PostToolUse} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			held := make(chan struct{})
			b.judge = func(ctx context.Context, ev *trammel.Event) *trammel.Verdict {
				if ev.Kind == kind && strings.HasSuffix(ev.Tool.Name, "__held") {
					select {
					case <-held:
					case <-ctx.Done():
					}
				}
				return nil
			}
			c := newTalk(t, b)
			for i, tool := range []string{"held", "x", "y"} {
				c.say(`{"jsonrpc":"2.0","id":` + strconv.Itoa(i) + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":{}}}`)
				if i > 0 {
					c.want(`{"jsonrpc":"2.0","id":` + strconv.Itoa(i) + `,"result":{"content":[]}}`)
				}
			}
			close(held)
			c.want(`{"jsonrpc":"2.0","id":0,"result":{"content":[]}}`)
			c.end()
		})
	}
}

// MCP-97: many calls leave nothing behind. MCP-14: they are judged beside each other.
func TestManyCalls(t *testing.T) {
	b := newBench(t)
	b.judge = func(_ context.Context, ev *trammel.Event) *trammel.Verdict {
		b.mu.Lock()
		b.events = nil
		b.mu.Unlock()
		return nil
	}
	c := newTalk(t, b)
	round := func(n int) uint64 {
		for i := range n {
			c.say(`{"jsonrpc":"2.0","id":` + strconv.Itoa(i) + `,"method":"tools/call","params":{"name":"x","arguments":{"a":"b"}}}`)
			c.want(`{"jsonrpc":"2.0","id":` + strconv.Itoa(i) + `,"result":{"content":[]}}`)
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, after := round(1000), round(10_000)
	if after > before+512<<10 {
		t.Errorf("%d bytes in use after 1,000 calls, %d after 10,000 more", before, after)
	}
	if n := len(b.Session.client) + len(b.Session.server) + len(b.memory().tasks); n > 0 {
		t.Errorf("%d things are remembered", n)
	}
	c.end()
}
