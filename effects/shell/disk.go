package shell

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/recipes"
	"github.com/trammel-dev/trammel/effects/shell/compute"
	"github.com/trammel-dev/trammel/effects/world"
)

// Limits for reading the files that a call runs. Anything beyond them is a doubt.
const (
	maxScripts  = 32
	maxScript   = 128 << 10 // bytes of one
	maxSkimmed  = 4 << 20   // and of one of which only what looks like a command is read
	maxScripted = 512 << 10 // and of all
	maxNames    = 256       // of a directory
)

// onDisk returns the text of an existing script that a call runs. Programs of the
// system are known from the table instead. What holds a zero byte is one only if that is
// not in its first line, and then shells read on behind it.
func (d *deriver) onDisk(p model.Path, st *state) (text string, ok bool) {
	if p.Abs == "" || p.Glob || st.remote || paths.OfSystem(p.Real, d.world.Project) {
		return "", false
	}
	data, err := d.world.ReadFile(p.Real, maxScript)
	if err != nil {
		if info, missing := world.Stat(d.world, p.Real); missing == nil && info.Mode().IsRegular() {
			d.unread(p.Text, st.by)
			long, _ := d.world.ReadFile(p.Real, maxSkimmed)
			d.skims(string(long), st.by, st)
		}
		return "", false
	}
	first, _, _ := bytes.Cut(data, []byte("\n"))
	if bytes.IndexByte(first, 0) >= 0 || !d.mayRead(p.Text, len(data)) {
		return "", false
	}
	return strings.ReplaceAll(string(data), "\x00", ""), true
}

// mayRead counts a script against the limits.
func (d *deriver) mayRead(name string, size int) bool {
	d.scripts++
	d.scripted += size
	if d.scripts > maxScripts || d.scripted > maxScripted || size > maxScript {
		d.unread(name, -1)
		return false
	}
	return true
}

// unread notes that a script runs without having been read.
func (d *deriver) unread(name string, run int) {
	d.cut = true
	d.doubt("code", name+" is not read", run)
}

// skims reads of code that is too long what looks like a command: otherwise it would
// be enough to put comments before it.
func (d *deriver) skims(text string, run int, st *state) {
	found := strings.Join(recipes.CommandsIn(text), "\n")
	d.quietly(func() { d.script(found[:min(len(found), maxScript)], run, st) })
}

// quietly reads an existing script. Effects on what it names count. Doubts do
// not, because scripts are full of values that only a running script knows; so a
// script that hides what it does is not found here. If it was not read to its
// end, that is a doubt.
func (d *deriver) quietly(read func()) {
	doubts, steps, inner, full := len(d.set.Doubts), d.steps, d.inner, d.full
	files, cut := len(d.set.Files), d.cut
	read()
	if d.full && !full {
		d.steps, d.inner, d.full = steps, inner, false
		d.cut = true
	}
	d.set.Doubts = slices.Delete(d.set.Doubts, doubts, len(d.set.Doubts))
	if d.cut && !cut {
		d.doubt("code", "a script is not read in full", -1)
	}
	known := d.set.Files[:files]
	for _, f := range d.set.Files[files:] {
		if f.Path.Known() && (f.Op != model.Move || f.To.Known()) {
			known = append(known, f)
		}
	}
	d.set.Files = known
}

// OnDisk reads text of a file of this machine as code that the call runs.
func (c *call) OnDisk(language, text string) {
	if !c.d.mayRead(language, len(text)) {
		c.d.skims(text, c.run, c.st)
		return
	}
	c.d.quietly(func() {
		if language == "shell" {
			c.d.script(text, c.run, c.st)
			return
		}
		c.d.inline(language, text, c.run, c.st)
		c.d.imported(language, text, c.dir, c.run, c.st)
	})
}

// imported reads the files next to a script that it loads, each once.
func (d *deriver) imported(language, text string, dir model.Path, run int, st *state) {
	for _, name := range recipes.Imports(language, text) {
		p := d.paths.Resolve(word(name), dir)
		if !p.Known() || slices.Contains(d.loaded, p.Real) {
			continue
		}
		if len(d.holds(p)) > 0 {
			d.loaded = append(d.loaded, p.Real)
			(&call{d: d, run: run, st: st, dir: dir}).RunFile(language, word(name))
			continue
		}
		if info, err := d.world.Lstat(p.Real); err != nil || !info.Mode().IsRegular() {
			continue
		}
		d.loaded = append(d.loaded, p.Real)
		if text, ok := d.onDisk(p, st); ok {
			beside := path.Dir(p.Abs)
			d.quietly(func() {
				d.inline(language, text, run, st)
				d.imported(language, text, model.Path{Text: beside, Abs: beside, Real: beside}, run, st)
			})
		}
	}
}

// given returns the text of existing files that some runs read, if all they do is
// print them or lines of them: cat script | sh, sed -n 3p notes | sh. Of files that
// come through other programs it is what looks like a command: jq -r .run x.json | sh.
func (d *deriver) given(runs []int, st *state) (text string) {
	for _, run := range runs {
		held, whole := "", true
		for steps := 0; run >= 0 && run < len(d.set.Runs) && steps < maxNested; run, steps = d.set.Runs[run].From, steps+1 {
			whole = whole && steps == 0 && d.rows[run].PassesOn(d.set.Runs[run].Args)
			for _, p := range d.set.Reads(run) {
				if len(d.holds(p)) == 0 {
					more, _ := d.onDisk(p, st)
					if held += more; d.set.Runs[run].Program != "cat" {
						held += "\n"
					}
				}
			}
		}
		if !whole {
			held = compute.Pieces(held)
		}
		text += held
	}
	return strings.TrimSuffix(text, "\n")
}

// catenates reports whether a run only outputs files that can be read here.
func (d *deriver) catenates(run int, st *state) bool {
	return d.set.Runs[run].Program == "cat" && d.given([]int{run}, st) != ""
}
