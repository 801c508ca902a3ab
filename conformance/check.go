package conformance

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/trammel-dev/trammel"
)

// trial is one fixture on one adapter.
type trial struct {
	adapter *Adapter
	host    *hostData
	fixture *Fixture
	values  values
	result  *Result
	payload []byte // as it was sent
}

func (t *trial) problem(expected, got string) {
	t.result.Problems = append(t.result.Problems, Problem{expected, got})
}

// expected is the class that the host can show, and whether that is less than
// the fixture wants.
func (t *trial) expected() (class Class, lesser bool) {
	want := t.fixture.Expect.Class
	if slices.Contains(t.host.LetsThrough, t.fixture.Spoil.name) {
		return Allow, true
	}
	if len(t.host.Forms[t.fixture.Event][want]) > 0 {
		return want, false
	}
	return want.weaker(), true
}

// reply checks that the host would take the answer for what it should be.
func (t *trial) reply(r trammel.Reply, class Class, lesser bool) {
	if lesser && class == Allow {
		return // lost, and recorded as such; what the person is told is not ours to judge
	}
	want := said{text: t.fixture.Expect.Text, payload: t.payload}
	if command := t.fixture.Expect.Command; command != "" {
		want.input = map[string]any{t.host.Arguments["command"]: command}
		if lesser {
			want.text = "" // the corrected call is in the reason, as JSON
		}
	}
	var differs []string
	for _, form := range t.host.Forms[t.fixture.Event][class] {
		why := form.differs(r, want, t.host.Open)
		if why == "" {
			return
		}
		differs = append(differs, why)
	}
	t.problem(fmt.Sprintf("%s in a form that %s honours", class, t.host.Host),
		fmt.Sprintf("exit %d, stdout %q, stderr %q (%s)", r.Exit, cut(r.Stdout), cut(r.Stderr), strings.Join(differs, "; or ")))
}

// record checks that the event is on record as the fixture says.
func (t *trial) record(b *box, class Class, lesser bool) {
	wanted := maps.Clone(t.fixture.Expect.Record)
	if len(wanted) == 0 {
		return
	}
	for path, text := range wanted {
		wanted[path] = values{"decision": class.decision(), "session": t.values["session"]}.text(text)
	}
	if lesser && t.adapter.ours {
		wanted["degraded.0.became"] = "*"
	}
	records, err := b.records()
	if err != nil {
		t.problem("readable records", err.Error())
		return
	}
	if len(records) == 0 {
		t.problem("a record of the event", "none was written")
		return
	}
	var differs []string
	for _, r := range records {
		why := misses(r, wanted)
		if why == "" {
			return
		}
		differs = append(differs, why)
	}
	t.problem("a record with "+listed(wanted), strings.Join(differs, "; or "))
}

// absent checks that something did not get out.
func (t *trial) absent(b *box) {
	text := t.fixture.Expect.Absent
	if text == "" {
		return
	}
	file, err := b.holds(text)
	switch {
	case err != nil:
		t.problem("readable files", err.Error())
	case file != "":
		t.problem("nothing that holds "+strconv.Quote(text), "it is in "+file)
	}
}

// misses says what a record lacks.
func misses(record map[string]any, wanted map[string]string) string {
	for _, path := range slices.Sorted(maps.Keys(wanted)) {
		if got := at(record, path); !is(got, wanted[path]) {
			return fmt.Sprintf("%s is %v", path, got)
		}
	}
	return ""
}

// is reports whether a value is the wanted text, or one of several that are.
func is(got any, want string) bool {
	if list, ok := got.([]any); ok {
		return slices.ContainsFunc(list, func(v any) bool { return is(v, want) })
	}
	text, ok := got.(string)
	return ok && (want == "*" || text == want)
}

// at follows a path of keys and numbers; * stands for every entry of a list.
func at(v any, path string) any {
	if before, after, ok := strings.Cut(path, ".*."); ok {
		list, _ := at(v, before).([]any)
		var all []any
		for _, e := range list {
			all = append(all, at(e, after))
		}
		return all
	}
	for _, step := range strings.Split(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

func listed(m map[string]string) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, key+"="+m[key])
	}
	return strings.Join(parts, " ")
}
