package packs

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"github.com/trammel-dev/trammel/dialects/fst"
	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/internal/worker"
)

// Batch sends lines through one session. A line is a call record, in full or
// as {hook_id, payload}, and may say under "expect" which fields its result
// must have; if Hook is set, a line is just the payload for it.
type Batch struct {
	Session *Session
	Hook    string
	// Each is called with every outcome, and the number of its line from 1.
	Each func(line int, o Outcome, wrong []string) error
}

// Summary counts the results of a batch.
type Summary struct {
	Calls      int            `json:"calls"`
	Valid      int            `json:"valid"`
	Invalid    int            `json:"invalid"`
	Failed     int            `json:"failed"`
	Unexpected int            `json:"unexpected"` // results that were not as expected, and failures that were not expected
	Failures   map[string]int `json:"failures,omitempty"`
	Starts     int            `json:"starts"` // of the program
	Took       time.Duration  `json:"took_ns"`
}

// Run reads all lines. It stops at a line that is not a call, and if a call
// cannot be recorded.
func (b *Batch) Run(ctx context.Context, in io.Reader) (Summary, error) {
	sum := Summary{Failures: map[string]int{}}
	begin := time.Now()
	defer func() { sum.Took = time.Since(begin) }()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, worker.DefaultMaxLine+1)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		call, expect, err := b.read(lines.Bytes())
		if err != nil {
			return sum, fmt.Errorf("line %d: %w", n, err)
		}
		o, err := b.Session.Call(ctx, call)
		if err != nil {
			return sum, fmt.Errorf("line %d: %w", n, err)
		}
		if errors.Is(o.Fault, fst.Canceled) {
			return sum, fmt.Errorf("line %d: %w", n, o.Fault)
		}
		wrong := o.differs(expect)
		sum.count(&o, expect != nil, wrong)
		if b.Each != nil {
			if err := b.Each(n, o, wrong); err != nil {
				return sum, err
			}
		}
	}
	sum.Starts = b.Session.Starts()
	sum.Took = time.Since(begin)
	return sum, lines.Err()
}

func (b *Batch) read(line []byte) (fst.Call, map[string]any, error) {
	obj, err := strict.Object(line, strict.Limits{})
	if err != nil {
		return fst.Call{}, nil, err
	}
	if b.Hook != "" {
		return fst.Call{Hook: b.Hook, Payload: obj}, nil, nil
	}
	expect, there := obj["expect"].(map[string]any)
	if _, said := obj["expect"]; said && !there {
		return fst.Call{}, nil, fmt.Errorf("expect is not an object")
	}
	delete(obj, "expect")
	call, err := canonical.Append(nil, obj)
	if err != nil {
		return fst.Call{}, nil, err
	}
	c, err := fst.DecodeCall(call)
	return c, expect, err
}

func (s *Summary) count(o *Outcome, expected bool, wrong []string) {
	s.Calls++
	switch {
	case o.Fault != "":
		s.Failed++
		s.Failures[string(o.Fault)]++
	case o.Result.Valid != nil && *o.Result.Valid:
		s.Valid++
	case o.Result.Valid != nil:
		s.Invalid++
	}
	if len(wrong) > 0 || o.Fault != "" && !expected {
		s.Unexpected++
	}
}

// differs says which of the expected fields differ in the result.
func (o *Outcome) differs(expect map[string]any) (wrong []string) {
	got := o.fields()
	for _, name := range slices.Sorted(maps.Keys(expect)) {
		want, have := canonical.DigestOf(expect[name]), canonical.DigestOf(got[name])
		if want != have || want == "" {
			text, _ := canonical.Append(nil, got[name])
			wanted, _ := canonical.Append(nil, expect[name])
			wrong = append(wrong, fmt.Sprintf("%s: got %s, expected %s", name, text, wanted))
		}
	}
	return wrong
}
