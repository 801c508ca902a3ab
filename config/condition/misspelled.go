package condition

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
	"github.com/trammel-dev/trammel/effects/programs/options"
	"github.com/trammel-dev/trammel/effects/programs/rows"
	"github.com/trammel-dev/trammel/effects/recipes"
	"github.com/trammel-dev/trammel/internal/nearest"
)

// famous are programs that rules are often about. A name that is nearly one of these,
// and of no program that is known or installed, is a slip.
const famous = "ansible ansible-playbook apt-get argocd awk aws bash brew bundle cargo chmod chown composer crontab curl deno " +
	"docker docker-compose dropdb find firebase flyctl gcloud git gradle grep helm heroku iptables kubectl " +
	"kustomize make mongosh mysql netlify node npm npx openssl php pip pip3 pnpm podman poetry powershell prettier " +
	"prisma psql pulumi pwsh pytest python python3 rails redis-cli rsync ruby scp sed serverless shred shutdown " +
	"sqlite3 ssh sudo systemctl tar terraform terragrunt tofu truncate vault vercel wget wrangler xargs yarn"

// MisspelledProgram finds a name that is nearly that of a program.
func MisspelledProgram(name string) (found []Mistake) {
	if first, _, more := strings.Cut(strings.TrimSpace(name), " "); more && described(first) {
		return []Mistake{{Code: "never-matches", Fix: "program: " + first, Text: fmt.Sprintf("%q is a program with its arguments", name)}}
	}
	if strings.ContainsAny(name, `*?[/\!`) || described(name) {
		return nil
	}
	meant := nearest.Typo(strings.ToLower(name), strings.Fields(famous))
	if recipes.GitOwn(name) {
		meant = "git, with " + name + " among its arguments"
	}
	if meant == "" {
		return nil
	}
	if _, err := exec.LookPath(name); err == nil {
		return nil
	}
	return []Mistake{{Code: "misspelled", Fix: "program: " + meant,
		Text: fmt.Sprintf("no known program is called %q; did you mean %s?", name, meant)}}
}

func described(name string) bool {
	_, ok := programs.Lookup(strings.ToLower(name))
	return ok
}

// usage is what is known of the arguments of a program.
type usage struct {
	options []string // without dashes
	words   []string // sub-commands, and what else is no option
	style   options.Style
}

// usageOf reads the rows of a program and of its sub-commands. It is not known of a program without rows.
func usageOf(program string) (u usage, known bool) {
	row, ok := programs.Lookup(program)
	if !ok {
		return u, false
	}
	table := programs.Table()
	for at := rows.Next(table, 0, len(table)); at < len(table); {
		next := rows.Next(table, at+1, len(table))
		name, body, _ := strings.Cut(table[at:next], "\t")
		at = next
		if sub, ok := strings.CutPrefix(name, row.Name+" "); !ok && name != row.Name {
			continue
		} else if ok {
			u.words = append(u.words, sub)
		}
		style, fields, _ := strings.Cut(body, ";")
		if name == row.Name {
			u.style = options.StyleOf(strings.TrimSpace(style))
		}
		for field := range strings.SplitSeq(fields, ";") {
			u.field(options.CutToken(field))
		}
	}
	return u, true
}

// field takes what one field of a row says about arguments.
func (u *usage) field(key, text string) {
	for text != "" {
		var token string
		if token, text = options.CutToken(text); key == "opt" {
			for more := true; more; {
				var one string
				one, token, more = options.CutName(token)
				u.options = append(u.options, one)
			}
			continue
		}
		for _, word := range strings.FieldsFunc(token, func(r rune) bool { return strings.ContainsRune("|,!=>*/", r) }) {
			if name := strings.TrimLeft(word, "-"); name != word {
				u.options = append(u.options, name)
			} else {
				u.words = append(u.words, word)
			}
		}
	}
}

// long are the long options.
func (u *usage) long() []string {
	return slices.DeleteFunc(slices.Clone(u.options), func(name string) bool { return len(name) < 4 })
}

// letters reports whether all letters of a word are options.
func (u *usage) letters(word string) bool {
	for i := range len(word) {
		if !slices.Contains(u.options, word[i:i+1]) {
			return false
		}
	}
	return true
}

// meant is the argument that a person means who asks for a word, "" if it may be the word
// itself.
func (u *usage) meant(word string) string {
	word, _, _ = strings.Cut(word, "=")
	name := strings.TrimLeft(word, "-")
	own := u.style.Dash || u.style.Win || u.style.Fold || u.style.Old || u.style.KV || u.style.Mode || u.style.Attr
	switch dashes := len(word) - len(name); {
	case dashes == 2 && !own && !slices.Contains(u.options, strings.TrimPrefix(name, "no-")):
		if typo := nearest.Typo(name, u.long()); strings.TrimSuffix(typo, "s") != strings.TrimSuffix(name, "s") && typo != "" {
			return "--" + typo
		}
	case dashes == 1 && !own && len(name) > 3 && slices.Contains(u.options, name) && (u.style.Sub || !u.letters(name)):
		return "--" + name
	case dashes == 0 && !own && len(name) > 3 && slices.Contains(u.options, name) && !slices.Contains(u.words, name):
		return "--" + name
	case dashes == 0 && !own && !u.style.Sub && (len(name) == 2 || len(name) == 3) && u.letters(name) && !slices.Contains(u.words, name):
		return "-" + name
	}
	return ""
}

// command looks for a sub-command that the program does not have, if it has one that is
// written nearly the same.
func (m *mistakes) command(word string, of []string) {
	if len(of) == 1 {
		m.found = append(m.found, MisspelledCommand(of[0], word)...)
	}
}

// MisspelledCommand finds a first argument that is nearly a sub-command of the program.
func MisspelledCommand(program, word string) []Mistake {
	if word == "" || word[0] == '-' {
		return nil
	}
	u, _ := usageOf(program)
	area, _ := programs.ClassOf(&model.Run{Program: program})
	meant := nearest.Typo(word, u.words)
	if meant == "" || !u.style.Sub && area == "" || strings.TrimSuffix(meant, "s") == strings.TrimSuffix(word, "s") {
		return nil
	}
	return []Mistake{{Code: "misspelled", Fix: "write " + meant,
		Text: fmt.Sprintf("%s has no %q; did you mean %s?", program, word, meant)}}
}

// argument looks for a word that none of the programs takes, if one of them takes one
// that is written nearly the same.
func (m *mistakes) argument(asked, word string, of []string) {
	meant, by := "", ""
	for _, program := range of {
		u, known := usageOf(program)
		one := u.meant(word)
		if !known || one == "" {
			return
		}
		meant, by = one, program
	}
	if meant != "" {
		m.found = append(m.found, Mistake{Code: "misspelled", Fix: "write " + meant,
			Text: fmt.Sprintf("%s asks for %q, which is no argument of %s; did you mean %s?", asked, word, by, meant)})
	}
}
