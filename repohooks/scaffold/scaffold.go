// Package scaffold writes a new repository hook: its declaration, a handler
// that works, and a test of the handler.
package scaffold

import (
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	"github.com/trammel-dev/trammel/config"
	"github.com/trammel-dev/trammel/dialects/repohooks"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/tasks/registry"
)

//go:embed templates
var templates embed.FS

// Hook is what is wanted.
type Hook struct {
	ID      string
	Event   repohooks.EventType
	Summary string
	// Abilities are globs over abilities, on events about one.
	Abilities []string
	// Paths are globs over changed files, on SessionStop.
	Paths []string
	// Blocking is whether the runtime waits for it.
	Blocking bool
}

// Report is what was done.
type Report struct {
	Status       string   `json:"status"` // created
	ChangedFiles []string `json:"changed_files"`
	Summary      string   `json:"summary"`
}

// Create writes the files below root, unless one of them is there already or
// the declaration would be wrong. Either all are written or none.
func Create(root string, h Hook, reg config.Registry) (*Report, error) {
	if !config.ValidRepositoryID(h.ID) {
		return nil, fmt.Errorf("%q cannot be the id of a hook: expected lower-case letters, digits, - and _, beginning with a letter or a digit",
			h.ID)
	}
	if len(h.Event.Kinds()) == 0 {
		return nil, fmt.Errorf("unknown event %q, expected one of %v", h.Event, repohooks.EventTypes())
	}
	if err := h.references(root); err != nil {
		return nil, err
	}
	files, err := h.files()
	if err != nil {
		return nil, err
	}
	declaration := files[0]
	if err := validate(root, declaration, reg); err != nil {
		return nil, err
	}
	report := &Report{Status: "created"}
	for i, f := range files {
		if err := f.write(root); err != nil {
			for _, done := range files[:i] {
				os.Remove(filepath.Join(root, done.path))
			}
			return nil, err
		}
		report.ChangedFiles = append(report.ChangedFiles, filepath.ToSlash(f.path))
	}
	report.Summary = fmt.Sprintf("The hook %s runs on %s once a person has trusted it: trammel trust. Its test: python3 %s", h.ID, h.Event,
		filepath.ToSlash(files[2].path))
	return report, nil
}

// references checks that abilities which are named exist, where the repository
// has a registry.
func (h *Hook) references(root string) error {
	reg, err := registry.Load(root)
	if err != nil {
		return fmt.Errorf("the registry cannot be read: %w", err)
	}
	if len(reg.Abilities)+len(reg.Operations) == 0 {
		return nil
	}
	for _, name := range h.Abilities {
		if !strings.ContainsAny(name, "*?[{") && reg.Abilities[name] == nil && reg.Operations[name] == nil {
			return fmt.Errorf("the registry knows no ability or operation %q", name)
		}
	}
	return nil
}

type file struct {
	path string
	text string
	mode os.FileMode
}

func (h *Hook) files() ([]file, error) {
	t, err := template.New("").Funcs(template.FuncMap{"quote": func(s string) string { return fmt.Sprintf("%q", s) },
		"snake": snake}).ParseFS(templates, "templates/*")
	if err != nil {
		return nil, err
	}
	files := []file{
		{filepath.Join(layers.RepositoryHooks, h.ID+".yaml"), "hook.yaml", 0o644},
		{filepath.Join("scripts", "hooks", h.ID+".py"), "handler.py", 0o755},
		{filepath.Join("scripts", "hooks", "tests", "test_"+snake(h.ID)+".py"), "test.py", 0o644},
	}
	for i := range files {
		var b strings.Builder
		if err := t.ExecuteTemplate(&b, files[i].text, h); err != nil {
			return nil, err
		}
		files[i].text = b.String()
	}
	return files, nil
}

func snake(id string) string { return strings.ReplaceAll(id, "-", "_") }

// validate reads the declaration as it will be read.
func validate(root string, f file, reg config.Registry) error {
	set := &layers.Set{Root: root, Files: []layers.File{{Layer: layers.Project, Path: filepath.Join(root, f.path), Dir: root,
		Data: []byte(f.text), Trust: layers.Trusted}}}
	_, err := config.Compile(set, reg)
	return err
}

func (f *file) write(root string) error {
	path := filepath.Join(root, f.path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	err := files.Create(path, []byte(f.text), f.mode)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s already exists", f.path)
	}
	return err
}

// SignalsAgent reports whether the hook can hold something up, for the templates.
func (h *Hook) SignalsAgent() bool { return h.Event.SignalsAgent() }

// About reports whether the event is about an ability.
func (h *Hook) About() bool {
	return slices.Contains([]repohooks.EventType{repohooks.PreAbilityCreateEvent, repohooks.PreAbilityCallEvent,
		repohooks.PostAbilityCallEvent}, h.Event)
}
