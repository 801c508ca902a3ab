// Package pathguard is the policy path-guard: which files an agent may read,
// change and remove, as globs per action.
package pathguard

import (
	"context"
	"fmt"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/match"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/internal/option"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	p := option.Guard("path-guard", "restricts which files may be read, changed and removed, by globs per action",
		Options{Outside: "allow", OutsideRead: "allow", Unknown: "ask"}, build)
	p.Idle = idle
	return p
}

// Options configure the policy.
type Options struct {
	Deny        Globs  `json:"deny,omitempty" jsonschema:"Files that are out of reach, as globs per action."`
	Allow       Globs  `json:"allow,omitempty" jsonschema:"The only files within reach, as globs per action; an action that is not named here is not restricted."`
	Outside     string `json:"outside,omitempty" enum:"allow,ask,deny" jsonschema:"What happens to changes outside of the project; temporary directories are excepted."`
	OutsideRead string `json:"outside_read,omitempty" enum:"allow,ask,deny" jsonschema:"What happens to reads outside of the project; temporary directories and those of programs (/usr, /opt, /lib, /proc, /dev) are excepted."`
	Unknown     string `json:"unknown,omitempty" enum:"allow,ask,deny" jsonschema:"What happens where the files are unknown, for actions that are restricted."`
}

// Globs are the globs of each action. A glob is matched against the path within
// the project and the absolute path; one without a slash against the name. ~/ is
// the home directory, and a leading ! makes an exception.
type Globs struct {
	Read   []string `json:"read,omitempty" jsonschema:"Reading content, and listing or searching below a directory."`
	Search []string `json:"search,omitempty" jsonschema:"Only listing or searching names; in allow it stands in for read there."`
	Write  []string `json:"write,omitempty" jsonschema:"Every change: creating, editing, removing, moving, linking, permissions."`
	Delete []string `json:"delete,omitempty" jsonschema:"Only removing and moving away; in allow it stands in for write there."`
}

func build(o Options, _ trammel.Spec) (trammel.Handler, error) {
	g := &guard{o}
	for _, globs := range [...][]string{g.Deny.Read, g.Deny.Search, g.Deny.Write, g.Deny.Delete, g.Allow.Read, g.Allow.Search,
		g.Allow.Write, g.Allow.Delete} {
		for _, glob := range globs {
			if err := match.CheckGlob(glob); err != nil {
				return nil, err
			}
		}
	}
	return g, nil
}

// idle reports whether a call certainly touches no file.
func idle(ev *trammel.Event) bool {
	if ev.Tool == nil {
		return true
	}
	if _, bad := effects.Unreadable(ev); bad {
		return false
	}
	return len(effects.Of(ev).Doubts) == 0 && len(effects.Touches(ev)) == 0
}

type guard struct{ Options }

// Handle judges one event.
func (g *guard) Handle(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Tool == nil {
		return trammel.Answer{}, nil
	}
	j := judgement{guard: g, ev: ev, set: effects.Of(ev), root: ev.Session.Place()}
	j.in = match.In(world.Of(ev), j.root)
	if name, bad := effects.Unreadable(ev); bad {
		j.add(trammel.Deny, "unreadable_input", name, fmt.Sprintf("The argument %q of %s is not text, so it is unknown which file is meant. "+
			"Call it with a path.", name, ev.Tool.Name))
	}
	for _, t := range effects.Touches(j.ev) {
		j.touch(t)
	}
	j.doubts()
	return j.report, nil
}

// doubts judges what is unknown. It skips doubts about what a tool does to its
// paths, because that is assumed already.
func (j *judgement) doubts() {
	if !j.restrictsReads() && !j.restrictsChanges() {
		return
	}
	for i := range j.set.Doubts {
		if d := &j.set.Doubts[i]; d.Run >= 0 || d.Code != "argument" {
			j.add(trammel.DecisionOf(j.Unknown), "unknown_effect", d.What,
				fmt.Sprintf("It is unknown which files this call touches, because of %q (%s). Write the command so that its files are named.",
					d.What, d.Code))
			return
		}
	}
}

func (g *guard) restrictsReads() bool {
	return g.OutsideRead != "allow" || len(g.Deny.Read)+len(g.Deny.Search)+len(g.Allow.Read)+len(g.Allow.Search) > 0
}

func (g *guard) restrictsChanges() bool {
	return g.Outside != "allow" || len(g.Deny.Write)+len(g.Deny.Delete)+len(g.Allow.Write)+len(g.Allow.Delete) > 0
}

type judgement struct {
	*guard
	ev     *trammel.Event
	set    *effects.Set
	root   string // the project's
	in     *match.Globs
	report trammel.Answer
}

func (j *judgement) add(d trammel.Decision, code, target, reason string) {
	j.report.Add(d, trammel.Finding{Code: code, Target: target}, reason)
}
