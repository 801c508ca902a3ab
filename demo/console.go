package demo

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/approvals"
	"github.com/trammel-dev/trammel/dialects"
	"github.com/trammel-dev/trammel/pipeline/full"
	"github.com/trammel-dev/trammel/store"
)

// consolePolicy is what the made-up agents were guarded by.
const consolePolicy = `version: 1
preset: careful
hooks:
  - id: payments
    on: PreToolUse
    match: { tool: mcp__bank__pay }
    approve: { when: input.amount >= 50000, reason: Payments of 50000 and more need a person., mode: park, expires: 8h }

  - id: releases
    on: PreToolUse
    match: { program: release.sh }
    approve: { reason: "This publishes a release: ${command}", mode: park, expires: 8h }

` + dryDeploys + `
  - id: no-npm
    on: PreToolUse
    match: { program: npm }
    deny: Use pnpm.
    trial: true
`

// happened is what an agent did in a session, so long ago.
type happened struct {
	host, session, project string
	ago                    time.Duration
	calls                  []step
	// answers are what people said to the calls that wait, in their order; those
	// that are left over still wait.
	answers []string
}

func bash(command string) step { return step{tool: "Bash", input: map[string]any{"command": command}} }

func pay(to string, amount int64) step {
	return step{tool: "mcp__bank__pay", input: map[string]any{"to": to, "amount": amount}}
}

var history = []happened{
	{"claude-code", "refund-batch", "shop", 26 * time.Hour, []step{bash("git status"), bash("npm test"), pay("Acme Ltd", 120),
		pay("Globex", 82000),
		bash("git commit -am 'Refunds for October'")}, []string{"approve"}},
	{"codex", "billing-release", "billing", 5 * time.Hour, []step{bash("go test ./..."), bash("git push --force origin main"),
		bash("./deploy.sh billing"), bash("./release.sh 2.0")}, []string{"not before the freeze is over"}},
	{"gemini-cli", "cleanup", "shop", 50 * time.Minute, []step{bash("ls -la"), bash("rm -rf /"), bash("cat .env"), bash("npm run build")},
		nil},
	{"claude-code", "month-end", "shop", 3 * time.Minute, []step{bash("grep -rn invoice src"), pay("Initech", 64000),
		bash("./release.sh 2.1-rc1")},
		nil},
}

// Console writes some made-up history into a temporary directory, and serves the
// console over it until it is interrupted.
func (d *Demo) Console(listen string) error {
	dir, err := os.MkdirTemp("", "trammel-demo-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	dirs := trammel.Dirs{User: filepath.Join(dir, "config"), State: filepath.Join(dir, "state"), Cache: filepath.Join(dir, "state", "cache")}
	for _, name := range []string{dirs.User, dirs.State, filepath.Join(dir, "shop"), filepath.Join(dir, "billing")} {
		if err := os.Mkdir(name, 0o700); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(dirs.User, "trammel.yaml"), []byte(consolePolicy), 0o600); err != nil {
		return err
	}
	key, err := d.authority(dirs.State)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	for i := range history {
		if err := relive(ctx, dirs, dir, &history[i], key); err != nil {
			return err
		}
	}
	d.say("%sA server with sample data.%s The authority secret, to log in and to decide, is %q.\nStop it with Ctrl+C; nothing "+
		"is saved.\n\n",
		d.Bold, d.Off, secret)
	cmd := exec.CommandContext(ctx, d.Trammel, "--user-config", dirs.User, "--state", dirs.State, "serve", "--listen", listen)
	cmd.Dir, cmd.Stdout, cmd.Stderr = filepath.Join(dir, "shop"), d.Out, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	if err := cmd.Run(); err != nil && ctx.Err() == nil {
		return fmt.Errorf("the server: %w", err)
	}
	return nil
}

// relive has the calls of a session judged, as if they were made then, and
// people answer what waits.
func relive(ctx context.Context, dirs trammel.Dirs, dir string, h *happened, key approvals.PrivateKey) error {
	p := full.New(dirs)
	host, ok := p.Dialects.Host(h.host)
	if !ok {
		return fmt.Errorf("there is no host %s", h.host)
	}
	at := time.Now().Add(-h.ago)
	event := func(kind trammel.Kind, s *step) (*trammel.Verdict, error) {
		at = at.Add(4 * time.Second)
		ev := &trammel.Event{Kind: kind, Host: h.host, Time: at, Tools: dialects.ShapesOf(host),
			Session: trammel.Session{ID: h.session, Dir: filepath.Join(dir, h.project)}}
		if s != nil {
			ev.Tool = &trammel.ToolCall{ID: fmt.Sprintf("call_%d", at.Unix()), Name: s.tool, Input: s.input}
		}
		return p.Dispatch(ctx, ev)
	}
	if _, err := event(trammel.SessionStart, nil); err != nil {
		return err
	}
	answers := h.answers
	for i := range h.calls {
		if _, err := event(trammel.PreToolUse, &h.calls[i]); err != nil {
			return err
		}
		waits, err := answered(ctx, p, h.session, answers, key)
		if err != nil {
			return err
		}
		if waits && len(answers) > 0 { // the agent comes again, and learns what people have said
			answers = answers[1:]
			if _, err := event(trammel.PreToolUse, &h.calls[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// answered reports whether something of the session waits, and gives the first
// answer there is to it.
func answered(ctx context.Context, p *full.Program, session string, answers []string, key approvals.PrivateKey) (bool, error) {
	at, err := p.OwnDesk()
	if err != nil {
		return false, err
	}
	s, err := at.Service(ctx)
	if err != nil {
		return false, err
	}
	list, err := s.Store.Approvals(ctx, store.Query{States: []store.State{store.Pending}, Session: session})
	if err != nil || len(list) == 0 || len(answers) == 0 {
		return len(list) > 0, err
	}
	a, v := list[0], approvals.Decision{Approve: answers[0] == "approve", Identity: "authority:" + key.KeyID(), Channel: "demo", Signer: key}
	v.Approval, v.Nonce, v.Digest = a.ID, a.Nonce, approvals.Shown(a)
	if !v.Approve {
		v.Comment = answers[0]
	}
	_, err = s.Decide(ctx, v)
	return true, err
}
