package pin

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/internal/strict"
)

const forever = 200 * 365 * 24 * time.Hour

// Pins never expire: a forgotten server would be accepted again. The texts are
// stored only to be shown.
var (
	pins  = &trammel.Bucket{Name: "mcp/pins", Keep: forever}
	texts = &trammel.Bucket{Name: "mcp/texts", Keep: forever, Most: 10_000, Lossy: true}
	index = trammel.Key{"servers"}
)

// Store is where the pins of a user are kept.
type Store struct {
	State trammel.State
	Now   func() time.Time // nil means time.Now
}

func (s Store) now() time.Time {
	if s.Now != nil {
		return s.Now().UTC()
	}
	return time.Now().UTC().Truncate(time.Second)
}

// Document is everything that is known under one name.
type Document struct {
	Version string   `json:"version"`
	Servers []*Known `json:"servers"` // by identity; the one that was met last is the last
}

// Known is one server.
type Known struct {
	Server Server    `json:"server"`
	Since  time.Time `json:"since"`
	// Opened says when a kind was listed for the first time. Closed are the
	// kinds that were listed to the end: from then on, new objects are held
	// back.
	Opened map[Kind]time.Time `json:"opened"`
	Closed []Kind             `json:"closed,omitempty"`
	Pins   map[string]*Pin    `json:"pins,omitempty"` // by kind and name, as in tool/echo
	Held   map[string]*Pin    `json:"held,omitempty"` // what waits for a person
}

// Pin is one object.
type Pin struct {
	Digest string    `json:"digest"`
	Since  time.Time `json:"since"`
	By     string    `json:"by,omitempty"` // who accepted it: first use, or a person
	Facts  []Fact    `json:"facts,omitempty"`
}

// firstWindow is how long the pages of a first list may take to arrive.
const firstWindow = 10 * time.Minute

// opens says whether what is listed now is still part of the first list.
func (k *Known) opens(kind Kind, at time.Time) bool {
	if _, before := k.Opened[kind]; !before {
		k.Opened[kind] = at
	}
	return !slices.Contains(k.Closed, kind) && at.Sub(k.Opened[kind]).Abs() <= firstWindow
}

func (k *Known) close(kind Kind) {
	if !slices.Contains(k.Closed, kind) {
		k.Closed = append(k.Closed, kind)
	}
}

func slot(kind Kind, name string) string { return string(kind) + "/" + name }

// of finds a server by its identity.
func (d *Document) of(s Server) *Known {
	id := s.ID()
	for _, k := range d.Servers {
		if k.Server.ID() == id {
			return k
		}
	}
	return nil
}

// maxServers is how many identities are kept of one name.
const maxServers = 16

// meet adds a server, and forgets the oldest if there are too many.
func (d *Document) meet(s Server, at time.Time) *Known {
	k := (&Known{Server: s, Since: at}).whole()
	d.Servers = append(d.Servers, k)
	if len(d.Servers) > maxServers {
		d.Servers = slices.Delete(d.Servers, 0, 1)
	}
	return k
}

// whole makes the missing maps.
func (k *Known) whole() *Known {
	for _, m := range []*map[string]*Pin{&k.Pins, &k.Held} {
		if *m == nil {
			*m = map[string]*Pin{}
		}
	}
	if k.Opened == nil {
		k.Opened = map[Kind]time.Time{}
	}
	return k
}

func decode(data []byte) (*Document, error) {
	if data == nil {
		return &Document{Version: Version}, nil
	}
	d := &Document{}
	if _, err := strict.Object(data, strict.Limits{}); err != nil {
		return nil, unusable(err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(d); err != nil {
		return nil, unusable(err)
	}
	if d.Version != Version {
		return nil, unusable(fmt.Errorf("they have version %q, but this program needs %q; review and reset them", d.Version, Version))
	}
	for _, k := range d.Servers {
		if k == nil {
			return nil, unusable(fmt.Errorf("a server has no entry"))
		}
		k.whole()
		for _, p := range append(slices.Collect(maps.Values(k.Pins)), slices.Collect(maps.Values(k.Held))...) {
			if p == nil {
				return nil, unusable(fmt.Errorf("an entry of %s has no pin", k.Server.Name))
			}
		}
	}
	return d, nil
}

// Get is what is known under a name; a document without servers if nothing is.
func (s Store) Get(ctx context.Context, name string) (*Document, error) {
	data, err := s.read(ctx, name)
	if err != nil {
		return nil, err
	}
	return decode(data)
}

func (s Store) read(ctx context.Context, name string) ([]byte, error) {
	data, err := state.Store{State: s.State, Bucket: pins}.Get(ctx, trammel.Key{"server", name})
	if err != nil {
		return nil, unusable(err)
	}
	return data, nil
}

// Update changes what is known under a name.
func (s Store) Update(ctx context.Context, name string, change func(*Document) error) error {
	keys := []trammel.Key{{"server", name}, index}
	return s.State.Update(ctx, pins, keys, func(values [][]byte) error {
		d, err := decode(values[0])
		if err != nil {
			return err
		}
		if err := change(d); err != nil {
			return err
		}
		if values[0], err = json.Marshal(d); err != nil {
			return err
		}
		return enter(values, name)
	})
}

// enter adds the name to the list of names.
func enter(values [][]byte, name string) error {
	names, err := namesIn(values[1])
	if err != nil || slices.Contains(names, name) {
		return err
	}
	names = append(names, name)
	slices.Sort(names)
	values[1], err = json.Marshal(names)
	return err
}

func namesIn(data []byte) (names []string, err error) {
	if data == nil {
		return nil, nil
	}
	if err := json.Unmarshal(data, &names); err != nil {
		return nil, unusable(err)
	}
	return names, nil
}

// Names are the servers that are known.
func (s Store) Names(ctx context.Context) ([]string, error) {
	data, err := state.Store{State: s.State, Bucket: pins}.Get(ctx, index)
	if err != nil {
		return nil, unusable(err)
	}
	return namesIn(data)
}

// Known is an error if a server is not known.
func (s Store) Known(ctx context.Context, name string) error {
	names, err := s.Names(ctx)
	if err == nil && !slices.Contains(names, name) {
		err = fmt.Errorf("no server %q is known; trammel mcp pins list shows those that are", name)
	}
	return err
}

// Reset forgets a server, even if its pins are not readable JSON.
func (s Store) Reset(ctx context.Context, name string) error {
	return s.State.Update(ctx, pins, []trammel.Key{{"server", name}, index}, func(values [][]byte) error {
		names, err := namesIn(values[1])
		if err != nil {
			return err
		}
		values[0] = nil
		values[1], err = json.Marshal(slices.DeleteFunc(names, func(n string) bool { return n == name }))
		return err
	})
}

// storeText stores the text of a pinned object.
func (s Store) storeText(ctx context.Context, digest string, object map[string]any) error {
	data, err := canonical.Append(nil, object)
	if err != nil {
		return err
	}
	return state.Store{State: s.State, Bucket: texts}.Update(ctx, trammel.Key{digest}, func(old []byte) ([]byte, error) {
		if old != nil {
			return nil, nil
		}
		return data, nil
	})
}

// Text is the object of a pin; nil if it was not stored, or does not match the
// pin.
func (s Store) Text(ctx context.Context, server string, kind Kind, digest string) map[string]any {
	data, err := state.Store{State: s.State, Bucket: texts}.Get(ctx, trammel.Key{digest})
	if err != nil || data == nil {
		return nil
	}
	object, err := strict.Object(data, strict.Limits{})
	if err != nil || Of(server, kind, object) != digest {
		return nil
	}
	return object
}
