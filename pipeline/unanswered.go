package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/evidence"
	"github.com/trammel-dev/trammel/internal/files"
	"github.com/trammel-dev/trammel/internal/layers"
	"github.com/trammel-dev/trammel/internal/strict"
	"github.com/trammel-dev/trammel/plan"
)

// unanswered is an event to which only the watchdog replied. A hung process
// cannot be trusted to append to the evidence, so it leaves a note in a small
// file, and the next event records that.
type unanswered struct {
	Event   *trammel.Event // from the wiring
	Dirs    []string       // where to look for the project
	Denied  bool
	Failure *trammel.Failure
}

// notesDir is where notes are, below the state directory.
const notesDir = "unanswered"

// maxNotes is how many notes one event records at most.
const maxNotes = 64

// leaveNote writes a note. If that fails, there is nothing left to try.
func leaveNote(dirs trammel.Dirs, u *unanswered) {
	dir := filepath.Join(dirs.State, notesDir)
	if dirs.State == "" || os.MkdirAll(dir, 0o700) != nil {
		return
	}
	var w strict.Writer
	w.Open()
	w.Texts("time", u.Event.Time.UTC().Format(time.RFC3339Nano), "host", u.Event.Host, "event", u.Event.Kind.String(),
		"name", u.Event.Name)
	w.List("dirs", absolute(u.Dirs))
	w.Flag("denied", u.Denied)
	w.Texts("code", string(u.Failure.Code), "detail", u.Failure.Detail)
	w.Close()
	_ = os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d-%d.json", time.Now().UnixNano(), os.Getpid())), w.Bytes(), 0o600)
}

// recordUnanswered records the notes of hung processes, each once, in the
// evidence of its project. Usually there are none, and the directory does not
// exist.
func (p *Program) recordUnanswered(ctx context.Context) {
	last, now := p.looked.Load(), time.Now().UnixNano()
	if age := now - last; p.Remember > 0 && (age >= 0 && age < int64(p.Remember) || !p.looked.CompareAndSwap(last, now)) {
		return // another event has just checked
	}
	dir := filepath.Join(p.Dirs.State, notesDir)
	if _, err := os.Lstat(dir); err != nil {
		return
	}
	notes, _ := os.ReadDir(dir)
	settings := plan.DefaultSettings()
	for _, note := range notes[:min(len(notes), maxNotes)] {
		path := filepath.Join(dir, note.Name())
		mine := filepath.Join(p.Dirs.State, "."+note.Name())
		if os.Rename(path, mine) != nil { // another process has it
			continue
		}
		if u, err := readNote(mine); err == nil {
			v := &trammel.Verdict{Event: u.Event}
			if u.Denied {
				v.Decision, v.Reason = trammel.Deny, u.Failure.Error()
			}
			root := layers.Root(p.Dirs, u.Dirs...)
			u.Event.Session.Project = root
			meta := evidence.Meta{Engine: p.Version, Err: u.Failure, Started: u.Event.Time}
			if _, err := p.log(ctx, root, &settings.Evidence, evidence.FromVerdict(u.Event, v, meta)); err != nil {
				os.Rename(mine, path) // for the next event
				continue
			}
		}
		os.Remove(mine)
	}
	os.Remove(dir) // if it is empty
}

// maxNote is the maximum size of a note: one that is longer was not written here.
const maxNote = 1 << 20

func readNote(path string) (*unanswered, error) {
	data, err := files.ReadInside(filepath.Dir(path), filepath.Base(path), maxNote)
	if err != nil {
		return nil, err
	}
	obj, err := strict.Object(data, strict.Limits{})
	if err != nil {
		return nil, err
	}
	f := strict.FieldsOf(obj, "")
	kind, _ := trammel.ParseKind(f.String("event"))
	u := &unanswered{Event: &trammel.Event{Host: f.String("host"), Kind: kind, Name: f.String("name")}, Dirs: f.Strings("dirs"),
		Denied: f.Bool("denied"), Failure: &trammel.Failure{Code: trammel.Code(f.String("code")), Detail: f.String("detail")}}
	if u.Event.Time, err = time.Parse(time.RFC3339Nano, f.String("time")); err != nil {
		return nil, err
	}
	return u, f.Done()
}
