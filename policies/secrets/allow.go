package secrets

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/internal/option"
	"github.com/trammel-dev/trammel/internal/secret"
)

// Allow says what does not count as a secret. It has no patterns for values: one
// that is a little too broad would silently let everything through.
type Allow struct {
	Values []string `json:"values,omitempty" jsonschema:"SHA-256 digests of single values, in hexadecimal digits, with or without sha256: before them."`
	Paths  []string `json:"paths,omitempty" jsonschema:"Globs of files that may hold secrets: what is written to them by a tool or a command, and what a tool reads from them."`
	Words  []string `json:"words,omitempty" jsonschema:"Words that mark a made-up value, such as example or dummy; a value that contains one is no secret."`
}

// check refuses options that would silently do nothing.
func (g *guard) check() error {
	kinds := []string(nil)
	for key, list := range map[string][]string{"kinds": g.Kinds, "except": g.Except} {
		for _, kind := range list {
			if kinds == nil {
				kinds = secret.Kinds()
			}
			if !slices.Contains(kinds, kind) {
				return &option.Error{Key: key, Message: "no kind of secret is called " + kind, Expected: "one of " + strings.Join(kinds, ", ")}
			}
		}
	}
	for i, value := range g.Allow.Values {
		value = strings.ToLower(strings.TrimPrefix(value, "sha256:"))
		if raw, err := hex.DecodeString(value); err != nil || len(raw) != sha256.Size {
			return &option.Error{Key: "allow.values", Message: "found something that is no SHA-256 digest",
				Expected: "64 hexadecimal digits, as sha256sum prints them"}
		}
		g.Allow.Values[i] = value
	}
	for i, word := range g.Allow.Words {
		if len(word) < 4 {
			return &option.Error{Key: "allow.words", Message: "the word " + word + " is too short",
				Expected: "four letters or more: shorter ones turn up in random values"}
		}
		g.Allow.Words[i] = strings.ToLower(word)
	}
	for _, glob := range g.Allow.Paths {
		if err := match.CheckGlob(glob); err != nil {
			return &option.Error{Key: "allow.paths", Message: err.Error()}
		}
	}
	return nil
}

// spares reports whether the options allow any secrets at all.
func (g *guard) spares() bool {
	return len(g.Kinds)+len(g.Except)+len(g.Allow.Values)+len(g.Allow.Words) > 0
}

func (g *guard) spare(kind, value string) bool {
	if len(g.Kinds) > 0 && !slices.Contains(g.Kinds, kind) || slices.Contains(g.Except, kind) {
		return true
	}
	if len(g.Allow.Values) > 0 && slices.Contains(g.Allow.Values, digest(value)) {
		return true
	}
	if len(g.Allow.Words) > 0 {
		value = strings.ToLower(value)
		return slices.ContainsFunc(g.Allow.Words, func(word string) bool { return strings.Contains(value, word) })
	}
	return false
}

func digest(value string) string {
	sum := sha256.Sum256([]byte(value))
	return hex.EncodeToString(sum[:])
}

// allowed reports whether a file may contain secrets. An unknown file may not.
func (g *guard) allowed(ev *trammel.Event, p *effects.Path) bool {
	if len(g.Allow.Paths) == 0 || !p.Known() || p.Glob {
		return false
	}
	in := match.In(world.Of(ev), ev.Session.Place())
	return in.Permits(g.Allow.Paths, p.Abs) && in.Permits(g.Allow.Paths, p.Real)
}
