// Package stdio calls a hook of a process pack for events: the kind "pack".
//
// Such a hook runs before the guards, so that rules can use its facts
// (facts.<id>.<name>). It decides nothing itself. If it fails, on_error of its
// declaration applies.
package stdio

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/fst"
	"github.com/trammel-dev/trammel/dialects/native"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/packs"
)

// New is the factory of the kind "pack".
func New(spec trammel.Spec) (trammel.Handler, error) {
	var cfg Config
	if err := option.Read(spec.Config, &cfg); err != nil {
		return nil, err
	}
	if err := cfg.check(); err != nil {
		return nil, err
	}
	dir := cfg.Dir
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(spec.Dir, dir)
	}
	h := &handler{Config: cfg, dir: dir}
	for _, digest := range cfg.Pinned { // there is only one, under the pack's path
		h.pinned = digest
	}
	return h, nil
}

type handler struct {
	Config
	dir    string
	pinned string
}

// Waits returns true: a program needs time.
func (h *handler) Waits() bool { return true }

// Early returns true: the guards need the hook's facts.
func (h *handler) Early() bool { return true }

// Explain says what would be called.
func (h *handler) Explain() string { return fmt.Sprintf("calls %s of the pack %s", h.Hook, h.Dir) }

// Handle calls the hook and turns its result into facts.
func (h *handler) Handle(ctx context.Context, ev *trammel.Event) (trammel.Answer, error) {
	payload, err := h.payload(ev)
	if err != nil {
		return trammel.Answer{}, err
	}
	pack, list := packs.Open(h.dir)
	if pack == nil {
		trace := &trammel.Trace{Pack: &trammel.PackTrace{Dir: h.dir, Hook: h.Hook, Run: ev.Session.ID}}
		return trammel.Answer{}, &trammel.Failure{Code: fst.BadManifest.Code(), Detail: string(fst.BadManifest) + ": " + firstError(list),
			Err: fst.BadManifest, Trace: trace}
	}
	s := pack.Session(packs.Options{Pinned: h.pinned})
	defer s.Close()
	o, err := s.Last(ctx, fst.Call{Hook: h.Hook, Run: ev.Session.ID, Payload: payload})
	if err != nil {
		return trammel.Answer{}, err
	}
	trace := o.Trace()
	if o.Fault != "" {
		return trammel.Answer{}, &trammel.Failure{Code: o.Fault.Code(), Detail: detail(&o), Err: o.Fault, Trace: trace}
	}
	return trammel.Answer{Facts: facts(&o), Diagnostics: o.Result.Diagnostics, Trace: trace}, nil
}

func (h *handler) payload(ev *trammel.Event) (map[string]any, error) {
	raw, err := native.Dialect{}.EncodeEvent(ev)
	if err != nil {
		return nil, fmt.Errorf("encoding the event in the native form: %w", err)
	}
	event, err := strict.Object(raw, strict.Limits{})
	if err != nil {
		return nil, fmt.Errorf("reading the event in the native form: %w", err)
	}
	return h.pick(event), nil
}

// facts are the hook's facts and the other fields of its result. A fact with
// the name of such a field does not replace it.
func facts(o *packs.Outcome) map[string]any {
	out := make(map[string]any, len(o.Result.Facts)+4)
	for name, v := range o.Result.Facts {
		switch name {
		case "status", "valid", "diagnostics", "rendered":
		default:
			out[name] = v
		}
	}
	texts := make([]any, len(o.Result.Diagnostics))
	for i, s := range o.Result.Diagnostics {
		texts[i] = s
	}
	out["status"], out["diagnostics"] = o.Result.Status, texts
	if o.Result.Valid != nil {
		out["valid"] = *o.Result.Valid
	}
	if o.Result.Rendered != nil {
		out["rendered"] = *o.Result.Rendered
	}
	return out
}

// detail returns the fixed diagnostic, with the hook's own words or the field
// that it is about, if there are any.
func detail(o *packs.Outcome) string {
	if errors.Is(o.Fault, fst.HookFailed) && len(o.Result.Diagnostics) > 0 && o.Result.Diagnostics[0] != string(o.Fault) {
		return string(o.Fault) + ": " + o.Result.Diagnostics[0]
	}
	if o.Field != "" {
		return fmt.Sprintf("%s: %q", o.Fault, o.Field)
	}
	return string(o.Fault)
}

func firstError(list []packs.Diagnostic) string {
	for _, d := range list {
		if d.Severity == packs.Error {
			return d.Path + ": " + d.Message
		}
	}
	return ""
}
