package model

import (
	"context"
	"fmt"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/state"
	"github.com/trammel-dev/trammel/internal/strict"
)

var answers = trammel.Bucket{Name: "model-answers", Keep: maxCache, Most: 4096, Lossy: true}

// remembered is where verdicts are stored.
func (h *handler) remembered() state.Cache {
	return state.Cache{Store: state.Store{State: h.state, Bucket: &answers}}
}

// recall returns the model's earlier answer to the same question, if it is
// recent enough.
func (h *handler) recall(ctx context.Context, key string) (result, bool) {
	if h.Cache == 0 || h.own() != nil { // replies that others interpret are not cached
		return result{}, false
	}
	data, _, ok := h.remembered().Get(ctx, key, time.Duration(h.Cache))
	if !ok {
		return result{}, false
	}
	return readResult(data, h.Schema)
}

func readResult(data []byte, schema string) (result, bool) {
	f, err := strict.Read(data)
	if err != nil {
		return result{}, false
	}
	word := f.String("decision")
	r := result{reason: f.String("reason"), context: f.String("context")}
	if f.Done() != nil {
		return result{}, false
	}
	if schema != decisionSchema {
		return r, word == "" && r.context != ""
	}
	r.decision, err = trammel.ParseDecision(word)
	return r, err == nil && r.decision != trammel.None && r.context == ""
}

// remember stores an answer.
func (h *handler) remember(ctx context.Context, key string, r result) error {
	if h.Cache == 0 || h.own() != nil {
		return nil
	}
	var w strict.Writer
	w.Open()
	if r.decision != trammel.None {
		w.Text("decision", r.decision.String())
	}
	w.Text("reason", r.reason)
	w.Text("context", r.context)
	w.Close()
	if err := h.remembered().Put(ctx, key, w.Bytes()); err != nil {
		return fmt.Errorf("remembering the model's answer: %w", err)
	}
	return nil
}
