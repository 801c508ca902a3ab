package conformance

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/trammel-dev/trammel"
)

//go:embed fixtures/*.json hosts/*.json
var kit embed.FS

// Fixture is one thing that is tried on an adapter.
type Fixture struct {
	ID    string `json:"id"`
	Level Level  `json:"level"`
	About string `json:"about"`
	// Policy is the text of a trammel.yaml; none if empty. {command} in it
	// is what the host calls the argument that holds a shell command.
	Policy string `json:"policy"`
	// Event is the kind, by our name; Tool what is called: shell or write.
	Event string `json:"event"`
	Tool  string `json:"tool"`
	// With are the values that are put into the host's payload.
	With map[string]string `json:"with"`
	// Spoil says how the payload is damaged on its way.
	Spoil Spoil `json:"spoil"`
	// Seconds is how long the adapter may take; 20 if it says nothing.
	Seconds int         `json:"seconds"`
	Expect  Expectation `json:"expect"`
}

// Expectation is what has to come of a fixture.
type Expectation struct {
	Class Class `json:"class"`
	// Text has to be in what the model is told.
	Text string `json:"text"`
	// Command is what a rewritten shell command has to be.
	Command string `json:"command"`
	// Record are fields, by path, that one record has to have.
	Record map[string]string `json:"record"`
	// Absent must not be in any file that the adapter left.
	Absent string `json:"absent"`
}

func (f *Fixture) limit() time.Duration {
	if f.Seconds > 0 {
		return time.Duration(f.Seconds) * time.Second
	}
	return 20 * time.Second
}

// readFixtures reads a kit, in the order of its files' names.
func readFixtures(files fs.FS) ([]Fixture, error) {
	names, err := fs.Glob(files, "fixtures/*.json")
	if err != nil {
		return nil, err
	}
	var out []Fixture
	for _, name := range names {
		var f Fixture
		if err := readStrictly(files, name, &f); err != nil {
			return nil, err
		}
		if err := f.check(name); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, f)
	}
	return out, nil
}

// readStrictly refuses fields that it does not know: a misspelt expectation
// would pass for none.
func readStrictly(files fs.FS, name string, v any) error {
	raw, err := fs.ReadFile(files, name)
	if err == nil {
		err = json.Unmarshal(raw, v, json.RejectUnknownMembers(true))
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (f *Fixture) check(name string) error {
	kind, ok := trammel.ParseKind(f.Event)
	switch {
	case f.ID+".json" != path.Base(name):
		return fmt.Errorf("the id is %q, expected the name of the file", f.ID)
	case !ok || kind.String() != f.Event:
		return fmt.Errorf("unknown event %q, expected a name of the catalogue", f.Event)
	case f.Level == 0 || f.About == "":
		return fmt.Errorf("level and about have to be there")
	case f.Spoil.apply == nil && f.Spoil.name != "":
		return fmt.Errorf("unknown damage %q", f.Spoil.name)
	}
	switch f.Expect.Class {
	case Allow, Deny, Ask, Context, Rewrite, StopBlock:
		return nil
	}
	return fmt.Errorf("unknown class %q", f.Expect.Class)
}
