package conformance

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/go-json-experiment/json"
)

// Options say how much is tried.
type Options struct {
	// Level is the highest that is tried; all of them if it is not set.
	Level Level
	// Verbose keeps what the adapter said in the report.
	Verbose bool
}

// Run runs the kit against an adapter. An error means that it could not be
// tried; what it did wrong is in the report.
func Run(ctx context.Context, a Adapter, opts Options) (*Report, error) {
	fixtures, err := readFixtures(kit)
	if err != nil {
		return nil, fmt.Errorf("reading the kit: %w", err)
	}
	return run(ctx, a, fixtures, opts)
}

func run(ctx context.Context, a Adapter, fixtures []Fixture, opts Options) (*Report, error) {
	opts.Level = cmp.Or(opts.Level, L2)
	host, err := loadHost(a.host)
	if err != nil {
		return nil, err
	}
	counts := map[Level]int{}
	for _, f := range fixtures {
		counts[f.Level]++
	}
	for l := L0; l <= opts.Level; l++ {
		if counts[l] == 0 {
			return nil, fmt.Errorf("the kit has no fixture of level %s: reaching it would mean nothing", l)
		}
	}
	report := &Report{Adapter: a.name, Host: a.host, Wanted: opts.Level}
	for i := range fixtures {
		f := &fixtures[i]
		if f.Level > opts.Level {
			continue
		}
		res, err := try(ctx, &a, host, f, opts.Verbose)
		if err != nil {
			return nil, fmt.Errorf("fixture %s: %w", f.ID, err)
		}
		report.Results = append(report.Results, *res)
	}
	report.conclude()
	return report, ctx.Err()
}

// try runs one fixture in a box of its own.
func try(ctx context.Context, a *Adapter, host *hostData, f *Fixture, verbose bool) (*Result, error) {
	res := &Result{ID: f.ID, Level: f.Level, About: f.About, Status: Passed, Expected: f.Expect.Class}
	p, ok := host.payload(f)
	if !ok {
		res.Status = Gap
		res.Note = fmt.Sprintf("%s has no %s", host.Host, f.Event)
		return res, nil
	}
	b, err := newBox(values(host.Arguments).text(f.Policy))
	if err != nil {
		return nil, err
	}
	defer b.remove()
	t := &trial{adapter: a, host: host, fixture: f, result: res, values: values{
		"dir": b.project(), "home": b.home(), "session": "conformance-" + f.ID,
		"command": "true", "path": b.under("project/notes.txt"), "content": "hello", "prompt": "Please go on.", "output": "done",
	}}
	for word, value := range f.With {
		t.values[word] = value
	}
	raw, err := json.Marshal(t.values.fill(p.Payload), json.Deterministic(true))
	if err != nil {
		return nil, err
	}
	t.payload = f.Spoil.on(raw)
	start := time.Now()
	reply, err := a.run(ctx, b, f, p.Name, t.payload)
	res.Millis = float64(time.Since(start).Microseconds()) / 1000
	if verbose {
		res.Stdout, res.Stderr = string(reply.Stdout), string(reply.Stderr)
	}
	if err != nil {
		t.problem("an answer", err.Error())
		res.Status = Failed
		return res, nil
	}
	class, lesser := t.expected()
	t.reply(reply, class, lesser)
	t.record(b, class, lesser)
	t.absent(b)
	switch {
	case len(res.Problems) > 0:
		res.Status = Failed
	case lesser && class == Allow:
		res.Status = Gap
		res.Note = fmt.Sprintf("%s cannot do %s on %s; it is recorded", host.Host, f.Expect.Class, f.Event)
	case lesser:
		res.Note = fmt.Sprintf("%s cannot do %s on %s; it became %s", host.Host, f.Expect.Class, f.Event, class)
	}
	return res, nil
}
