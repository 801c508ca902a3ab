// Package selfprotection is the policy self-protection: an agent cannot change
// what guards it.
package selfprotection

import (
	"context"
	"fmt"
	"iter"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel"
	"github.com/trammel-dev/trammel/dialects/standard"
	"github.com/trammel-dev/trammel/effects"
	"github.com/trammel-dev/trammel/effects/paths"
	"github.com/trammel-dev/trammel/effects/world"
	"github.com/trammel-dev/trammel/internal/option"
)

// Policy returns the declaration of the policy.
func Policy() trammel.Policy {
	return option.Guard("self-protection",
		"keeps Trammel's configuration, records, programs and host wiring, and its trust command, out of the agent's reach",
		Options{ProjectConfig: "ask", Unknown: "allow"}, build)
}

// folds is true if the file system ignores case.
const folds = runtime.GOOS == "darwin" || runtime.GOOS == "windows"

// Options configure the policy.
type Options struct {
	ProjectConfig string `json:"project_config,omitempty" enum:"allow,ask,deny" jsonschema:"What happens to changes of a project's own trammel.yaml and hooks.d, which loosen nothing before a person trusts them. Even with allow, a person is asked before they are removed, moved, emptied or changed by a command."`
	Unknown       string `json:"unknown,omitempty" enum:"allow,ask,deny" jsonschema:"What happens to a command that changes a file whose name is unknown and that names nothing of Trammel's."`
}

func build(o Options, spec trammel.Spec) (trammel.Handler, error) { return &guard{o, spec.Dirs}, nil }

type guard struct {
	Options
	dirs trammel.Dirs
}

// Handle judges one event.
func (g *guard) Handle(_ context.Context, ev *trammel.Event) (trammel.Answer, error) {
	if ev.Tool == nil {
		return trammel.Answer{}, nil
	}
	if effects.Reads(ev) {
		return g.looks(ev), nil
	}
	j := judgement{guard: g, ev: ev, set: effects.Of(ev), links: paths.Resolver{World: world.Of(ev)}}
	if name, bad := effects.Unreadable(ev); bad {
		j.add(trammel.Deny, "unreadable_input", name, fmt.Sprintf("The argument %q of %s is not text, so it is unknown which file it would "+
			"change. Call it with a path.", name, ev.Tool.Name))
	}
	j.files()
	for i := range j.set.Runs {
		j.command(i, &j.set.Runs[i])
	}
	j.authority()
	j.unlooked()
	return j.report, nil
}

type judgement struct {
	*guard
	ev     *trammel.Event
	set    *effects.Set
	report trammel.Answer
	here   *grounds // computed on demand
	places []string // that are off limits, computed on demand
	seeks  *string  // our processes that the line looks up, computed on demand
	links  paths.Resolver
}

// grounds are the places of this machine.
func (j *judgement) grounds() *grounds {
	if j.here == nil {
		j.here = groundsHere(j.dirs, j.ev, &j.links)
	}
	return j.here
}

func (j *judgement) add(d trammel.Decision, code, target, reason string) {
	severity := "critical"
	if d == trammel.Ask {
		severity = "warning"
	}
	j.report.Add(d, trammel.Finding{Code: code, Severity: severity, Target: target}, reason)
}

func (j *judgement) files() {
	for _, t := range effects.Touches(j.ev) {
		if !t.Changes() && (t.Op != effects.Read || !isProgram(path.Base(t.Path.Abs)) && !isProgram(path.Base(t.Path.Real))) {
			continue // reading matters only if it copies our programs
		}
		if !t.Path.Known() {
			j.unknown(t)
			continue
		}
		here := j.grounds()
		k, hit := here.of(t)
		switch {
		case k == nothing && t.Covers():
			j.covered(here, t)
		case k == nothing || !t.Changes() && (k != program || !j.copies(t.Run)):
		case t.Readable && (k == hostWiring || k == projectConfig): // the file is still in force
		case k == projectConfig && j.cleaned(here, t, hit):
		case k == projectConfig && j.perhaps(here, t, hit):
		case k == projectConfig && here.exists(hit) && !j.edits(t):
			j.removed(hit)
		default:
			j.refuse(k, hit)
		}
	}
}

// perhaps judges moving or copying by a pattern that could replace a project's
// rules, if a file of that name exists. Trusted rules stay in force anyway.
func (j *judgement) perhaps(here *grounds, t *effects.Touch, hit string) bool {
	if t.Run < 0 || t.Op != effects.Write || !t.Path.Glob || t.Tree && t.Path.Some {
		return false
	}
	for i := range j.set.Files {
		f := &j.set.Files[i]
		if f.Run != t.Run || f.Op != effects.Move && f.Op != effects.Read || !f.Path.Known() || !f.Path.Glob {
			continue
		}
		from := filepath.Dir(f.Path.Abs)
		if strings.ContainsAny(from, "*?[{") || here.exists(filepath.Join(from, filepath.Base(hit))) {
			return false
		}
		if !here.exists(from) || j.fills(from, t.Run) {
			j.add(trammel.DecisionOf(j.Unknown), projectConfig.code(), hit,
				fmt.Sprintf("This may put another file in the place of %s, which holds rules for this very agent. Name what is moved.", hit))
		}
		return true
	}
	return false
}

// fills reports whether the call puts something into a directory, other than by run but.
func (j *judgement) fills(dir string, but int) bool {
	return slices.ContainsFunc(j.set.Files, func(f effects.File) bool {
		return f.Run != but && f.Op != effects.Read && f.Path.Known() && within(f.Path.Abs, dir)
	})
}

// edits reports whether a file tool changes a file and leaves text in it. The
// result of a command is unknown.
func (j *judgement) edits(t *effects.Touch) bool {
	a := &j.ev.Tool.Action
	return t.Run < 0 && t.Op == effects.Write && a.Command == "" &&
		(a.Kind == trammel.EditAction || a.Kind == trammel.WriteAction && strings.TrimSpace(a.Content) != "")
}

// removed judges that a project's rules may be gone afterwards. An agent may not do
// that even if it may change them.
func (j *judgement) removed(file string) {
	j.add(max(trammel.Ask, trammel.DecisionOf(j.ProjectConfig)), projectConfig.code(), file,
		fmt.Sprintf("%s holds rules for this very agent, and "+
			"they may be gone after this. Change them with an edit; what was trusted holds until a person runs `trammel trust`.", file))
}

// covered judges writing to an unknown path below a directory that contains
// something of ours.
func (j *judgement) covered(here *grounds, t *effects.Touch) {
	above := t.As(effects.Delete) // as far as a place below is concerned
	k, hit := here.named(t.Path.Abs, above)
	switch {
	case k == nothing:
	case t.Run >= 0 && j.set.Runs[t.Run].Program == "mount":
		j.refuse(k, hit)
	default:
		j.add(trammel.Ask, k.code(), hit, fmt.Sprintf("This writes below %s, where %s is, and it is unknown which files. A person should "+
			"decide; writing to a directory of its own needs no question.", t.Path.Abs, hit))
	}
}

// copies reports whether a run makes another file from what it reads: a copy of
// trammel under another name would not be recognized.
func (j *judgement) copies(run int) bool {
	if run < 0 {
		return false
	}
	switch j.set.Runs[run].Program {
	case "cp", "install", "dd", "cat", "rsync", "ditto", "tee", "scp", "tar", "zip", "python", "python3", "node", "perl", "ruby":
		return true
	}
	return false
}

// reasons say what each kind of place is, and what to do instead.
var reasons = [...]string{
	projectConfig: "PLACE holds rules for this very agent. A person should see the change; it takes effect when they run `trammel trust`.",
	cacheSwept: "This removes PLACE with the caches of other programs. It is made again, but a person should decide; remove the cache " +
		"that is meant by its name.",
	perhapsLinked: "This file has another name, and there are too many files in PLACE to tell whether it is one of them. A person " +
		"should decide.",
	perhapsMatched: "There are too many files in PLACE to tell whether this pattern stands for one of them. A person should decide; a " +
		"pattern " +
		"that begins in the project needs no question.",
	configAbove: "PLACE would hold rules for everything below it, and the project is only a part of that. Rules belong in the " +
		"project's own trammel.yaml.",
	config: "PLACE is Trammel's configuration, and the agent that it restrains must not change it. Propose the change to the person; " +
		"in a project, rules belong in its trammel.yaml.",
	records:    "PLACE holds Trammel's records: evidence, trust, counters. Reading them is fine (`trammel evidence`), changing them is not.",
	program:    "PLACE is the program that guards this session. Leave it where it is and as it is; a person can update it.",
	hostWiring: "PLACE decides whether this agent calls its hooks. Tell the person what should change in it.",
}

func (j *judgement) refuse(k kind, place string) {
	decision := trammel.Deny
	switch k {
	case nothing:
		return
	case projectConfig:
		decision = trammel.DecisionOf(j.ProjectConfig)
	case perhapsLinked, perhapsMatched, cacheSwept:
		decision = trammel.Ask
	}
	j.add(decision, k.code(), place, strings.ReplaceAll(reasons[k], "PLACE", place))
}

// unknown judges an unknown path. If the line names something of Trammel's, that is
// assumed to be the path.
func (j *judgement) unknown(t *effects.Touch) {
	if !t.Changes() {
		return
	}
	if word, ok := j.mention(t); ok {
		j.add(trammel.Deny, "unknown_path", word, fmt.Sprintf("It is unknown which file this changes, and the command names %q, which is off "+
			"limits. Name the file that you mean.", word))
		return
	}
	j.add(trammel.DecisionOf(j.Unknown), "unknown_path", t.Path.Text,
		fmt.Sprintf("It is unknown which file %q is, and some are off limits. Name the file.", t.Path.Text))
}

func (j *judgement) mention(t *effects.Touch) (string, bool) {
	if names(t.Path.Text) {
		return t.Path.Text, true
	}
	for word := range effects.Words(j.set, t.Run) {
		if names(word) {
			return word, true
		}
	}
	return "", false
}

// unlooked judges a command that was understood only in part: then it is enough
// that it names something of ours.
func (j *judgement) unlooked() {
	for i := range j.set.Doubts {
		d := &j.set.Doubts[i]
		switch d.Code {
		case "syntax", "size", "depth", "failure":
		default:
			continue
		}
		command := j.ev.Tool.Action.Command
		lower := strings.ToLower(filepath.ToSlash(command))
		settings := slices.DeleteFunc(slices.Collect(standard.Settings), func(s string) bool { return !effects.Tail(s).In(lower) })
		for word := range strings.FieldsFuncSeq(command,
			func(r rune) bool { return strings.ContainsRune(" \t\n\r;&|<>()'\"`=,", r) }) {
			if namesOne(word, slices.Values(settings)) {
				j.add(trammel.Deny, "unknown_effect", word, fmt.Sprintf("It is unknown what this command does (%s), and it names %q, which is off "+
					"limits. Write it more simply.", d.Code, word))
				return
			}
		}
		return
	}
}

// names reports whether a word names something of ours.
func names(word string) bool { return namesOne(word, standard.Settings) }

// namesOne is names where only some settings come into question.
func namesOne(word string, settings iter.Seq[string]) bool {
	if word == "" {
		return false
	}
	lower := strings.ToLower(filepath.ToSlash(word))
	if strings.Contains(path.Base(lower), "trammel") || strings.Contains(lower, "/trammel/") && strings.IndexByte("/~.$*", lower[0]) >= 0 {
		return true
	}
	for tail := range settings {
		if effects.Tail(tail).Ends(lower) {
			return true
		}
	}
	return false
}
