package config

import (
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/trammel-dev/trammel/internal/canonical"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/layers"
)

// Summary is what a human is about to trust in one directory: the bytes as
// they were read, not as they may be later.
type Summary struct {
	Dir      string        `json:"dir"`
	Digest   string        `json:"digest"` // of all files and programs, independent of the directory
	Files    []SummaryFile `json:"files"`
	Hooks    []Entry       `json:"hooks"`    // what the files declare
	Commands []Command     `json:"commands"` // what their hooks start
	Programs []EntryPoint  `json:"programs"` // the files that are started
	Changes  []Change      `json:"changes"`  // from what is trusted now, first those that loosen
	Notes    []layers.Note `json:"notes"`

	dirs  layers.Dirs
	files []layers.File
}

// SummaryFile is a file that would be trusted. A deleted one has no digest.
type SummaryFile struct {
	Path   string            `json:"path"`
	Digest string            `json:"digest,omitempty"`
	Was    layers.TrustState `json:"was"`
}

// Command is what a hook starts.
type Command struct {
	Hook string `json:"hook"`
	Line string `json:"line"`
}

// EntryPoint is a file that a hook starts, in the project or elsewhere. A missing one has the digest Absent.
type EntryPoint struct {
	Path   string            `json:"path"`
	Digest string            `json:"digest"`
	Was    layers.TrustState `json:"was"`
}

// Review collects what Accept would trust. Files with errors cannot be trusted.
func Review(d layers.Dirs, dir string, reg Registry) (*Summary, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	set, err := layers.Find(d, dir)
	if err != nil {
		return nil, err
	}
	s := &Summary{dirs: d}
	for i := range set.Files {
		if set.Files[i].Layer == layers.Project {
			s.Dir = set.Files[i].Dir
			break
		}
	}
	if s.Dir == "" {
		return nil, fmt.Errorf("%s: there is no %s here or in a directory above: nothing to trust", dir, layers.FileName)
	}
	trial := s.trial(set)
	compiled, err := Compile(trial, reg)
	if err != nil {
		return nil, fmt.Errorf("a configuration with errors cannot be trusted:\n%w", err)
	}
	s.describe(compiled)
	if err := s.effects(set, trial, reg); err != nil {
		return nil, err
	}
	if s.Programs, err = programs(EntryPoints(compiled, s.Dir), set); err != nil {
		return nil, err
	}
	s.Digest = s.digest()
	return s, nil
}

// digest does not depend on the location of the project.
func (s *Summary) digest() string {
	var b strings.Builder
	name := func(path string) string {
		if rel, err := filepath.Rel(s.Dir, path); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
		return "" // files outside are identified by their content
	}
	for _, f := range s.Files {
		fmt.Fprintf(&b, "file %q %s\n", name(f.Path), f.Digest)
	}
	for _, p := range s.Programs {
		fmt.Fprintf(&b, "program %q %s\n", name(p.Path), p.Digest)
	}
	sum := sha256.Sum256([]byte(b.String()))
	return "h1:" + base64.StdEncoding.EncodeToString(sum[:])
}

// trial is the set as it would be if the directory's files were trusted as
// they are now.
func (s *Summary) trial(set *layers.Set) *layers.Set {
	trial := &layers.Set{Root: set.Root, Pins: set.Pins, Bundles: set.Bundles}
	present := map[string]bool{}
	for _, f := range set.Files {
		if f.Layer == layers.Project && f.Dir == s.Dir {
			if f.Pinned {
				continue
			}
			present[f.Path] = true
			s.Files = append(s.Files, SummaryFile{Path: f.Path, Digest: canonical.Digest(f.Data), Was: f.Trust})
			f.Trust = layers.Trusted
			s.files = append(s.files, f)
		}
		trial.Files = append(trial.Files, f)
	}
	for _, f := range set.Files {
		if f.Pinned && f.Dir == s.Dir && !present[f.Path] {
			s.Files = append(s.Files, SummaryFile{Path: f.Path, Was: layers.Trusted})
		}
	}
	return trial
}

// describe lists the hooks of the directory and what they start.
func (s *Summary) describe(c *Compiled) {
	for _, e := range c.Report {
		if s.declares(&e) {
			s.Hooks = append(s.Hooks, e)
		}
	}
	for i := range c.Hooks {
		h := &c.Hooks[i]
		if line := c.lines[h.ID]; line != "" && (s.has(h.Source.File) || h.Source.Layer == layers.Project.String() && h.Dir == s.Dir) {
			s.Commands = append(s.Commands, Command{h.ID, line})
		}
	}
	for _, n := range c.Notes {
		if s.has(n.Path) {
			s.Notes = append(s.Notes, n)
		}
	}
}

// effects says how the directory's hooks differ from those that are trusted now, and what that loosens.
func (s *Summary) effects(set, trial *layers.Set, reg Registry) (err error) {
	before := *set
	before.Files = slices.DeleteFunc(slices.Clone(set.Files), func(f layers.File) bool {
		return f.Layer == layers.Project && f.Dir == s.Dir && f.Trust != layers.Trusted
	})
	if _, err := compile(&before, reg); err != nil { // otherwise nothing is in force
		before.Files = nil
	}
	if s.Changes, err = Compare(&before, trial, reg); err != nil {
		return err
	}
	slices.SortStableFunc(s.Changes, func(a, b Change) int { return slices.Index(weight, b.Effect) - slices.Index(weight, a.Effect) })
	return nil
}

// Loosens reports whether more would get through than what is trusted now allows.
func (s *Summary) Loosens() bool {
	return slices.ContainsFunc(s.Changes, func(c Change) bool { return c.Effect == Loosens })
}

func (s *Summary) declares(e *Entry) bool { return s.has(e.Source.File) || e.bundled == s.Dir }

func (s *Summary) has(path string) bool {
	return slices.ContainsFunc(s.Files, func(f SummaryFile) bool { return f.Path == path })
}

// Accept records the trust. If all files of the directory are gone, it removes
// the record.
func (s *Summary) Accept(now time.Time) error {
	if len(s.files) == 0 {
		return layers.Forget(s.dirs, s.Dir)
	}
	pins := make(map[string]string, len(s.Programs))
	for _, p := range s.Programs {
		pins[p.Path] = p.Digest
	}
	return layers.Trust(s.dirs, s.Dir, s.files, pins, now)
}

// programs computes the digests of the files that hooks of a directory start,
// and compares them with those that are trusted now.
func programs(paths []string, set *layers.Set) ([]EntryPoint, error) {
	var out []EntryPoint
	for _, path := range paths {
		digest, err := files.DigestOrTree(path) // of a pack it is the directory
		if errors.Is(err, os.ErrNotExist) {
			digest, err = Absent, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%w; a hook starts it", err)
		}
		out = append(out, EntryPoint{path, digest, set.PinState(path, digest)})
	}
	return out, nil
}

// String is the summary for the person who decides.
func (s *Summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "project %s\n  digest   %s\n", s.Dir, s.Digest)
	for _, f := range s.Files {
		if f.Digest == "" {
			fmt.Fprintf(&b, "  file     %s (gone)\n", f.Path)
			continue
		}
		fmt.Fprintf(&b, "  file     %s (%s) %s\n", f.Path, f.Was.Told(), f.Digest)
	}
	for _, e := range s.Hooks {
		fmt.Fprintf(&b, "  hook     %s", e.ID)
		if !e.Kept() { // the others will be in force
			fmt.Fprintf(&b, ", %s", e.Status)
		}
		if e.About != "" {
			fmt.Fprintf(&b, ", %s", shown(e.About))
		}
		b.WriteByte('\n')
	}
	for _, c := range s.Commands {
		fmt.Fprintf(&b, "  command  %s: %s\n", c.Hook, shown(c.Line))
	}
	for _, p := range s.Programs {
		fmt.Fprintf(&b, "  program  %s (%s) %s\n", p.Path, p.Was.Told(), p.Digest)
	}
	for _, c := range s.Changes {
		fmt.Fprintf(&b, "  %-8s %s: %s\n", c.What, c.Hook, c.effect())
	}
	for _, n := range s.Notes {
		fmt.Fprintf(&b, "  note     %s\n", n)
	}
	return b.String()
}

// shown is a text on one line, so that it cannot imitate other lines of the summary.
func shown(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}
