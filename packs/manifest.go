package packs

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel/dialects/fst"
	"github.com/trammel-dev/trammel/internal/files"
)

// maxTimeout is the longest that a manifest may let a call take.
const maxTimeout = 10 * time.Minute

// read reads the manifest of the pack in root, and what the process manifest
// adds to it.
func (r *report) read(root string) *Pack {
	data, err := files.ReadInside(root, ManifestName, maxManifest+1)
	switch {
	case errors.Is(err, os.ErrNotExist):
		r.add(Error, "manifest_missing", place{}, "there is no %s in %s; trammel pack init makes a pack", ManifestName, root)
		return nil
	case err != nil:
		r.add(Error, "manifest_unreadable", place{}, "%v", err)
		return nil
	}
	top := r.parse(ManifestName, data)
	if top == nil {
		return nil
	}
	p := &Pack{Dir: root}
	m := r.object(top, "runtime", "contract", "hooks")
	if rt := r.object(r.need(top, m, "runtime"), "id", "kind", "command", "timeout_ms"); rt != nil {
		r.runtime(p, m["runtime"], rt)
	}
	if c := r.object(r.need(top, m, "contract"), "input_protocol", "output_protocol", "forbidden_output_fields",
		"allowed_output_fields"); c != nil {
		r.contract(p, m["contract"], c)
	}
	r.hooks(p, r.list1(r.need(top, m, "hooks")))
	return p
}

func (r *report) runtime(p *Pack, at *value, m map[string]*value) {
	p.Runtime.ID = r.id(r.need(at, m, "id"))
	if kind := r.need(at, m, "kind"); kind != nil {
		if p.Runtime.Kind = r.text(kind); p.Runtime.Kind != "" && p.Runtime.Kind != Python && p.Runtime.Kind != Node {
			r.add(Error, "unknown_runtime_kind", kind.place, "found %q, expected %s or %s", p.Runtime.Kind, Python, Node)
		}
	}
	if t := r.need(at, m, "timeout_ms"); t != nil {
		ms, ok := t.at.(int64)
		if !ok || ms <= 0 || ms > maxTimeout.Milliseconds() {
			r.add(Error, "bad_timeout", t.place, "expected a whole number of milliseconds from 1 to %d", maxTimeout.Milliseconds())
		}
		p.Runtime.Timeout = time.Duration(ms) * time.Millisecond
	}
	if c := r.need(at, m, "command"); c != nil {
		list := r.list1(c)
		for _, e := range list {
			p.Runtime.Command = append(p.Runtime.Command, r.text(e))
		}
		if len(list) > 0 && !r.failed {
			r.command(p, list)
		}
	}
}

func (r *report) contract(p *Pack, at *value, m map[string]*value) {
	r.protocol(r.need(at, m, "input_protocol"), fst.CallProtocol)
	r.protocol(r.need(at, m, "output_protocol"), fst.ResultProtocol)
	var more []string
	if v := m["forbidden_output_fields"]; v != nil {
		for _, e := range r.list1(v) {
			more = append(more, r.text(e))
		}
		for _, name := range fst.Authority() {
			if !slices.Contains(more, name) {
				r.add(Warning, "always_forbidden", v.place, "%s is not listed, but it is forbidden anyway", name)
			}
		}
	}
	p.Contract.Forbidden = fst.ForbiddenNames(append(more, r.processForbids(p.Dir)...)...)
	p.Contract.Allowed = fst.Fields()
	v := m["allowed_output_fields"]
	if v == nil {
		return
	}
	p.Contract.Allowed = nil
	for _, e := range r.list1(v) {
		switch name := r.text(e); {
		case p.Contract.Forbidden.Has(name):
			r.add(Error, "forbidden_output_allowed", e.place, "%q is forbidden and cannot be allowed", name)
		case !slices.Contains(fst.Fields(), name):
			r.add(Error, "unknown_output_field", e.place, "found %q, expected one of %s", name, strings.Join(fst.Fields(), ", "))
		default:
			p.Contract.Allowed = append(p.Contract.Allowed, name)
			p.Contract.Artifacts = p.Contract.Artifacts || name == "artifacts"
		}
	}
	if !slices.Contains(p.Contract.Allowed, "status") {
		r.add(Error, "status_not_allowed", v.place, "a result needs a status: allow status")
	}
}

func (r *report) protocol(v *value, want string) {
	if v != nil && v.at != want {
		r.add(Error, "unsupported_protocol", v.place, "expected %s", want)
	}
}

// processName is the manifest of the whole process, of which only
// forbidden.hook_outputs is of interest here.
const processName = "process.manifest.yaml"

func (r *report) processForbids(root string) (names []string) {
	data, err := files.ReadInside(root, processName, maxManifest+1)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		r.add(Error, "manifest_unreadable", place{file: processName}, "%v", err)
		return nil
	}
	top := r.parse(processName, data)
	if top == nil {
		return nil
	}
	m, _ := top.at.(map[string]*value)
	if v := r.mapping(m["forbidden"])["hook_outputs"]; v != nil {
		for _, e := range r.list1(v) {
			names = append(names, r.text(e))
		}
	}
	return names
}

func (r *report) hooks(p *Pack, list []*value) {
	seen := map[string]bool{}
	for _, v := range list {
		m := r.object(v, "id", "type", "input_artifact_type", "description")
		if m == nil {
			continue
		}
		h := Hook{ID: r.id(r.need(v, m, "id"))}
		if h.ID != "" && seen[h.ID] {
			r.add(Error, "duplicate_hook_id", m["id"].place, "hook %q is already declared", h.ID)
		}
		seen[h.ID] = true
		if t := r.need(v, m, "type"); t != nil {
			if h.Type = fst.Type(r.text(t)); h.Type != "" && !slices.Contains(fst.Types(), h.Type) {
				r.add(Error, "unknown_hook_type", t.place, "found %q, expected one of %v", h.Type, fst.Types())
			}
		}
		if a := m["input_artifact_type"]; a != nil {
			h.ArtifactType = r.text(a)
		} else if h.Type == fst.Validate {
			r.need(v, m, "input_artifact_type")
		}
		if d := m["description"]; d != nil {
			h.Description = r.text(d)
		} else {
			r.add(Warning, "no_description", v.place, "a hook should say what it is for")
		}
		p.Hooks = append(p.Hooks, h)
	}
}

// mapping reads a mapping; nil if it is something else.
func (r *report) mapping(v *value) map[string]*value {
	if v == nil {
		return nil
	}
	m, ok := v.at.(map[string]*value)
	if !ok {
		r.add(Error, "wrong_type", v.place, "expected a mapping")
	}
	return m
}

// object reads a mapping with only these keys; nil if it is something else.
func (r *report) object(v *value, known ...string) map[string]*value {
	m := r.mapping(v)
	if m == nil {
		return nil
	}
	for _, key := range v.keys {
		if !slices.Contains(known, key) {
			r.add(Error, "unknown_field", m[key].place, "expected one of %s", strings.Join(known, ", "))
		}
	}
	return m
}

// need reads a required field.
func (r *report) need(in *value, m map[string]*value, key string) *value {
	if m == nil {
		return nil
	}
	v := m[key]
	if v == nil || v.at == nil {
		at := in.place
		at.path = strings.TrimPrefix(at.path+"."+key, ".")
		r.add(Error, "missing_field", at, "%s is mandatory", key)
		return nil
	}
	return v
}

// list1 reads a list that is not empty.
func (r *report) list1(v *value) []*value {
	if v == nil {
		return nil
	}
	list, ok := v.at.([]*value)
	if !ok || len(list) == 0 {
		r.add(Error, "wrong_type", v.place, "expected a list that is not empty")
	}
	return list
}

func (r *report) text(v *value) string {
	s, ok := v.at.(string)
	if !ok || strings.TrimSpace(s) == "" || strings.ContainsRune(s, 0) {
		r.add(Error, "wrong_type", v.place, "expected text")
		return ""
	}
	return s
}

// id reads a name that is safe in paths, records and expressions.
func (r *report) id(v *value) string {
	if v == nil {
		return ""
	}
	s := r.text(v)
	bad := func(c rune) bool {
		return c != '_' && c != '-' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	}
	if s != "" && (len(s) > 128 || strings.ContainsFunc(s, bad) || strings.ContainsAny(s[:1], ".-")) {
		r.add(Error, "bad_id", v.place, "found %s, expected letters, digits, _, - and .", fmt.Sprintf("%.40q", s))
	}
	return s
}
