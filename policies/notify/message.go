package notify

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/post"
	"github.com/trammel-dev/trammel/internal/procgroup"
	"github.com/trammel-dev/trammel/internal/secret"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/internal/summary"
	"github.com/trammel-dev/trammel/internal/template"
)

// message is the notification. It contains no secrets.
type message struct {
	Title, Text          string
	event, host, session string
	agent, project, tool string
	decision             string
}

func (p *policy) compose(ev *trammel.Event) (*message, error) {
	m := &message{event: ev.Kind.String(), host: ev.Host, session: ev.Session.ID, agent: state.Agent(ev), project: ev.Session.Place()}
	if ev.Tool != nil {
		m.tool = summary.Line(ev.Tool.Name)
	}
	if ev.Outcome != nil && ev.Outcome.Decision != trammel.None {
		m.decision = ev.Outcome.Decision.String()
	}
	clean := template.Values{Clean: func(value string) string { safe, _ := secret.Redact(value); return safe }}
	title, err := p.title.Write(ev, clean)
	if err != nil {
		return nil, err
	}
	text, err := p.message.Write(ev, clean)
	if err != nil {
		return nil, err
	}
	if p.Title == "" {
		title = heading(ev)
	}
	if p.Message == "" {
		text = body(ev)
	}
	m.Title, m.Text = summary.Line(title), summary.Line(text)
	return m, nil
}

// heading and body are the texts if there is no template.
func heading(ev *trammel.Event) string {
	who := ev.Host
	who = cmp.Or(who, "agent")
	switch {
	case ev.Notice != nil && ev.Notice.Title != "":
		return who + ": " + ev.Notice.Title
	case ev.Outcome != nil && ev.Outcome.Decision == trammel.Deny:
		return who + ": a hook has denied it"
	}
	return who + ": " + ev.Kind.About()
}

func body(ev *trammel.Event) string {
	switch {
	case ev.Notice != nil && ev.Notice.Message != "":
		return ev.Notice.Message
	case ev.Tool != nil:
		text := ev.Tool.Name + " " + summary.Target(&ev.Tool.Action)
		if ev.Outcome != nil && ev.Outcome.Reason != "" {
			text += ": " + ev.Outcome.Reason
		}
		return text
	case ev.Reason != "":
		return ev.Reason
	}
	return ev.Session.Dir
}

// json encodes the message for programs. Chat services show the field text.
func (m *message) json() []byte {
	var w strict.Writer
	w.Open()
	for _, field := range [...][2]string{{"text", m.Title + "\n" + m.Text}, {"title", m.Title}, {"message", m.Text}, {"event", m.event},
		{"host", m.host}, {"session", m.session}, {"agent", m.agent}, {"project", m.project}, {"tool", m.tool}, {"decision", m.decision}} {
		w.Text(field[0], field[1])
	}
	w.Close()
	return w.Bytes()
}

// run starts a program of the user.
func (m *message) run(ctx context.Context, args []string, dir string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		dir = ""
	}
	return m.start(ctx, procgroup.Command{Args: args, Dir: dir, Stdin: append(m.json(), '\n')})
}

// start runs a program with the message in its environment.
func (m *message) start(ctx context.Context, c procgroup.Command) error {
	c.MaxOutput = 4 << 10
	c.Env = append(os.Environ(), "TRAMMEL_NOTIFY_TITLE="+m.Title, "TRAMMEL_NOTIFY_MESSAGE="+m.Text, "TRAMMEL_NOTIFY_EVENT="+m.event)
	got, err := procgroup.Run(ctx, c)
	if err == nil && got.Exit != 0 {
		err = fmt.Errorf("%s ended with %d: %.200s", c.Args[0], got.Exit, got.Stderr)
	}
	return err
}

// send posts the message. Errors do not contain the URL, which for many services
// is a secret.
func (m *message) send(ctx context.Context, url string) error {
	client := post.Client{MaxResponse: 64 << 10}
	got, err := client.Post(ctx, url, map[string][]string{"Content-Type": {"application/json"}, "User-Agent": {"trammel"}}, m.json())
	switch {
	case err != nil:
		return fmt.Errorf("the webhook was not reached: %w", nameless{err, url})
	case got.Status < 200 || got.Status > 299:
		return fmt.Errorf("the webhook answered with status %d", got.Status)
	}
	return nil
}

// nameless is an error without the URL, whose path is a secret for many services.
type nameless struct {
	err error
	url string
}

func (n nameless) Error() string {
	at, err := post.Parse(n.url)
	if err != nil {
		return "its URL cannot be used"
	}
	return strings.NewReplacer(n.url, "it", at.String(), "it").Replace(n.err.Error())
}

func (n nameless) Unwrap() error { return n.err }
