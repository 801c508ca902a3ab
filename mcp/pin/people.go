package pin

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Waiting is an object that is held back, as it is shown to a person.
type Waiting struct {
	ID     string         `json:"id"` // of the server
	Slot   string         `json:"slot"`
	Digest string         `json:"digest"`
	Pin    string         `json:"pin,omitempty"` // what was accepted before, if anything was
	Facts  []Fact         `json:"facts,omitempty"`
	Was    map[string]any `json:"was,omitempty"`
	Is     map[string]any `json:"is,omitempty"` // nil: its text is not there to be shown
}

// Waiting lists what is held back of a server.
func (s Store) Waiting(ctx context.Context, name string) ([]Waiting, error) {
	d, err := s.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	var out []Waiting
	for _, k := range d.Servers {
		for _, at := range slices.Sorted(maps.Keys(k.Held)) {
			held := k.Held[at]
			kind, _, _ := strings.Cut(at, "/")
			w := Waiting{ID: k.Server.ID(), Slot: at, Digest: held.Digest, Facts: held.Facts,
				Is: s.Text(ctx, name, Kind(kind), held.Digest)}
			if pinned := d.last(at); pinned != nil {
				w.Pin, w.Was = pinned.Digest, s.Text(ctx, name, Kind(kind), pinned.Digest)
			}
			out = append(out, w)
		}
	}
	return out, nil
}

// last is the newest pin of a slot.
func (d *Document) last(at string) *Pin {
	for _, k := range slices.Backward(d.Servers) {
		if p := k.Pins[at]; p != nil {
			return p
		}
	}
	return nil
}

// Approve pins exactly the digests that a person has seen, and none that came
// later.
func (s Store) Approve(ctx context.Context, name, by string, seen []Waiting) error {
	return s.Update(ctx, name, func(d *Document) error {
		for _, w := range seen {
			i := slices.IndexFunc(d.Servers, func(k *Known) bool { return k.Server.ID() == w.ID })
			if i < 0 || d.Servers[i].Held[w.Slot] == nil || d.Servers[i].Held[w.Slot].Digest != w.Digest {
				return fmt.Errorf("%s of %s has changed again: look at it once more", w.Slot, name)
			}
			k := d.Servers[i]
			p := k.Held[w.Slot]
			p.Since, p.By = s.now(), by
			k.Pins[w.Slot] = p
			delete(k.Held, w.Slot)
		}
		return nil
	})
}

// Tools maps the tools of all servers but one to their owners.
func (s Store) Tools(ctx context.Context, except string) (map[string]string, error) {
	names, err := s.Names(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, name := range names {
		if name == except {
			continue
		}
		d, err := s.Get(ctx, name)
		if err != nil {
			return nil, err
		}
		for _, k := range d.Servers {
			for at := range k.Pins {
				if tool, ok := strings.CutPrefix(at, string(Tool)+"/"); ok {
					out[tool] = "the server " + name
				}
			}
		}
	}
	return out, nil
}

// Visible makes every character of a text visible.
func Visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		if invisible(r) || r == 0x200D || r == 0xFE0F {
			fmt.Fprintf(&b, "<U+%04X>", r)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
