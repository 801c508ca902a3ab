package install

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
	"github.com/trammel-dev/trammel/internal/canonical"
)

// current reports what keeps a document from being wired as we would wire it.
// An empty answer means that nothing has to be done.
func (w *wiring) current(d *document) ([]string, error) {
	hooks, lists, err := d.hooks(w.listed)
	if err != nil {
		return nil, err
	}
	var out []string
	if hooks == nil {
		return []string{"no hooks"}, nil
	}
	for _, m := range w.head {
		if find(d.obj, m.Name) == nil {
			out = append(out, m.Name+" is missing")
		}
	}
	wanted := map[string]int{}
	for _, en := range w.entries {
		event := en.event
		if w.listed {
			event = ""
		}
		wanted[event]++
		if why := w.present(lists[event], en); why != "" {
			out = append(out, en.event+": "+why)
		}
	}
	for event, v := range lists {
		n := 0
		for _, el := range v.Value.(*hujson.Array).Elements {
			if holdsOwned(&el) {
				n++
			}
		}
		if n > wanted[event] {
			out = append(out, strings.TrimPrefix(event+": ", ": ")+"it has an entry of ours that does not belong there")
		}
	}
	slices.Sort(out)
	return out, nil
}

func (w *wiring) present(v *hujson.Value, en entry) string {
	if v == nil {
		return "it has no entry of ours"
	}
	want := plainOf(en.value)
	why := "it has no entry of ours"
	for _, el := range v.Value.(*hujson.Array).Elements {
		if !holdsOwned(&el) {
			continue
		}
		got := valueOf(el)
		if canonical.DigestOf(got) == canonical.DigestOf(want) {
			return ""
		}
		if m, ok := got.(map[string]any); ok && (!w.listed || m["name"] == want.(map[string]any)["name"]) {
			why = differ(got, want)
		}
	}
	return why
}

// differ names the first keys in which an entry differs from what it should be.
func differ(got, want any) string {
	g, ok1 := got.(map[string]any)
	w, ok2 := want.(map[string]any)
	if !ok1 || !ok2 {
		return "differs from what would be written"
	}
	if inner, ok := w["hooks"].([]any); ok && len(inner) == 1 {
		if found, ok := g["hooks"].([]any); ok && len(found) == 1 && canonical.DigestOf(found) != canonical.DigestOf(inner) {
			return differ(found[0], inner[0])
		}
	}
	var out []string
	for name := range union(g, w) {
		if canonical.DigestOf(g[name]) != canonical.DigestOf(w[name]) {
			out = append(out, fmt.Sprintf("%s is %s, expected %s", name, text(g, name), text(w, name)))
		}
	}
	slices.Sort(out)
	return strings.Join(out, "; ")
}

func union(a, b map[string]any) map[string]bool {
	out := map[string]bool{}
	for k := range a {
		out[k] = true
	}
	for k := range b {
		out[k] = true
	}
	return out
}

func text(m map[string]any, name string) string {
	v, ok := m[name]
	if !ok {
		return "missing"
	}
	out, err := canonical.Append(nil, v)
	if err != nil {
		return "unreadable"
	}
	return string(out)
}

// plainOf is valueOf for our own values.
func plainOf(v any) any {
	switch v := v.(type) {
	case object:
		out := make(map[string]any, len(v))
		for _, m := range v {
			out[m.Name] = plainOf(m.Value)
		}
		return out
	case list:
		out := make([]any, len(v))
		for i := range v {
			out[i] = plainOf(v[i])
		}
		return out
	case int:
		return float64(v)
	}
	return v
}
