package selfprotection

import (
	"path/filepath"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
)

// Everything people use to make decisions is completely off limits, even for
// reading: the store, the keys, the server's socket, and the addresses at which it
// accepts decisions.

const authorityReason = "PLACE is what people decide with, and no agent gets to it, not even to look. `trammel approvals list` and " +
	"`show` " +
	"are yours to use."

// private returns these paths.
func (g *guard) private() []string {
	if g.dirs.State == "" {
		return nil
	}
	return []string{filepath.Join(g.dirs.State, "approvals"), filepath.Join(g.dirs.State, "server.sock")}
}

func isPrivate(places []string, name string) (string, bool) {
	for _, p := range places {
		if within(name, p) {
			return p, true
		}
	}
	return "", false
}

// looks judges a tool that only reads.
func (g *guard) looks(ev *trammel.Event) (out trammel.Answer) {
	for _, name := range ev.Tool.Action.Paths {
		base := filepath.Base(g.dirs.State)
		if !strings.Contains(name, base) && !strings.Contains(ev.Session.Dir, base) {
			continue // nearly all are not
		}
		at := effects.At(ev)
		if p := effects.Resolve(at, name); p.Known() {
			for _, abs := range [...]string{p.Abs, p.Real} {
				if hit, ok := isPrivate(both(&paths.Resolver{World: at.World}, g.private()), abs); ok {
					refuseAuthority(&out, hit)
					break
				}
			}
		}
	}
	if u := ev.Tool.Action.URL; u != "" && decides(u) {
		refuseAuthority(&out, u)
	}
	return out
}

func refuseAuthority(a *trammel.Answer, place string) {
	a.Add(trammel.Deny, trammel.Finding{Code: "trammel_authority", Severity: "critical", Target: place},
		strings.ReplaceAll(authorityReason, "PLACE", place))
}

// authority judges what programs do with these paths: the files they touch, the
// paths in their arguments, the addresses they contact.
func (j *judgement) authority() {
	for _, t := range effects.Touches(j.ev) {
		if !t.Path.Known() || t.Op == effects.Search {
			continue
		}
		places := j.off()
		for _, name := range t.Names() {
			hit, ok := isPrivate(places, name)
			if !ok && t.Tree && t.Op == effects.Read && len(places) > 0 && within(places[0], name) && (within(name, j.dirs.State) ||
				j.copies(t.Run)) {
				hit, ok = places[0], true
			}
			if ok {
				refuseAuthority(&j.report, hit)
				return
			}
		}
	}
	for i := range j.set.Runs {
		if hit, ok := j.namesPrivate(&j.set.Runs[i]); ok {
			refuseAuthority(&j.report, hit)
			return
		}
	}
	for i := range j.set.Nets {
		if u := j.set.Nets[i].URL; decides(u) {
			refuseAuthority(&j.report, u)
			return
		}
	}
}

// off are the places that are off limits, also with links resolved.
func (j *judgement) off() []string {
	if j.places == nil {
		j.places = both(&j.links, j.private())
	}
	return j.places
}

// namesPrivate finds one of these paths in the arguments of a run, also as part of
// an argument: --unix-socket=PLACE, UNIX-CONNECT:PLACE, file:PLACE?mode=ro.
func (j *judgement) namesPrivate(r *effects.Run) (string, bool) {
	switch r.Program {
	case "ls", "stat", "test", "[", "du", "find":
		return "", false
	}
	if r.Data {
		return "", false
	}
	for _, w := range r.Args {
		if !strings.ContainsAny(w.Text, `/\.`) && !strings.Contains(w.Text, "approvals") {
			continue // as it names no place, or none of these
		}
		places := j.off()
		for _, p := range places {
			if i := strings.Index(w.Text, p); i >= 0 && (len(w.Text) == i+len(p) || !nameByte(w.Text[i+len(p)])) {
				return p, true
			}
		}
		if strings.HasPrefix(w.Text, "-") || !strings.Contains(w.Text, ".") && !strings.Contains(w.Text, "approvals") {
			continue
		}
		if name := w.Text; r.Dir.Abs != "" && !filepath.IsAbs(name) {
			if hit, ok := isPrivate(places, filepath.Join(r.Dir.Abs, name)); ok {
				return hit, true
			}
		}
	}
	return "", false
}

func nameByte(c byte) bool {
	return c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// serverPort is the default port of `trammel serve`.
const serverPort = "7777"

// decides reports whether an address is one at which a server on this machine
// accepts decisions: by its path, or by the default port.
func decides(address string) bool {
	_, rest, ok := strings.Cut(address, "://")
	if !ok {
		rest = address
	}
	host, path, _ := strings.Cut(rest, "/")
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		host = host[i+1:]
	}
	switch {
	case strings.HasPrefix(host, "localhost"), strings.HasPrefix(host, "127."), strings.HasPrefix(host, "[::1]"),
		strings.HasPrefix(host, "0.0.0.0"):
	default:
		return false
	}
	return strings.HasPrefix(path, "v1/approvals/") || strings.HasPrefix(path, "v1/grants/") ||
		strings.HasSuffix(host, ":"+serverPort) && !strings.HasPrefix(path, "v1/events") && !strings.HasPrefix(path, "healthz")
}
