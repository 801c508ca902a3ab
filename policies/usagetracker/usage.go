package usagetracker

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/trammel-dev/trammel/internal/strict"
)

// usage is what ability_usage.json holds.
type usage struct {
	updated   string
	abilities map[string]*ability
}

// ability is how one tool or ability has been used. Times are in RFC 3339.
type ability struct {
	calls, failures, slow int64
	first, last           string
	// Durations are of the calls whose host told one.
	timed                  int64
	totalMS, maxMS, latest int64
}

type call struct {
	name         string
	at           time.Time
	took         time.Duration
	failed, slow bool
}

// maxAbilities limits the file. The names come from a model, which could make up
// any number of them; further ones are counted under one name.
const (
	maxAbilities = 200
	others       = "(others)"
)

func stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func (u *usage) add(c *call) {
	a := u.abilities[c.name]
	if a == nil {
		name := c.name
		if len(u.abilities) >= maxAbilities {
			name = others
		}
		if a = u.abilities[name]; a == nil {
			a = &ability{first: stamp(c.at)}
			u.abilities[name] = a
		}
	}
	a.calls++
	if c.failed {
		a.failures++
	}
	if c.slow {
		a.slow++
	}
	a.last = max(a.last, stamp(c.at))
	u.updated = max(u.updated, a.last)
	if ms := c.took.Milliseconds(); c.took > 0 {
		a.timed++
		a.totalMS += ms
		a.maxMS = max(a.maxMS, ms)
		a.latest = ms
	}
}

func (u *usage) append(dst []byte) []byte {
	var w strict.Writer
	w.Open()
	w.Number("version", 1)
	w.Text("updated_at", u.updated)
	w.Key("abilities")
	w.Open()
	for _, name := range slices.Sorted(maps.Keys(u.abilities)) {
		a := u.abilities[name]
		w.Key(name)
		w.Open()
		w.Number("calls", a.calls)
		w.Number("failures", a.failures)
		w.Number("slow", a.slow)
		w.Text("first_used", a.first)
		w.Text("last_used", a.last)
		if a.timed > 0 {
			w.Any("duration_ms", map[string]any{"calls": a.timed, "total": a.totalMS, "max": a.maxMS, "last": a.latest})
		}
		w.Close()
	}
	w.Close()
	w.Close()
	return append(append(dst, w.Bytes()...), '\n')
}

func parse(data []byte) (*usage, error) {
	u := &usage{abilities: map[string]*ability{}}
	if data == nil {
		return u, nil
	}
	f, err := strict.Read(data)
	if err != nil {
		return nil, fmt.Errorf("ability_usage.json is damaged; remove it to start again: %w", err)
	}
	if v := f.Int("version"); v != 1 {
		f.Refuse("version", "1")
	}
	u.updated = f.String("updated_at")
	for name, v := range f.Object("abilities") {
		m, ok := v.(map[string]any)
		if !ok || len(u.abilities) > maxAbilities {
			f.Refuse("abilities", fmt.Sprintf("at most %d objects", maxAbilities))
			break
		}
		in := strict.FieldsOf(m, "abilities")
		a := &ability{calls: in.Int("calls"), failures: in.Int("failures"), slow: in.Int("slow"), first: in.String("first_used"),
			last: in.String("last_used")}
		in.Part("duration_ms", func(d *strict.Fields) {
			a.timed, a.totalMS, a.maxMS, a.latest = d.Int("calls"), d.Int("total"), d.Int("max"), d.Int("last")
		})
		f.Fail(in.Err())
		u.abilities[name] = a
	}
	return u, f.Err()
}
