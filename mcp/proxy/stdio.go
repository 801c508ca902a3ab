package proxy

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/trammel-dev/trammel/internal/procgroup"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/mcp/frame"
)

// Stdio is a client on two streams and a server that is a program.
type Stdio struct {
	Session *Session
	In      io.Reader // from the client
	Out     io.Writer // to the client
	Err     io.Writer
	Args    []string // the program and its arguments
	Env     []string // the whole environment
}

// Grace is how long a server may take to end: after its input is closed, and
// after it is asked to.
const (
	graceEOF  = 2 * time.Second
	graceTerm = 3 * time.Second
)

// Run starts the server, and passes messages on until either side ends. It
// returns the server's exit code. Nothing that it started keeps running.
func (p *Stdio) Run(ctx context.Context) (int, error) {
	child, err := procgroup.Start(procgroup.Command{Args: p.Args, Env: p.Env}, 0)
	if err != nil {
		return 1, err
	}
	watch, err := procgroup.EndWithUs(child)
	if err != nil {
		child.Close()
		return 1, err
	}
	defer watch()
	defer child.Close()
	s := p.Session
	s.note("start", "", strings.Join(p.shown(), " "))

	toClient, toServer := frame.NewWriter(p.Out), frame.NewWriter(child.Stdin)
	link := Link{ToServer: toServer.Write, ToClient: toClient.Write}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var judging sync.WaitGroup
	clientGone := make(chan struct{})
	go func() {
		defer close(clientGone)
		p.read(ctx, p.In, link, &judging, s.Client, s.RefuseClient)
	}()
	stderr := &lastLine{to: p.Err}
	var outputs sync.WaitGroup
	outputs.Go(func() { io.Copy(stderr, child.Stderr) })
	outputs.Go(func() { p.read(ctx, child.Stdout, link, &judging, s.Server, p.noise) })

	closed := false
	select {
	case <-clientGone:
		closed = true
		end(child)
	case <-ctx.Done():
		closed = true
		end(child)
	case <-child.Ended():
	}
	<-child.Ended()
	drained := make(chan struct{})
	go func() { outputs.Wait(); close(drained) }()
	select {
	case <-drained:
	case <-time.After(time.Second): // something that left the group holds them open
	}
	code, signal := child.Exit()
	why := exitText(code, signal, stderr.last())
	if !closed {
		p.finish(&judging)
		s.EndServer("The server has ended: "+why, toClient.Write)
	}
	stop()
	s.Close()
	s.note("exit", "", why)
	if code < 0 {
		code = 1
	}
	return code, nil
}

// finish waits for results that are still being judged: they arrived before the
// server ended.
func (p *Stdio) finish(judging *sync.WaitGroup) {
	done := make(chan struct{})
	go func() { judging.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(graceEOF):
	}
}

// maxIdle is how many goroutines stay to judge later messages.
const maxIdle = 8

// read takes messages from one side until it ends. Slow parts run concurrently
// with the next messages (MCP-14): in the goroutine that read the message,
// while another one reads on. That way a call does not wait for a thread to
// wake up. A goroutine that has finished stays for a later message: its
// stack has grown by then.
func (p *Stdio) read(ctx context.Context, from io.Reader, l Link, judging *sync.WaitGroup,
	take func(context.Context, []byte, Link) func(), refuse func(error, Link)) {
	lines := frame.NewReader(from, p.Session.MaxMessage)
	ended, wake, idle := make(chan struct{}), make(chan struct{}), make(chan struct{}, maxIdle)
	// next reads up to a message that has to be judged; nil if there is none.
	next := func() func() {
		for {
			raw, err := lines.Next()
			var large *frame.TooLarge
			switch {
			case errors.As(err, &large):
				refuse(err, l)
				continue
			case err != nil:
				close(ended)
				return nil
			}
			if rest := take(ctx, raw, l); rest != nil {
				judging.Add(1)
				return rest
			}
		}
	}
	var serve func()
	serve = func() {
		for {
			rest := next()
			if rest == nil {
				return
			}
			select {
			case wake <- struct{}{}:
			default:
				go serve()
			}
			rest()
			judging.Done()
			select {
			case idle <- struct{}{}:
			default:
				return
			}
			select {
			case <-wake:
				<-idle
			case <-ended:
				return
			}
		}
	}
	serve()
	<-ended
}

// noise is a line of the server that is not a message.
func (p *Stdio) noise(err error, l Link) { p.Session.RefuseServer(err, l) }

// end stops the server as MCP specifies: close its input, then ask it to stop,
// then kill it.
func end(child *procgroup.Process) {
	child.Stdin.Close()
	for _, step := range []struct {
		wait time.Duration
		then func()
	}{{graceEOF, child.Terminate}, {graceTerm, child.Kill}} {
		select {
		case <-child.Ended():
			return
		case <-time.After(step.wait):
			step.then()
		}
	}
}

// shown is the command line without secrets.
func (p *Stdio) shown() []string {
	if p.Session.Pins != nil {
		return p.Session.Pins.Server.Command
	}
	return p.Args[:1]
}

func exitText(code int, signal, line string) string {
	out := fmt.Sprintf("exit code %d", code)
	if signal != "" {
		out = "ended by " + signal
	}
	if line != "" {
		safe, _ := secret.Redact(line)
		out += "; its last line on stderr: " + safe
	}
	return out
}

// lastLine passes on what a server says on stderr and keeps its last line.
type lastLine struct {
	to   io.Writer
	mu   sync.Mutex
	tail []byte
}

func (w *lastLine) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	const most = 4 << 10
	w.tail = append(w.tail, b[len(b)-min(len(b), most):]...)
	w.tail = w.tail[len(w.tail)-min(len(w.tail), most):]
	w.to.Write(b)
	return len(b), nil
}

func (w *lastLine) last() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(w.tail), []byte("\n"))
	return string(bytes.TrimSpace(lines[len(lines)-1]))
}

// Environment is the server's environment: ours without Trammel's variables,
// and only a few variables in minimal mode.
func Environment(mode string) []string {
	var out []string
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		switch {
		case strings.HasPrefix(strings.ToUpper(name), "TRAMMEL_"):
		case mode == "minimal" && !strings.Contains(" PATH HOME USER LOGNAME SHELL TERM LANG TMPDIR TEMP TMP SYSTEMROOT USERPROFILE APPDATA "+
			"LOCALAPPDATA PATHEXT COMSPEC ", " "+strings.ToUpper(name)+" "):
		default:
			out = append(out, v)
		}
	}
	return out
}
