// Package provenance says what a release was built from, as an in-toto statement
// with SLSA provenance in a DSSE envelope, signed with the key of the checksums.
// It is written and checked without a network.
package provenance

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/mod/sumdb/note"
)

// Name is the file in a release.
const Name = "provenance.intoto.jsonl"

const (
	payloadType   = "application/vnd.in-toto+json"
	statementType = "https://in-toto.io/Statement/v1"
	predicateType = "https://slsa.dev/provenance/v1"
	repository    = "https://github.com/trammel-dev/trammel"
	builder       = repository + "/dist/make"
)

// Source is what a release was built from. The same source gives the same bytes.
type Source struct {
	Commit  string   // of git
	Version string   // of the release
	Go      string   // the version of Go that built it
	Targets []string // goos/goarch
}

type statement struct {
	Type          string    `json:"_type"`
	Subject       []subject `json:"subject"`
	PredicateType string    `json:"predicateType"`
	Predicate     predicate `json:"predicate"`
}

type subject struct {
	Name   string            `json:"name"`
	Digest map[string]string `json:"digest"`
}

type predicate struct {
	Definition struct {
		BuildType string `json:"buildType"`
		External  struct {
			Version string   `json:"version"`
			Targets []string `json:"targets"`
		} `json:"externalParameters"`
		Internal struct {
			Go string `json:"go"`
		} `json:"internalParameters"`
		Dependencies []dependency `json:"resolvedDependencies"`
	} `json:"buildDefinition"`
	Run struct {
		Builder struct {
			ID string `json:"id"`
		} `json:"builder"`
	} `json:"runDetails"`
}

type dependency struct {
	URI    string            `json:"uri"`
	Digest map[string]string `json:"digest"`
}

type envelope struct {
	Type       string      `json:"payloadType"`
	Payload    []byte      `json:"payload"`
	Signatures []signature `json:"signatures"`
}

type signature struct {
	KeyID string `json:"keyid"`
	Sig   []byte `json:"sig"`
}

// Statement is what is said about files, by name, that were built from a source.
func Statement(files map[string][]byte, from Source) ([]byte, error) {
	s := statement{Type: statementType, PredicateType: predicateType}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		s.Subject = append(s.Subject, subject{name, map[string]string{"sha256": digest(files[name])}})
	}
	d := &s.Predicate.Definition
	d.BuildType, d.External.Version, d.External.Targets, d.Internal.Go = builder+"@v1", from.Version, from.Targets, from.Go
	d.Dependencies = []dependency{{"git+" + repository, map[string]string{"gitCommit": from.Commit}}}
	s.Predicate.Run.Builder.ID = builder
	return json.Marshal(s)
}

// Sign puts a statement into an envelope, on one line. Signers are those of notes.
func Sign(statement []byte, secret string) ([]byte, error) {
	signer, err := note.NewSigner(secret)
	if err != nil {
		return nil, fmt.Errorf("the private key: %w", err)
	}
	sig, err := signer.Sign(encoded(payloadType, statement))
	if err != nil {
		return nil, err
	}
	out, err := json.Marshal(envelope{payloadType, statement, []signature{{keyID(signer.Name(), signer.KeyHash()), sig}}})
	return append(out, '\n'), err
}

// Verify opens an envelope that the public key has signed, and holds the files
// against it. Each file that it names must be there, and no other.
func Verify(signed []byte, public string, files map[string][]byte) (Source, error) {
	verifier, err := note.NewVerifier(public)
	if err != nil {
		return Source{}, fmt.Errorf("the public key: %w", err)
	}
	var e envelope
	if err := strict(signed, &e); err != nil {
		return Source{}, fmt.Errorf("the envelope cannot be read: %w", err)
	}
	holds := func(s signature) bool {
		return s.KeyID == keyID(verifier.Name(), verifier.KeyHash()) && verifier.Verify(encoded(e.Type, e.Payload), s.Sig)
	}
	if e.Type != payloadType || !slices.ContainsFunc(e.Signatures, holds) {
		return Source{}, fmt.Errorf("the provenance is not signed with %s, or was changed", verifier.Name())
	}
	var s statement
	if err := strict(e.Payload, &s); err != nil {
		return Source{}, fmt.Errorf("the statement cannot be read: %w", err)
	}
	d := &s.Predicate.Definition
	if s.Type != statementType || s.PredicateType != predicateType || len(d.Dependencies) != 1 {
		return Source{}, fmt.Errorf("the statement is %s about %s, expected SLSA provenance with one source", s.Type, s.PredicateType)
	}
	return Source{d.Dependencies[0].Digest["gitCommit"], d.External.Version, d.Internal.Go, d.External.Targets}, s.covers(files)
}

// covers says which files are not those of the statement.
func (s *statement) covers(files map[string][]byte) error {
	var wrong []error
	known := map[string]bool{}
	for _, sub := range s.Subject {
		known[sub.Name] = true
		switch data, there := files[sub.Name]; {
		case !there:
			wrong = append(wrong, fmt.Errorf("%s is missing", sub.Name))
		case digest(data) != sub.Digest["sha256"]:
			wrong = append(wrong, fmt.Errorf("%s has the checksum %s, expected %s", sub.Name, digest(data), sub.Digest["sha256"]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !known[name] {
			wrong = append(wrong, fmt.Errorf("%s is not in the provenance", name))
		}
	}
	return errors.Join(wrong...)
}

func digest(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }

func keyID(name string, hash uint32) string { return fmt.Sprintf("%s+%08x", name, hash) }

// encoded is what is signed: DSSE's pre-authentication encoding.
func encoded(kind string, payload []byte) []byte {
	return fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(kind), kind, len(payload), payload)
}

func strict(data []byte, to any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(to); err != nil {
		return err
	}
	if d.More() {
		return errors.New("there is something behind it")
	}
	return nil
}
