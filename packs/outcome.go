package packs

import (
	"context"
	"errors"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/fst"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/clip"
	"github.com/trammel-dev/trammel/internal/secret"
)

// Outcome is the result of one call.
type Outcome struct {
	Hook       string
	Type       fst.Type
	Runtime    string // its id
	Kind       string
	File       string // the entry file, in the pack
	Entrypoint string // its digest
	Input      string // the digest of the line that was sent, its end included
	Output     string // the digest of the line that came back, if a whole one did
	Result     fst.Result
	Fault      fst.Fault // why it failed; "" if the hook did its work
	Field      string    // which field of the result the failure is about, if it is about one
	Route      Route     // where the failure leads; "" if there is none
	Stderr     string
	Micros     int64
	Receipt    evidence.Receipt // of the record, if there is one

	call fst.Call
	dir  string
}

func (o *Outcome) fail(f fst.Fault) {
	o.Fault = f
	o.Result = fst.Failed(f)
}

// readAnswer reads the answer of the program.
func (o *Outcome) readAnswer(answer []byte, c fst.Contract) {
	result, err := fst.Decode(answer, o.Type, c)
	var fault fst.Fault
	var refusal *fst.Refusal
	switch {
	case errors.As(err, &fault):
		o.fail(fault)
		if errors.As(err, &refusal) {
			o.Field = clean(refusal.Field, maxField)
		}
		return
	case result.Call != "" && result.Call != o.call.ID:
		o.fail(fst.WrongCall)
		return
	}
	if !result.OK() {
		o.fail(fst.HookFailed)
		if len(result.Diagnostics) > 0 {
			o.Result.Diagnostics = result.Diagnostics
		}
		return
	}
	o.Result = result
}

// Limits for a hook's remarks in a record.
const (
	maxRemarks = 100
	maxRemark  = 1 << 10
	maxField   = 64
)

// recordLimit is how long a record may wait for others that are being written.
const recordLimit = 3 * time.Second

// record appends the call to the log.
func (s *Session) record(ctx context.Context, o *Outcome, when time.Time) error {
	if s.options.Log == nil {
		return nil
	}
	h := evidence.HookRecord{
		ID: o.Hook, Kind: "pack", Entrypoint: o.Entrypoint, Input: o.Input, Output: o.Output, Stderr: o.Stderr, Micros: o.Micros,
		Failed: o.Fault != "", Code: string(o.Fault.Code()), Detail: string(o.Fault), Field: o.Field,
	}
	for i, text := range o.Result.Diagnostics {
		if i == maxRemarks {
			break
		}
		h.Diagnostics = append(h.Diagnostics, clean(text, maxRemark))
	}
	r := evidence.ForPack(evidence.PackRecord{
		Dir: s.pack.Dir, Runtime: o.Runtime, Kind: o.Kind, Type: string(o.Type), Entrypoint: o.File, Run: o.call.Run, Profile: o.call.Profile,
		ProfileVersion: o.call.ProfileVersion, ArtifactType: o.call.ArtifactType, Status: o.Result.Status, Valid: o.Result.Valid,
		Route: string(o.Route), Call: o.call.ID,
	}, h, when)
	if s.options.Keep {
		r.Payload, _ = secret.RedactValue(o.call.Payload) // a payload with a secret cannot be run again
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordLimit)
	defer cancel()
	var err error
	o.Receipt, err = s.options.Log.Append(ctx, r.AppendJSON(nil))
	return err
}

// clean keeps the start of a text, without secrets.
func clean(s string, most int) string {
	s, _ = secret.Redact(s)
	return clip.Bytes(s, most)
}

// Trace describes the call, for the record of its event.
func (o *Outcome) Trace() *trammel.Trace {
	return &trammel.Trace{Entrypoint: o.Entrypoint, Input: o.Input, Output: o.Output, Stderr: o.Stderr, Pack: &trammel.PackTrace{
		Dir: o.dir, Hook: o.Hook, Type: string(o.Type), Runtime: o.Runtime, Kind: o.Kind, Entrypoint: o.File, Run: o.call.Run, Field: o.Field}}
}
