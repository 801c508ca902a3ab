package packs

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/trammel-dev/trammel/dialects/fst"
	"github.com/trammel-dev/trammel/evidence"
)

// Recorded is a call from the log. It is history: no reader may act on it as if
// a hook had just answered.
type Recorded struct {
	Seq            uint64         `json:"seq"`
	Time           string         `json:"time"`
	Event          string         `json:"event"`
	Hook           string         `json:"hook_id"`               // in the pack
	Declared       string         `json:"declared_as,omitempty"` // the hook of a configuration that called it
	Type           string         `json:"type,omitempty"`
	Dir            string         `json:"pack,omitempty"`
	Runtime        string         `json:"runtime_id,omitempty"`
	Kind           string         `json:"runtime_kind,omitempty"`
	Entrypoint     string         `json:"entrypoint_hash,omitempty"`
	Input          string         `json:"input_hash,omitempty"`
	Output         string         `json:"output_hash,omitempty"`
	Run            string         `json:"run_id,omitempty"`
	Profile        string         `json:"profile_id,omitempty"`
	ProfileVersion string         `json:"profile_version,omitempty"`
	ArtifactType   string         `json:"input_artifact_type,omitempty"`
	Call           string         `json:"call_id,omitempty"`
	Status         string         `json:"status"`
	Valid          *bool          `json:"valid,omitempty"`
	Diagnostics    []string       `json:"diagnostics,omitempty"`
	Failure        string         `json:"failure_status,omitempty"`
	Field          string         `json:"field,omitempty"`
	Route          string         `json:"route_of_failure,omitempty"`
	Payload        map[string]any `json:"-"` // if it was kept
}

// Replay reads the calls of packs from a log, oldest first: those made on
// their own, and those that hooks of a configuration made on an agent's events.
func Replay(log string, fn func(Recorded) error) error {
	return evidence.Scan(log, func(e evidence.Entry) error {
		rec, err := e.Record()
		if err != nil {
			return err
		}
		hooks, _ := rec["hooks"].([]any)
		for _, h := range hooks {
			m, _ := h.(map[string]any)
			if text(m, "kind") != "pack" {
				continue
			}
			if err := fn(recorded(e.Seq, rec, m)); err != nil {
				return err
			}
		}
		return nil
	})
}

func recorded(seq uint64, rec, hook map[string]any) Recorded {
	pack, direct := rec["pack"].(map[string]any)
	if !direct {
		pack, _ = hook["pack"].(map[string]any)
	}
	r := Recorded{
		Seq: seq, Time: text(rec, "time"), Event: text(rec, "event"),
		Hook: text(hook, "id"), Entrypoint: text(hook, "entrypoint"), Input: text(hook, "input"), Output: text(hook, "output"),
		Failure: text(hook, "detail"), Field: text(hook, "field"), Call: text(pack, "call_id"),
		Type: text(pack, "type"), Dir: text(pack, "dir"), Runtime: text(pack, "runtime"), Kind: text(pack, "kind"),
		Run: text(pack, "run_id"), Profile: text(pack, "profile_id"), ProfileVersion: text(pack, "profile_version"),
		ArtifactType: text(pack, "input_artifact_type"),
		Status:       text(pack, "status"), Route: text(pack, "route"),
	}
	if r.Status == "" {
		r.Status = text(hook, "status")
	}
	if valid, ok := pack["valid"].(bool); ok {
		r.Valid = &valid
	}
	list, _ := hook["diagnostics"].([]any)
	for _, d := range list {
		if s, ok := d.(string); ok {
			r.Diagnostics = append(r.Diagnostics, s)
		}
	}
	r.Payload, _ = rec["payload"].(map[string]any)
	if !direct {
		r.Payload = nil // it is the host's
		if called := text(pack, "hook"); called != "" {
			r.Declared, r.Hook = r.Hook, called
		}
	}
	return r
}

func text(m map[string]any, key string) string {
	s, _ := m[key].(string)
	return s
}

// ErrNotKept is returned by Rerun if the log does not have the original payload.
var ErrNotKept = errors.New("the payload is not in the log as it was sent")

// Drift is the difference when a call is repeated.
type Drift struct {
	Was   Recorded `json:"was"`
	Now   Report   `json:"now"`
	Drift []string `json:"drift"` // what differs; empty if nothing does
}

// Rerun repeats a recorded call with the current pack, and compares. The
// outcome is recorded as a separate call and is used only for the comparison.
func Rerun(ctx context.Context, s *Session, r Recorded) (Drift, error) {
	call := fst.Call{Hook: r.Hook, Run: r.Run, Profile: r.Profile, ProfileVersion: r.ProfileVersion, ArtifactType: r.ArtifactType,
		Payload: r.Payload, ID: r.Call}
	if r.Payload == nil || !sent(call, r.Input) {
		return Drift{}, ErrNotKept
	}
	o, err := s.Last(ctx, call)
	if err != nil {
		return Drift{}, err
	}
	d := Drift{Was: r, Now: o.Report(), Drift: []string{}}
	differ := func(what, was, now string) {
		if was != now {
			d.Drift = append(d.Drift, fmt.Sprintf("%s: was %s, is %s", what, orNone(was), orNone(now)))
		}
	}
	differ("entrypoint", r.Entrypoint, o.Entrypoint)
	differ("output", r.Output, o.Output)
	differ("status", r.Status, o.Result.Status)
	differ("failure", r.Failure, string(o.Fault))
	return d, nil
}

func orNone(s string) string {
	return cmp.Or(s, "none")
}
