package effects

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
)

// facts opens a file of facts that is no part of this project.
func facts(t *testing.T, name string) *bufio.Scanner {
	t.Helper()
	f, err := os.Open("../../shared/" + name)
	if err != nil {
		t.Skip("../shared is not there")
	}
	t.Cleanup(func() { f.Close() })
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	return s
}

// TestKnownTricks proves that what ordinary programs can be made to do is seen as
// what it is, for nine in ten examples of GTFOBins. What is left are pagers,
// and files that a program reads by itself (RED: what an
// option runs, reads or writes behind one's back).
func TestKnownTricks(t *testing.T) {
	total, seen, missed := 0, 0, []string(nil)
	for s := facts(t, "corpora/public/gtfobins-effects.dev.jsonl"); s.Scan(); {
		var c struct{ Cmd, Label string }
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		total++
		if shows(effects(c.Cmd), c.Cmd, c.Label) {
			seen++
		} else {
			missed = append(missed, c.Label+": "+c.Cmd)
		}
	}
	t.Logf("%d of %d seen", seen, total)
	for _, m := range missed {
		t.Logf("missed %.300s", m)
	}
	if seen*100 < total*89 {
		t.Errorf("only %d of %d examples are seen as what they are", seen, total)
	}
}

// shows reports whether a reading has the kind of effect that a label names.
func shows(s *Set, command, label string) bool {
	file := func(ops ...model.Op) bool {
		return slices.ContainsFunc(s.Files, func(f File) bool { return slices.Contains(ops, f.Op) })
	}
	runs := len(s.Codes) > 0 || slices.ContainsFunc(s.Runs, func(r Run) bool {
		return r.By >= 0 || r.Program == "sh" || programs.Interactive(&r)
	})
	sends := slices.ContainsFunc(s.Nets, func(n model.Net) bool { return n.Sends || n.Listens })
	switch label {
	case "runs-code", "runs-inner-program":
		return runs
	case "runs-code+network":
		return runs && (len(s.Nets) > 0 || slices.ContainsFunc(s.Codes, func(c model.Code) bool { return c.Origin == model.Network }))
	case "reads-file":
		return file(Read) || slices.ContainsFunc(s.Codes, func(c model.Code) bool { return c.File.Text != "" })
	case "writes-file":
		return file(Write, Move)
	case "sends-file":
		return sends && (file(Read) || runs || !strings.Contains(command, "/path/to/"))
	case "fetches-file":
		return len(s.Nets) > 0 && (file(Write) || !strings.Contains(command, "output-file"))
	case "changes-privilege":
		return file(Mode, Write) || runs
	}
	return false
}

// TestWrappersReachWhatTheyRun proves that a deletion behind a program that is
// known to run a command is seen (RED: wrappers).
func TestWrappersReachWhatTheyRun(t *testing.T) {
	// Words of the shell, and programs whose command is not meant by what follows.
	skip := strings.Fields("- bun do elif else if repeat sed then time until vim while yarn")
	missed := []string(nil)
	for s := facts(t, "facts/wrappers.tsv"); s.Scan(); {
		fields := strings.Split(s.Text(), "\t")
		if len(fields) < 3 || fields[2] != "command" || slices.Contains(skip, fields[0]) {
			continue
		}
		found := false
		for _, line := range []string{" rm -rf ~", " 'rm -rf ~'", " x rm -rf ~", " -- rm -rf ~", " x -- rm -rf ~",
			" \"import os; os.system('rm -rf ~')\""} {
			set := effects(fields[1] + line)
			found = found || slices.ContainsFunc(set.Runs, func(r Run) bool { return r.Program == "rm" && len(r.Args) > 1 })
		}
		if !found {
			missed = append(missed, fields[1])
		}
	}
	for _, m := range missed {
		t.Errorf("%s rm -rf ~: the deletion is not seen", m)
	}
}
