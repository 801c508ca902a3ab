package words

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// maxRead limits how many arguments are read for a verb, and maxSpoken how many of them
// may be words: names follow.
const (
	maxRead   = 24
	maxSpoken = 4
)

// removal is what the words of a run have said so far.
type removal struct {
	worst                      int
	named, forced, trial, wish bool
	drops                      bool // a word that only removes if nobody is asked: clear --force
	asked                      bool // an option that removes what it names: --drop x
	known                      bool
}

// Removal is the code of what a program is told to remove by its first words: acmectl
// cluster destroy. Of a program that is known, only the words count, not the options.
func Removal(program string, known bool, args []model.Word) (code string) {
	r := removal{known: known}
	if !known {
		r.worst, r.named = Cmdlet(program)
	}
	spoken := 0
	for n, w := range args[:min(len(args), maxRead)] {
		name, option := strings.CutPrefix(w.Text, "-")
		switch name, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(name, "-")), "="); {
		case !option:
			spoken++
		case name == "help", name == "dry-run", name == "dryrun", name == "whatif", name == "version", name == "h" && n == len(args)-1:
			return ""
		default:
			flag := n+1 == len(args) || strings.HasPrefix(args[n+1].Text, "-") || n > 0 && Verb(args[n-1].Text) >= Takes // rm -f x
			r.option(name, flag)
			r.asked = r.asked || r.wish && !flag && n+2 == len(args)
			r.forced = r.forced || !known && method(name, args, n)
		}
		if spoken <= maxSpoken && w.Known && len(w.Text) <= 60 && !strings.ContainsAny(w.Text, " /\n") {
			if works := r.word(w.Text, option); works {
				return ""
			}
		}
	}
	return r.code(program)
}

// option reads the name of an option: whether it stops a program from asking. A flag
// has no value behind it.
func (r *removal) option(name string, flag bool) {
	said := Of(name)
	switch {
	case name == "y", name == "all", slices.ContainsFunc(said, Sure), Sure(strings.ReplaceAll(name, "-", "")),
		flag && strings.Trim(name, "afy") == "" && strings.ContainsAny(name, "fy"): // -af
		r.forced = true
	}
	if r.known || len(said) == 0 {
		return
	}
	what := slices.ContainsFunc(said, Thing)
	switch does := Verb(said[0]); {
	case does >= Removes && !what && len(said) == 1:
		r.wish = true
	case does >= Takes && what && len(said) > 1: // --delete-after says how, --delete-cluster what
		r.worst, r.named = max(r.worst, does), true
	case flag && what: // prune --volumes
		r.named = r.named || r.worst >= Takes
	}
}

// word reads a word of a command. It reports true if the command makes or shows
// something: what follows are names.
func (r *removal) word(text string, option bool) (works bool) {
	text, _, set := strings.Cut(text, "=")
	if option || set && !strings.Contains(text, ":") {
		return false
	}
	does, of := Nothing, false
	for _, word := range Of(text) {
		does, of = max(does, Verb(word)), of || Thing(word) || !r.known && strings.HasSuffix(word, "vm")
		r.trial = r.trial || slices.Contains([]string{"test", "scenario", "preview", "sandbox"}, word)
		r.drops = r.drops || loses(word)
	}
	r.drops = r.drops || does == Takes && !packages(text)
	if does == Works && r.worst == Nothing {
		return !r.drops
	}
	r.worst, r.named = max(r.worst, does), r.named || of
	r.forced = r.forced || Sure(strings.ToLower(text))
	return false
}

func (r *removal) code(program string) string {
	r.named = r.named || !r.known && r.worst >= Takes && names(program)
	switch {
	case r.worst == Wipes && !r.known && !r.trial, r.worst >= Removes && (r.named || r.forced), r.wish && r.forced,
		r.worst == Takes && r.named && r.forced:
		return "tool_destroys"
	case !(r.drops && r.forced) && !(r.asked && !r.known) && (r.known || r.worst < Takes || r.worst == Takes && !r.named):
		return ""
	case r.trial:
		return "unknown_verb"
	}
	return "unknown_removal"
}

// packages reports whether a word that removes is one of package managers: remove --yes x.
func packages(word string) bool {
	return slices.Contains([]string{"remove", "rm", "uninstall"}, strings.ToLower(word))
}

// loses reports whether a word says that something is lost for good if the program is told
// not to ask.
func loses(word string) bool {
	switch word {
	case "clear", "reset", "prune", "expire", "discard", "dequeue", "evict", "revoke", "forget", "offboard", "release", "rollback", "restore":
		return true
	}
	return false
}

// names reports whether the name of a program says that it keeps things that matter:
// krunvm, onevm, acmedb.
func names(program string) bool {
	return slices.ContainsFunc([]string{"vm", "vms", "db", "cluster", "cloud", "queue", "volume", "backup"}, func(end string) bool {
		return strings.HasSuffix(program, end)
	})
}

// method reports whether an option of a client sets the method of its request to DELETE.
func method(name string, args []model.Word, at int) bool {
	value := ""
	if _, joined, ok := strings.Cut(args[at].Text, "="); ok {
		value = joined
	} else if at+1 < len(args) {
		value = args[at+1].Text
	}
	return value == "DELETE" && slices.Contains([]string{"x", "method", "request", "m"}, name)
}
