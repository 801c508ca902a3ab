package pin

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"time"
)

// Options say how strict a watch is.
type Options struct {
	Mode Mode // "" is FirstUse
	// Partial is the pin that the policy mcp-guard has for a tool, "" if it has none.
	// It counts for objects without a pin of their own.
	Partial func(server, tool string) string
	// Hosts maps the agents' own tools to the agents.
	Hosts map[string]string
}

// State compares an object with its pin.
type State string

// The states. A first object is one of a server that is seen for the first
// time, and is pinned from now on. A partial one has only a pin of mcp-guard.
const (
	First    State = "first"
	Pinned   State = "pinned"
	IsPart   State = "partial"
	New      State = "new"
	Changed  State = "changed"
	Hidden   State = "hidden" // it has invisible characters
	Unlisted State = "unlisted"
)

// Verdict is what is to be done with one object.
type Verdict struct {
	Name     string `json:"name"`
	State    State  `json:"state"`
	Withheld bool   `json:"withheld,omitempty"` // not offered, and not callable
	Reason   string `json:"reason,omitempty"`   // why it is withheld, for people
	Digest   string `json:"digest,omitempty"`
	Pin      string `json:"pin,omitempty"` // what it was pinned as, if that is something else
	Facts    []Fact `json:"facts,omitempty"`
}

// Watch follows one server for one session. It is safe for concurrent use.
type Watch struct {
	Store
	Server  Server
	Program func() string // the digest of the server's file; nil if it has none
	Options

	mu     sync.Mutex
	listed map[string]map[string]any // by slot, as last listed
	others map[string]string         // tools of other servers, with their owners
	judged map[string]Verdict        // verdicts of calls since the last list, with these pins
	pins   []byte
	lists  int // how many lists there were
}

// Listed judges one page of a list. last says that no page follows. The
// verdicts are in the order of the objects.
func (w *Watch) Listed(ctx context.Context, kind Kind, objects []map[string]any, last bool) ([]Verdict, error) {
	w.remember(ctx, kind, objects)
	server := w.server() // before the lock: it may take a while
	out := make([]Verdict, len(objects))
	err := w.Update(ctx, w.Server.Name, func(d *Document) error {
		k, at := d.of(server), w.now()
		if k == nil {
			k = d.meet(server, at)
		}
		open := len(d.Servers) == 1 && k.opens(kind, at) // another server under a known name is not a first use
		for i, object := range objects {
			out[i] = w.judge(d, k, kind, object, open)
			w.storeVerdict(k, kind, &out[i], at)
		}
		if last {
			k.close(kind)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, v := range out {
		if err := w.storeText(ctx, v.Digest, objects[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// server is the server with its program.
func (w *Watch) server() Server {
	s := w.Server
	if w.Program != nil {
		s.Program = w.Program()
	}
	return s
}

// judge compares an object with its pin. open says that this is the server's
// first list.
func (w *Watch) judge(d *Document, k *Known, kind Kind, object map[string]any, open bool) Verdict {
	v := Verdict{Name: Name(kind, object), Digest: Of(w.Server.Name, kind, object), Facts: Scan(object)}
	if kind == Tool {
		w.mu.Lock()
		theirs := w.others
		w.mu.Unlock()
		v.Facts = append(v.Facts, others(v.Name, object, theirs)...)
		v.Facts = append(v.Facts, hosts(v.Name, object, w.Hosts, func(tool string) bool { return w.last(Tool, tool) != nil })...)
	}
	at := slot(kind, v.Name)
	pinned := k.Pins[at]
	if pinned == nil { // the same object of the same name counts, if only the program is another
		pinned = d.elsewhere(at, v.Digest, w.Mode)
	}
	partial := w.partial(kind, v.Name)
	switch {
	case v.Digest == "":
		v.State, v.Reason = Changed, "it has no canonical form"
	case pinned != nil && pinned.Digest == v.Digest:
		v.State = Pinned
	case pinned != nil:
		v.State, v.Pin = Changed, pinned.Digest
		v.Reason = "it is not what was accepted on " + pinned.Since.Format(time.DateOnly)
	case partial != "" && partial != Partial(object):
		v.State, v.Pin, v.Reason = Changed, partial, "its description or schema is not the one that mcp-guard has pinned"
	case hides(v.Facts):
		v.State, v.Reason = Hidden, "it has invisible characters"
	case partial != "":
		v.State = IsPart
	case open && w.Mode != Strict:
		v.State = First
	default:
		v.State, v.Reason = New, "it has not been accepted yet"
	}
	v.Withheld = v.Reason != "" && w.Mode != Observe
	if v.Reason != "" {
		v.Reason = fmt.Sprintf("The %s %q of the server %q is held back: %s. A person can look at it with `trammel mcp pins diff %s`, "+
			"and accept it with `trammel mcp pins approve %s`.", kind, v.Name, w.Server.Name, v.Reason, w.Server.Name, w.Server.Name)
	}
	return v
}

// elsewhere is a pin of the same object under another identity of the name.
// In strict mode only pins of this very server count, so there is none.
func (d *Document) elsewhere(at, digest string, mode Mode) *Pin {
	if mode == Strict {
		return nil
	}
	for _, k := range d.Servers {
		if p := k.Pins[at]; p != nil && p.Digest == digest {
			return p
		}
	}
	return nil
}

// storeVerdict stores a verdict in the document.
func (w *Watch) storeVerdict(k *Known, kind Kind, v *Verdict, at time.Time) {
	name := slot(kind, v.Name)
	switch {
	case v.Digest == "" || v.State == IsPart:
	case v.State == First:
		k.Pins[name] = &Pin{Digest: v.Digest, Since: at, By: "first use", Facts: v.Facts}
	case v.State == Pinned:
		if k.Pins[name] == nil {
			k.Pins[name] = &Pin{Digest: v.Digest, Since: at, By: "the same under another program", Facts: v.Facts}
		}
		delete(k.Held, name)
	case k.Held[name] == nil || k.Held[name].Digest != v.Digest:
		k.Held[name] = &Pin{Digest: v.Digest, Since: at, Facts: v.Facts}
	}
}

// last is an object as it was last listed.
func (w *Watch) last(kind Kind, name string) map[string]any {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.listed[slot(kind, name)]
}

func (w *Watch) remember(ctx context.Context, kind Kind, objects []map[string]any) {
	theirs, _ := w.Tools(ctx, w.Server.Name) // without them fewer facts are noted
	w.mu.Lock()
	defer w.mu.Unlock()
	w.others, w.judged = theirs, nil
	w.lists++
	if w.listed == nil {
		w.listed = map[string]map[string]any{}
	}
	for _, object := range objects {
		w.listed[slot(kind, Name(kind, object))] = object
	}
}

// Called judges a listed object again: a person may have accepted it since, or
// someone may have damaged the pins. An object that was never listed is
// withheld, unless the mode withholds nothing. The pins are read each time, and
// decoded only if their bytes have changed.
func (w *Watch) Called(ctx context.Context, kind Kind, name string) (Verdict, error) {
	data, err := w.read(ctx, w.Server.Name)
	if err != nil {
		return Verdict{}, err
	}
	key := slot(kind, name) + "\n" + w.partial(kind, name)
	w.mu.Lock()
	lists := w.lists
	v, known := w.judged[key]
	known = known && bytes.Equal(data, w.pins)
	w.mu.Unlock()
	if known {
		return v, nil
	}
	if v, err = w.called(data, kind, name); err != nil {
		return v, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case lists != w.lists || v.State == Unlisted: // it is about what was listed before, or a name that a client made up
	case w.judged != nil && bytes.Equal(data, w.pins):
		w.judged[key] = v
	default:
		w.pins, w.judged = data, map[string]Verdict{key: v}
	}
	return v, nil
}

func (w *Watch) called(data []byte, kind Kind, name string) (Verdict, error) {
	d, err := decode(data)
	if err != nil {
		return Verdict{}, err
	}
	object, k := w.last(kind, name), d.of(w.server())
	if object == nil || k == nil {
		return Verdict{Name: name, State: Unlisted, Withheld: w.Mode != Observe,
			Reason: fmt.Sprintf("The server %q does not list a %s %q.", w.Server.Name, kind, name)}, nil
	}
	return w.judge(d, k, kind, object, false), nil
}

// partial is the pin of mcp-guard for a tool, "" if there is none.
func (w *Watch) partial(kind Kind, name string) string {
	if w.Partial == nil || kind != Tool {
		return ""
	}
	return w.Partial(w.Server.Name, name)
}
