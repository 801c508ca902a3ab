package state

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
)

// Calls are calls of MCP tools that hooks inside an agent have let pass, until
// the proxy in front of the tool's server has seen them, too. Each is taken
// once. What is lost is judged as a call of its own.
type Calls struct{ State trammel.State }

var (
	calls   = trammel.Bucket{Name: "mcp-calls", Keep: time.Hour, Most: 1000, Lossy: true}
	proxies = trammel.Bucket{Name: "mcp-proxies", Keep: Retention, Most: 1000, Lossy: true}
)

const (
	// sameCall is how long the same tool with the same arguments is the same
	// call where the client does not say which it is.
	sameCall = 10 * time.Second
	maxCalls = 32 // that are equal and wait
)

// Expect has hooks leave the calls of a server: a proxy stands in front of it.
func (c Calls) Expect(ctx context.Context, server string) error {
	return Cache{Store{State: c.State, Bucket: &proxies}}.Put(ctx, plain(server), nil)
}

// Leave leaves a call that may go on now, as it will, if a proxy expects it.
func (c Calls) Leave(ctx context.Context, ev *trammel.Event, a *trammel.Action, seen trammel.Seen) error {
	if _, _, ok := (Cache{Store{State: c.State, Bucket: &proxies}}).Get(ctx, plain(a.Server), Retention); !ok || ev.Rehearsal {
		return nil
	}
	key, err := callKey(a.Server, a.Tool, ev.Tool.Input)
	if err != nil {
		return err
	}
	s := &ev.Session
	entry := map[string]any{"at": ev.Now().UnixMilli(), "call": ev.Tool.ID, "record": seen.Record, "hooks": seen.Hooks, "asked": seen.Asked,
		"session": s.ID, "project": s.Project, "agent": s.Agent, "agent_id": s.AgentID, "parents": s.Parents, "model": s.Model,
		"mode": s.Mode, "user": s.User, "account": s.Account, "org": s.Org, "turn": s.Turn, "bypass": s.Bypass}
	return c.State.Update(ctx, &calls, []trammel.Key{key}, func(values [][]byte) error {
		list := append(waiting(values[0]), entry)
		values[0], err = canonical.Append(nil, map[string]any{"calls": list[max(0, len(list)-maxCalls):]})
		return err
	})
}

// Take finds what was left of a call that the proxy has got, and makes the event
// one of the agent's session. id is what the client calls it, "" if it does not
// say.
func (c Calls) Take(ctx context.Context, ev *trammel.Event, server, tool, id string) {
	key, err := callKey(server, tool, ev.Tool.Input)
	if err != nil {
		return
	}
	store := Store{State: c.State, Bucket: &calls}
	if value, err := store.Get(ctx, key); value == nil || err != nil {
		return
	}
	var found map[string]any
	err = c.State.Update(ctx, &calls, []trammel.Key{key}, func(values [][]byte) error {
		list := waiting(values[0])
		i := slices.IndexFunc(list, func(e any) bool { return isCall(e, id, ev.Now()) })
		if i < 0 {
			return nil
		}
		found = list[i].(map[string]any)
		list = slices.Delete(list, i, i+1)
		values[0] = nil
		if len(list) > 0 {
			values[0], err = canonical.Append(nil, map[string]any{"calls": list})
		}
		return err
	})
	if err == nil && found != nil {
		join(ev, strict.FieldsOf(found, ""), id != "")
	}
}

func isCall(entry any, id string, now time.Time) bool {
	e := entry.(map[string]any)
	if call, _ := e["call"].(string); id != "" && call != "" {
		return id == call
	}
	at, _ := e["at"].(int64)
	return now.Sub(time.UnixMilli(at)) < sameCall
}

// join makes an event one of the session in which hooks have seen the call. A
// user's consent counts only for a call that the client has named.
func join(ev *trammel.Event, f *strict.Fields, named bool) {
	s := &ev.Session
	ev.Seen = &trammel.Seen{Record: f.String("record"), Hooks: f.Strings("hooks"), Asked: f.Bool("asked") && named}
	s.ID, s.Project, s.Agent, s.AgentID = f.String("session"), f.String("project"), f.String("agent"), f.String("agent_id")
	s.Model, s.Mode, s.User, s.Org, s.Turn = f.String("model"), f.String("mode"), f.String("user"), f.String("org"), f.String("turn")
	s.Bypass, s.Parents, s.Account = f.Bool("bypass"), f.Strings("parents"), f.String("account")
	if id := f.String("call"); id != "" {
		tool := *ev.Tool
		tool.ID = id
		ev.Tool = &tool
	}
}

func waiting(value []byte) []any {
	obj, err := strict.Object(value, strict.Limits{})
	if value == nil || err != nil {
		return nil
	}
	list, _ := obj["calls"].([]any)
	return slices.DeleteFunc(list, func(e any) bool { _, ok := e.(map[string]any); return !ok })
}

// callKey names a call as both sides know it. Agents write some letters of a
// server's name in another way.
func callKey(server, tool string, input map[string]any) (trammel.Key, error) {
	if input == nil {
		input = map[string]any{}
	}
	args, err := canonical.Append(nil, input)
	return trammel.Key{plain(server + "__" + tool), string(args)}, err
}

func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '_'
	}, name)
}
