package config

import (
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/trammel-dev/trammel"
)

// form is one way to say what a hook does.
type form struct {
	key  string
	kind string // the kind of handler
	// may is the least authority that the form needs, and the default of rules.
	may trammel.Authority
	// needs is what an event must be able to do for the form to have an effect.
	needs trammel.Capabilities
	// tightens is true for forms that can only forbid.
	tightens bool
}

var forms = []form{
	{"deny", "rule", trammel.Guard, trammel.Block | trammel.Continue, true},
	{"ask", "rule", trammel.Guard, trammel.CanAsk, true},
	{"approve", "approval", trammel.Guard, trammel.CanAsk, true},
	{"allow", "rule", trammel.Guard, trammel.Approve, false},
	{"context", "rule", trammel.Contextual, trammel.Inject, false},
	{"rewrite", "rule", trammel.Rewrite, trammel.RewriteInput | trammel.RewriteOutput, false},
	{"use", "builtin", trammel.Observe, 0, false},
	{"run", "command", trammel.Observe, 0, false},
	{"exec", "command", trammel.Observe, 0, false},
	{"check", "command", trammel.Guard, trammel.Block | trammel.Continue, false},
	{"http", "http", trammel.Observe, 0, false},
	{"model", "model", trammel.Contextual, 0, false},
	{"pack", "pack", trammel.Observe, 0, false},
}

func formKeys() []string {
	names := make([]string, len(forms))
	for i := range forms {
		names[i] = forms[i].key
	}
	return names
}

// formOf finds the only form of a declaration, and checks that the other keys
// fit it. Otherwise it reports that and returns nil.
func (u *unit) formOf(h *HookDecl) *form {
	v := reflect.ValueOf(h).Elem()
	all := fieldsOf(v.Type())
	given := func(key string) (mark, bool) {
		p := v.FieldByIndex(all.byName[key].Index).Addr().Interface()
		return u.at(p), u.has(p)
	}
	var found *form
	for i := range forms {
		at, ok := given(forms[i].key)
		switch {
		case !ok:
		case found != nil:
			u.source.fail(at, "exactly one of "+strings.Join(formKeys(), ", "), "the hook has both %s and %s", found.key, forms[i].key)
			return nil
		default:
			found = &forms[i]
		}
	}
	if found == nil {
		at := u.at(h)
		at.Found = ""
		if !u.reader.broken[h] { // it may be there under a mistyped name
			u.source.fail(at, "exactly one of "+strings.Join(formKeys(), ", "), "the hook does not say what it does")
		}
		return nil
	}
	for _, name := range all.names {
		goes := all.byName[name].Tag.Get("beside")
		if at, ok := given(name); goes != "" && ok && !slices.Contains(strings.Split(goes, ","), found.key) {
			u.source.fail(at, name+" together with "+oneOf(strings.Split(goes, ",")), "%s cannot be combined with %s", name, found.key)
			return nil
		}
	}
	return found
}

func texts[T ~string](list []T) []string {
	if list == nil {
		return nil
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = string(s)
	}
	return out
}

func duration(d Duration) time.Duration { return time.Duration(d) }
