package optnames

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

// Removed are the places outside of the working directory that a program removes, as far
// as its name, its first words or its options say so: treezap ~, tidy purge /srv/x,
// sweeper -r ~.
func Removed(program string, args []model.Word) (places []model.Word) {
	said, recursive, spoken := wipes(program), false, 0
	sweeps := cleans(program)
	for i, w := range args {
		if next := args[min(i+1, len(args)-1)].Text; strings.HasPrefix(w.Text, "-") {
			if Tries(w.Text, next) {
				return nil
			}
			name, _, _ := strings.Cut(strings.TrimLeft(w.Text, "-"), "=")
			if what, ok := strings.CutSuffix(name, "-path"); ok { // --wipe-path=/home
				name = what
			}
			recursive = recursive || name == "r" || name == "R" || strings.HasPrefix(name, "recurs")
			said = said || name == "rf" || name == "fr" || name == "Rf" ||
				name != "rm" && removes(strings.TrimSuffix(name, "-all")) // --rm is of a container
		} else if spoken++; spoken < 4 {
			said, sweeps = said || removes(strings.ToLower(w.Text)), sweeps || cleans(w.Text)
		}
	}
	if !said && !(sweeps && recursive) {
		return nil
	}
	for i, w := range args {
		option, value := Split(args, i)
		if option != "" && option != "-r" && (Reads(option) || Outputs(option) || Message(option)) {
			continue
		}
		if value != "" {
			w.Text = value
		}
		if w.Known && (strings.HasPrefix(w.Text, "/") || strings.HasPrefix(w.Text, "~") || strings.HasPrefix(w.Text, "..")) {
			places = append(places, w)
		}
	}
	return places
}

// removes reports whether a word says that a file behind it is removed.
func removes(word string) bool {
	return slices.Contains([]string{"remove", "rm", "delete", "del", "erase", "wipe", "purge", "nuke", "zap", "shred", "trash", "destroy",
		"unlink", "obliterate", "scrub"}, word)
}

// wipes reports whether a program removes things by its name: treezap, qvm-remove.
func wipes(program string) bool {
	for part := range strings.FieldsFuncSeq(program, func(c rune) bool { return c == '-' || c == '_' }) {
		if removes(part) {
			return true
		}
	}
	for _, verb := range [...]string{"nuke", "zap", "wipe", "shred", "purge", "erase", "delete", "remove", "destroy"} {
		if strings.HasPrefix(program, verb) || strings.HasSuffix(strings.TrimSuffix(program, "r"), verb) &&
			!strings.HasSuffix(program, "un"+verb) { // not extundelete
			return true
		}
	}
	return false
}

// cleans reports whether a word says that what is not needed is removed, which matters
// if it goes through a whole tree.
func cleans(word string) bool {
	for _, verb := range [...]string{"clean", "clear", "sweep", "prune", "empty", "tidy"} {
		if strings.HasPrefix(word, verb) || strings.HasSuffix(word, verb) || strings.HasSuffix(word, verb+"er") {
			return true
		}
	}
	return false
}

// TakesLines reports whether a program runs what it reads from its standard input, by its
// name and its first words: cmdrunner, xshell --stdin, jobq add -.
func TakesLines(program string, args []model.Word) bool {
	for _, part := range [...]string{"run", "runner", "exec", "executor", "shell", "cmd", "command", "batch"} {
		if strings.HasSuffix(program, part) || strings.HasPrefix(program, part+"-") {
			return true
		}
	}
	return slices.ContainsFunc(args[:min(len(args), 3)], func(w model.Word) bool {
		switch strings.TrimLeft(w.Text, "-") {
		case "run", "exec", "execute", "eval", "batch", "shell", "script":
			return true
		}
		return false
	})
}

// Fetches reports whether a program only gets or looks at what an address names, by its
// name and its arguments: xget URL, x lint URL, x URL -o file.
func Fetches(program string, args []model.Word) bool {
	if TakesLines(program, nil) { // fetchrun
		return false
	}
	for _, part := range [...]string{"get", "fetch", "download", "pull", "curl", "http", "check", "lint", "scan", "view", "dl", "mirror",
		"link"} {
		if strings.HasPrefix(program, part) || strings.HasSuffix(program, part) || len(args) > 0 && args[0].Text == part {
			return true
		}
	}
	return slices.ContainsFunc(args, func(w model.Word) bool { return Outputs(w.Text) || w.Text == "-O" })
}
