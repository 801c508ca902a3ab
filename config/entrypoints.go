package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/trammel-dev/trammel/config/started"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/layers"
)

// Absent is used as the digest of a program that was missing or not trusted
// when its project was trusted. No file has this digest.
const Absent = "absent"

// EntryPoints are the files that hooks of a project's directory start: scripts
// run by path, scripts given to an interpreter, packs. Trust pins their
// content, wherever they are, because trust in a hook means little if its
// program can be rewritten. Programs of the system are not pinned.
func EntryPoints(c *Compiled, dir string) []string {
	paths := slices.Clone(c.entryPoints[dir])
	slices.Sort(paths)
	return slices.Compact(paths)
}

// entryPoints are those of one hook, as absolute paths.
func entryPoints(d *declared) []string {
	base := d.file.Dir
	if own := string(d.decl.Dir); own != "" {
		if base = own; !filepath.IsAbs(own) {
			base = filepath.Join(d.file.Dir, own)
		}
	}
	if pack := d.decl.Pack; pack != nil { // the whole directory
		return started.Outside([]string{string(pack.Dir)}, base)
	}
	return started.Outside(started.By(commandLine(d.decl), d.file.Dir, base), base)
}

// Missing says which hooks in force start a missing file.
func (c *Compiled) Missing() (notes []layers.Note) {
	for i := range c.Hooks {
		for _, path := range c.starts[c.Hooks[i].ID] {
			if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
				notes = append(notes, layers.Note{Code: "missing", Path: c.Hooks[i].Source.File, Line: c.Hooks[i].Source.Line,
					Text: fmt.Sprintf("hook %q is in force, but fails on each of its events: %s is missing", c.Hooks[i].ID, path)})
			}
		}
	}
	return notes
}

// starts reports whether the hook runs programs that a project can hold.
func (d *declared) starts() bool { return d.form.kind == "command" || d.form.kind == "pack" }

// commandLine is what a hook starts, as a shell would read it.
func commandLine(h *HookDecl) string {
	if len(h.Exec) == 0 {
		return h.shellLine()
	}
	words := texts(h.Exec)
	for i, w := range words {
		if quoted, err := syntax.Quote(w, syntax.LangBash); err == nil {
			words[i] = quoted
		}
	}
	return strings.Join(words, " ")
}

// line describes in one line what a hook starts or whom it asks; "" if it does
// neither.
func (d *declared) line() string {
	switch h := d.decl; {
	case len(h.Exec) > 0:
		return fmt.Sprintf("%q", texts(h.Exec))
	case h.Pack != nil:
		return fmt.Sprintf("call %s of the pack %s", h.Pack.Hook, h.Pack.Dir)
	case h.HTTP != nil:
		return "POST " + string(h.HTTP.URL)
	case h.Model != nil:
		return strings.TrimSpace(fmt.Sprintf("ask the model %s %s", h.Model.Model, h.Model.URL))
	case d.script != "" && files.Is(d.script):
		return d.script
	default:
		return strings.TrimSpace(h.shellLine())
	}
}

// shellLine is the command line of a hook that runs one.
func (h *HookDecl) shellLine() string { return string(h.Run + h.Check) }
