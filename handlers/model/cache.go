package model

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/internal/cache"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/strict"
)

// remembered is where verdicts are kept.
func remembered() (cache.Dir, error) {
	dirs, err := layers.System()
	return cache.Dir{Path: filepath.Join(dirs.State, "cache", "model"), Age: maxCache, Most: 4096}, err
}

// recall returns what the model answered to the same question, if that is not
// too long ago.
func (h *handler) recall(key string) (result, bool) {
	dir, err := remembered()
	if h.Cache == 0 || err != nil {
		return result{}, false
	}
	data, _, ok := dir.Get(key, time.Duration(h.Cache))
	if !ok {
		return result{}, false
	}
	return readResult(data, h.Schema)
}

func readResult(data []byte, schema string) (result, bool) {
	obj, err := strict.Object(data, strict.Limits{})
	if err != nil {
		return result{}, false
	}
	f := strict.FieldsOf(obj, "")
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

// remember keeps an answer.
func (h *handler) remember(key string, r result) error {
	if h.Cache == 0 {
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
	dir, err := remembered()
	if err == nil {
		err = dir.Put(key, w.Bytes())
	}
	if err != nil {
		return fmt.Errorf("remembering the model's answer: %w", err)
	}
	return nil
}
