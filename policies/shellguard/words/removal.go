package words

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs/optnames"
)

// maxRead limits how many arguments are read for a verb, and maxSpoken how many of them
// may be words: names follow.
const (
	maxRead   = 24
	maxSpoken = 4
	// maxStatement is how much of a statement is read for its first words.
	maxStatement = 200
)

// removal is what the words of a run have said so far.
type removal struct {
	worst                      int
	named, forced, trial, wish bool
	drops                      bool // a word that only removes if nobody is asked: clear --force
	asked                      bool // an option that removes what it names: --drop x
	edits                      bool // a document of this machine is named: delete-pages 3-5 in.pdf
	migrates                   bool // it changes the schema of a database, step by step
	known                      bool
}

// Removal is the code of what a program is told to remove by its first words: acmectl
// cluster destroy. Of a program that is known, only the words count, not the options.
func Removal(program string, known bool, args []model.Word) (code string) {
	r := removal{known: known, migrates: !known && migration(program)}
	if !known {
		r.worst, r.named = Cmdlet(program)
		r.drops = r.worst > Nothing
	}
	for n := range args[:min(len(args), maxRead)] { // --action FACTORY_RESET
		option, value := optnames.Split(args, n)
		does := Verb(strings.Join(Of(value), ""))
		if !known && does >= Removes && operates(strings.ToLower(strings.TrimLeft(option, "-"))) {
			r.worst = max(r.worst, does)
		}
	}
	spoken := 0
	for n, w := range args[:min(len(args), maxRead)] {
		name, option := strings.CutPrefix(w.Text, "-")
		if slash, ok := strings.CutPrefix(w.Text, "/"); ok && !known && strings.IndexByte(slash, '/') < 0 { // /force, /name:x
			name, _, _ = strings.Cut(slash, ":")
			option = true
		} else if key, value, set := strings.Cut(w.Text, "="); set && !option && !known { // op=delete
			r.forced = r.forced || Sure(strings.ToLower(key)) && !optnames.Negative(value)
			if operates(strings.ToLower(key)) {
				w.Text = value
			}
		}
		next := ""
		if n+1 < len(args) {
			next = args[n+1].Text
		}
		switch name, _, _ := strings.Cut(strings.ToLower(strings.TrimLeft(name, "-")), "="); {
		case !option:
			spoken++
		case optnames.Tries(w.Text, next):
			return ""
		default:
			flag := n+1 == len(args) || strings.HasPrefix(args[n+1].Text, "-") ||
				n == 0 && r.drops || n > 0 && Verb(args[n-1].Text) >= Takes // rm -f x
			r.option(name, flag)
			r.asked = r.asked || r.wish && !flag && n+2 == len(args)
			r.forced = r.forced || !known && method(name, args, n)
		}
		if spoken <= maxSpoken && w.Known && len(w.Text) <= 60 && !strings.ContainsAny(w.Text, " /\n") {
			itself := !known && w.Text == "uninstall" && !slices.ContainsFunc(args[n+1:], operand)
			if works := r.word(w.Text, option, itself); works && !group(w.Text, args[n+1:]) {
				return ""
			}
			r.edits = r.edits || !option && document(w.Text)
		}
	}
	return r.code(program)
}

func operand(w model.Word) bool { return !strings.HasPrefix(w.Text, "-") }

// option reads the name of an option: whether it stops a program from asking. A flag
// has no value behind it.
func (r *removal) option(name string, flag bool) {
	said := Of(name)
	switch {
	case name == "y", name == "all", strings.HasPrefix(name, "all-"), slices.ContainsFunc(said, Sure), Sure(strings.ReplaceAll(name, "-", "")),
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
	case does == Takes && len(said) == 1:
		r.drops = true
	case does >= Takes && len(said) > 1 && (what || kept(said[1])): // --delete-after says how, --delete-cluster what
		r.worst, r.named = max(r.worst, does), true
	case len(said) > 1 && (does >= Removes || loses(said[0])):
		r.drops = true
	case flag && what: // prune --volumes
		r.named = r.named || r.worst >= Takes
	}
}

// word reads a word of a command. It reports true if the command makes or shows
// something: what follows are names. Itself is true if the program itself is uninstalled.
func (r *removal) word(text string, option, itself bool) (works bool) {
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
	r.migrates = r.migrates || !r.known && migration(text)
	switch {
	case text == "rb": // of a bucket
		does = Removes
	case r.migrates && (text == "down" || text == "zero"):
		r.drops = true
	case !r.known && strings.HasSuffix(text, "all") && loses(strings.TrimRight(strings.TrimSuffix(text, "all"), "-_:")): // void-all
		r.drops, r.forced = true, true
	}
	r.drops = r.drops || does == Takes && !(packages(text) && !itself)
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
	case r.edits && !r.known && !r.forced && (r.worst == Removes || r.worst == Takes && r.named):
		return "unknown_verb"
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

// group reports whether a word that may say that something is made is the name of a group
// of commands, because a verb that removes follows: install delete x.
func group(word string, rest []model.Word) bool {
	if len(rest) < 1 || Verb(strings.ToLower(rest[0].Text)) < Removes {
		return false
	}
	switch strings.TrimSuffix(strings.ToLower(word), "s") {
	case "install", "deploy", "log", "build", "export", "import", "plan", "view":
		return true
	case "config":
		return slices.Contains([]string{"erase", "wipe", "purge"}, rest[0].Text)
	}
	return false
}

// document reports whether a word names a file of which a part can be removed.
func document(word string) bool {
	dot := strings.LastIndexByte(word, '.')
	return dot > 0 && slices.Contains([]string{"json", "csv", "tsv", "pdf", "png", "jpg", "xlsx", "docx", "xml", "html", "md", "txt", "mp4",
		"wav", "parquet"}, strings.ToLower(word[dot+1:]))
}

// kept reports whether a word behind a verb in an option names what people lose: --delete-data.
func kept(word string) bool {
	return slices.Contains([]string{"data", "storage", "history", "everything", "replicas", "untagged"}, word)
}

// packages reports whether a word that removes is one of package managers: remove --yes x.
func packages(word string) bool {
	return slices.Contains([]string{"remove", "rm", "uninstall"}, strings.ToLower(word))
}

// loses reports whether a word says that something is lost for good if the program is told
// not to ask.
func loses(word string) bool {
	switch word {
	case "clear", "reset", "prune", "expire", "discard", "dequeue", "evict", "revoke", "forget", "offboard", "release", "rollback", "restore",
		"void", "archive", "refund", "reject", "invalidate", "unsubscribe", "ban", "lock", "abort":
		return true
	}
	return false
}

// migration reports whether a word is about the steps in which a schema was changed.
func migration(word string) bool {
	return strings.HasPrefix(word, "migrat") || strings.HasSuffix(word, "migrate") || word == "schema"
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

// Statements are the codes of what an unknown program is told to remove by a text, as if
// each statement in it were a call: volume.delete 7; collection.delete prod, {"op": "flush"}.
func Statements(text string) (codes []string) {
	if fields := map[string]any{}; json.Unmarshal([]byte(text), &fields) == nil {
		text = strings.Join(Operation(fields, 0), " ") + " ."
	}
	for statement := range strings.SplitSeq(strings.ReplaceAll(text, "\n", ";"), ";") {
		var said []model.Word
		for word := range strings.FieldsSeq(statement[:min(len(statement), maxStatement)]) {
			said = append(said, model.Word{Text: word, Known: true})
		}
		if code := Removal("", false, said); code != "" && len(said) > 1 {
			codes = append(codes, code)
		}
	}
	return codes
}
