//go:build unix

package standard_test

import (
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/test/dialectsuite"
)

// spoken is an event as its host says it.
type spoken struct {
	host string
	name string // the host's, of the event
	kind trammel.Kind
	raw  string
	dirs []string // that the host was at
	// programs are those that have something to say to it.
	programs []string
}

// in moves the event to a directory.
func (s spoken) in(dir string) string {
	raw := s.raw
	for _, d := range s.dirs {
		raw = strings.ReplaceAll(raw, quoted(d), quoted(dir))
	}
	return raw
}

// events reads what the hosts were seen to send (or, of hosts that cannot be
// run, what they are documented to send) and finds the first shell call, the
// first written file and the first prompt under each name that the host has for
// the event. What they are about is replaced by what the programs look for.
func events(t *testing.T) []spoken {
	t.Helper()
	set := standard.Dialects()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	var out []spoken
	t.Run("payloads", func(t *testing.T) {
		for _, name := range set.Hosts() {
			d, _ := set.Host(name)
			t.Chdir(filepath.Join(root, path.Base(reflect.Indirect(reflect.ValueOf(d)).Type().PkgPath())))
			missing := []string{"deny", "rewrite", "context"}
			for _, p := range dialectsuite.Payloads(t) {
				ev, err := d.DecodeEvent(p.Raw, "")
				if err != nil {
					t.Fatal(err)
				}
				ev.Prepare()
				said := about(ev)
				if said.programs == nil || ev.Host != name || slices.ContainsFunc(out, func(o spoken) bool {
					return o.host == name && o.name == ev.Name && slices.Equal(o.programs, said.programs)
				}) {
					continue
				}
				out = append(out, say(t, d, ev))
				missing = slices.DeleteFunc(missing, func(program string) bool { return slices.Contains(said.programs, program) })
			}
			if len(missing) > 0 {
				t.Errorf("%s: nothing among its payloads for %v", name, missing)
			}
		}
	})
	return out
}

// say has a host say what the programs look for, in place of its own.
func say(t *testing.T, d trammel.HostDialect, ev *trammel.Event) spoken {
	own := about(ev)
	s := spoken{host: ev.Host, name: ev.Name, kind: ev.Kind, programs: own.programs}
	s.raw = strings.ReplaceAll(string(ev.Raw), quoted(own.text), quoted(own.wanted))
	if s.raw == string(ev.Raw) { // a path within a patch
		s.raw = strings.ReplaceAll(s.raw, own.text, own.wanted)
	}
	for _, dir := range []string{ev.Session.Dir, ev.Session.Project} {
		if dir != "" {
			s.dirs = append(s.dirs, dir)
		}
	}
	changed, err := d.DecodeEvent([]byte(s.raw), s.name)
	if err != nil {
		t.Fatal(err)
	}
	changed.Prepare()
	if got := about(changed); got.text != own.wanted || !slices.Equal(got.programs, own.programs) {
		t.Fatalf("%s says %q on %s, expected %q", s.host, got.text, s.name, own.wanted)
	}
	return s
}

// subject is what an event is about, and what it shall be about.
type subject struct {
	text, wanted string
	programs     []string
}

// about finds what an event of the matrix is about; nothing for all others.
func about(ev *trammel.Event) subject {
	switch {
	case ev.Kind == trammel.UserPromptSubmit:
		return subject{ev.Prompt.Text, prompt, []string{"context"}}
	case ev.Kind != trammel.PreToolUse:
	case ev.Tool.Action.Kind == trammel.ShellAction:
		return subject{ev.Tool.Action.Command, command, []string{"deny", "rewrite"}}
	case ev.Tool.Action.Kind == trammel.WriteAction && len(ev.Tool.Action.Paths) == 1:
		return subject{ev.Tool.Action.Paths[0], file, []string{"deny-write"}}
	}
	return subject{}
}

func quoted(s string) string {
	q, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		panic(err) // it was read from JSON
	}
	return string(q)
}
