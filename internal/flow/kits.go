package flow

import (
	"path/filepath"
	"slices"
)

// Route is the workflow that an installed kit has for a kind of work.
type Route struct {
	Kit, Flow, Skill string
	When             []Special // skills for special cases
	Sequence         []string  // what must not be left out
	After            []string  // where it goes on after the checks
}

// Special is a skill for a special case.
type Special struct{ Case, Skill string }

// Routes are the routes of the project's kits for a kind of work. Kits that are
// installed and not active have none, nor have kits that say something in them
// that is no name: it would be repeated to the model.
func (w Workspace) Routes(work string) (out []Route) {
	kits := filepath.Join(w.Root, "kits")
	active, chosen := w.activeKits()
	catalog, _ := readObject(filepath.Join(kits, "catalog.json"))
	for _, entry := range objects(catalog, "kits") {
		dir, _ := entry["path"].(string)
		if dir = filepath.FromSlash(dir); dir == "" || !filepath.IsLocal(dir) {
			continue
		}
		if kit, routes := kitRoutes(filepath.Join(w.Root, dir), work); !chosen || slices.Contains(active, kit) {
			out = append(out, routes...)
		}
	}
	local, _ := readObject(filepath.Join(kits, "local", "installed-kits.json"))
	for _, entry := range objects(local, "kits") {
		if id := text(entry, "id"); isName(id) {
			_, routes := kitRoutes(filepath.Join(kits, "local", "repositories", id), work)
			out = append(out, routes...)
		}
	}
	return out
}

// activeKits are the kits of the catalog that were chosen, if any choice was
// made. A choice that cannot be read is none.
func (w Workspace) activeKits() (ids []string, chosen bool) {
	record, err := readObject(filepath.Join(w.Root, ".flow-agents", "install.json"))
	list, ok := record["active_kits"].([]any)
	if err != nil || !ok {
		return nil, false
	}
	for _, entry := range objects(record, "active_kits") {
		if id := text(entry, "id"); id != "" {
			ids = append(ids, id)
		}
	}
	return ids, len(list) == 0 || len(ids) > 0
}

// kitRoutes reads the manifest of a kit.
func kitRoutes(dir, work string) (kit string, out []Route) {
	obj, err := readObject(filepath.Join(dir, "kit.json"))
	kit = text(obj, "id")
	if err != nil || !isName(kit) {
		return kit, nil
	}
	for _, t := range objects(obj, "workflow_triggers") {
		r := Route{Kit: kit, Flow: text(t, "target_flow_id"), Skill: text(t, "default_skill"), Sequence: texts(t, "required_sequence"),
			After: texts(t, "post_verify_targets")}
		words := slices.Concat([]string{text(t, "id"), text(t, "when")}, r.Sequence, r.After)
		for _, s := range objects(t, "conditional_skills") {
			r.When = append(r.When, Special{text(s, "when"), text(s, "skill")})
			words = append(words, text(s, "when"), text(s, "skill"))
		}
		if !allNames(words) || r.Flow != "" && !isName(r.Flow) || r.Skill != "" && !isName(r.Skill) {
			return kit, nil
		}
		if text(t, "when") == work {
			out = append(out, r)
		}
	}
	return kit, out
}

func allNames(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !isName(w) })
}

// isName reports whether a word is made of small letters and digits, with dots
// and dashes between them.
func isName(word string) bool {
	last := byte('-')
	for i := range len(word) {
		c := word[i]
		between := c == '.' || c == '-'
		if between && (last == '.' || last == '-') || !between && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
			return false
		}
		last = c
	}
	return last != '-' && last != '.'
}
