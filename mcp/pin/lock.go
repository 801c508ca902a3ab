package pin

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/internal/strict"
)

// Lock is what servers offer, as a file that can be kept with a project: for
// each server, kind and name to a pin. A build server uses it to detect changes
// (MCP-53).
type Lock struct {
	Version string                       `json:"version"`
	Servers map[string]map[string]string `json:"servers"`
}

// ReadLock reads a lock. Nil data is an empty lock.
func ReadLock(data []byte) (*Lock, error) {
	if data == nil {
		return &Lock{Version: Version, Servers: map[string]map[string]string{}}, nil
	}
	l := &Lock{}
	if _, err := strict.Object(data, strict.Limits{}); err != nil { // a key that comes twice
		return nil, unusable(err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(l); err != nil {
		return nil, unusable(err)
	}
	if l.Version != Version || l.Servers == nil {
		return nil, unusable(fmt.Errorf("the file has version %q, but this program needs %q", l.Version, Version))
	}
	return l, nil
}

// Offered is what a server offers, by kind.
type Offered map[Kind][]map[string]any

// Pins are the pins of what is offered, by slot. One is empty if it says nothing:
// there are several objects of the name, or the object has no canonical form.
func (o Offered) Pins(server string) map[string]string {
	out := map[string]string{}
	for kind, objects := range o {
		for _, object := range objects {
			at, digest := slot(kind, Name(kind, object)), Of(server, kind, object)
			if other, twice := out[at]; twice && other != digest {
				digest = ""
			}
			out[at] = digest
		}
	}
	return out
}

// Locked are the pins of a server that were accepted, of the program that was
// seen last.
func (s Store) Locked(ctx context.Context, name string) (map[string]string, error) {
	if err := s.Known(ctx, name); err != nil {
		return nil, err
	}
	d, err := s.Get(ctx, name)
	if err != nil || len(d.Servers) == 0 {
		return nil, err
	}
	out := map[string]string{}
	for at, p := range d.Servers[len(d.Servers)-1].Pins {
		out[at] = p.Digest
	}
	return out, nil
}

// Compare lists how pins differ from what was locked, a line each.
func Compare(locked, now map[string]string) []string {
	var out []string
	for _, at := range slices.Sorted(maps.Keys(now)) {
		switch was, there := locked[at]; {
		case !there:
			out = append(out, "new: "+at)
		case was != now[at] || was == "":
			out = append(out, "changed: "+at)
		}
	}
	for _, at := range slices.Sorted(maps.Keys(locked)) {
		if _, there := now[at]; !there {
			out = append(out, "gone: "+at)
		}
	}
	return out
}

// Lines is an object as lines of JSON in which every character is visible.
func Lines(object map[string]any) []string {
	if object == nil {
		return nil
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(object); err != nil {
		return []string{err.Error()}
	}
	return strings.Split(Visible(strings.TrimSpace(b.String())), "\n")
}
