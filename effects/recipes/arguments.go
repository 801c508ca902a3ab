package recipes

import (
	"strings"
	"sync"
)

// Limits of what is put together. What is longer is no command line that people
// write.
const (
	maxWords = 1024
	maxGap   = 512
)

// AtHome is code with the home directory as ~, however a language asks for it.
func AtHome(text string) string { return homeSpellings().Replace(text) }

var homeSpellings = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer("$(homedir())", "~", `homedir(), "`, `"~/`, `homedir(),"`, `"~/`, `System.user_home!(), "`, `"~/`,
		"System.user_home!()", `"~"`, "System.user_home()", `"~"`, "$ENV{HOME}", "~",
		`(find-system-path 'home-dir) "`, `"~/`, `(find-system-path (quote home-dir)) "`, `"~/`, "#{Dir.home}", "~", `os.Getenv("HOME")`, `"~"`,
		`std::env::var("HOME").unwrap()`, `"~"`, `env::var("HOME").unwrap()`, `"~"`, `getenv("HOME")`, `"~"`,
		`System.getProperty("user.home")`, `"~"`, `getProperty("user.home")`, `"~"`, "os.UserHomeDir()", `"~"`, "%*ENV<HOME>", `"~"`,
		"$*HOME", `"~"`, "Path.home.to_s", `"~"`, "homedir.Dir()", `"~"`, "dirs::home_dir().unwrap()", `"~"`, "home_dir().unwrap()", `"~"`,
		`sys.env("HOME")`, `"~"`, `System.get_env("HOME")`, `"~"`, "Platform.environment['HOME']!", `"~"`, "Platform.environment['HOME']", `"~"`,
		`(getenv "HOME")`, `"~"`, `Sys.getenv "HOME"`, `"~"`, "Environment.GetFolderPath(Environment.SpecialFolder.UserProfile)", `"~"`,
		`ENV["HOME"]`, `"~"`, `(System/getProperty "user.home")`, `"~"`, `(System/getenv "HOME")`, `"~"`,
		`"$HOME/`, `"~/`, `"${HOME}/`, `"~/`, ", homedir()", `, "~"`, ",homedir()", `,"~"`)
})

// Constants returns code with names replaced by their texts, if a name is assigned
// only one: h, _ := "~"; os.RemoveAll(h).
func Constants(text string) string {
	for from, n := 0, 0; n < maxConstants; n++ {
		at := strings.IndexByte(text[from:], '=')
		if at < 0 {
			break
		}
		at += from
		from = at + 1
		rest := strings.TrimLeft(text[from:], " ")
		if rest == "" || rest[0] != '"' && rest[0] != '\'' {
			continue
		}
		body, end := Quoted(rest[1:], rest[0])
		name := assigned(text[:at])
		if end < 0 || len(body) > maxConstant || name == "" {
			continue
		}
		from = len(text) - len(rest) + 1 + end
		text = text[:from] + replaceName(text[from:], name, rest[:1+end])
		if len(text) > maxReplaced {
			break
		}
	}
	return text
}

// Limits of what Constants does.
const (
	maxConstants = 64
	maxConstant  = 256
	maxReplaced  = 1 << 18
)

// assigned is the name that a text ends with, as it stands in front of an =: var h, h :,
// h, _ :, string h.
func assigned(text string) string {
	text = strings.TrimRight(text, " :")
	text = strings.TrimRight(strings.TrimSuffix(text, "_"), " ,")
	for _, second := range [...]string{", err", ",err"} {
		text = strings.TrimSuffix(text, second)
	}
	from := len(text)
	for from > 0 && nameByte(text[from-1]) {
		from--
	}
	if name := text[from:]; name != "" && (name[0] < '0' || name[0] > '9') && (from == 0 || strings.IndexByte("./-<>!", text[from-1]) < 0) {
		return name
	}
	return ""
}

// replaceName puts a text in place of a name, up to where the name is given something else.
func replaceName(text, name, by string) string {
	var out strings.Builder
	for at := 0; at < len(text); {
		n := strings.Index(text[at:], name)
		if n < 0 {
			out.WriteString(text[at:])
			break
		}
		begin, end := at+n, at+n+len(name)
		out.WriteString(text[at:begin])
		at = end
		behind := strings.TrimLeft(text[end:], " ")
		switch {
		case begin > 0 && (nameByte(text[begin-1]) || text[begin-1] == '.'), end < len(text) && (nameByte(text[end]) || text[end] == '('):
			out.WriteString(name)
		case strings.HasPrefix(behind, "=") && !strings.HasPrefix(behind, "=="), strings.HasPrefix(behind, ":="):
			out.WriteString(text[begin:])
			return out.String()
		default:
			out.WriteString(by)
		}
	}
	return out.String()
}

func nameByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

// ArgumentLists are the command lines that a language that is not known starts with lists of
// words: exec.Command("rm", "-rf", "x"), Command::new("rm").args(["-rf", "x"]),
// commandLine 'rm', '-rf', 'x', <executable>rm</executable><argument>-rf</argument>.
func ArgumentLists(text string) (lines []string) {
	for i := 0; i < len(text); i++ {
		end := endOf(text[i])
		if end == 0 {
			continue
		}
		first, n := Quoted(text[i+1:], end)
		if n < 0 || !IsCommand(first+" ") {
			continue
		}
		words := []string{quoteWord(first)}
		for at := i + 1 + n; len(words) < maxWords; {
			gap := between(text[at:])
			mark := byte(0)
			if gap >= 0 {
				mark = endOf(text[at+gap])
			}
			if mark == 0 || (mark == '<') != (end == '<') { // 'rm', "-rf"
				break
			}
			next, m := Quoted(text[at+gap+1:], mark)
			if m < 0 {
				break
			}
			words = append(words, quoteWord(next))
			at += gap + 1 + m
			i = at - 1
		}
		if len(words) > 1 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return lines
}

// endOf is what ends a text that begins with a mark, 0 if it begins none.
func endOf(mark byte) byte {
	switch mark {
	case '"', '\'':
		return mark
	case '>':
		return '<'
	}
	return 0
}

// between is the length of what may stand between two words of a list, -1 if
// something else does.
func between(text string) int {
	for i := 0; i < len(text) && i < maxGap; i++ {
		if endOf(text[i]) != 0 {
			name := strings.Trim(text[:i], " \t\n\r,()[]{}.&:/<>")
			for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return r < 'A' || r > 'z' }) {
				if !strings.HasPrefix(strings.ToLower(part), "arg") && part != "executable" && part != "list" && part != "value" && part != "line" {
					return -1
				}
			}
			if text[i] == '>' && !strings.HasSuffix(text[:i], "argument") && !strings.HasSuffix(text[:i], "arg") {
				continue
			}
			return i
		}
		if text[i] == ';' {
			return -1
		}
	}
	return -1
}

// quoteWord is a word as a shell reads it; ~ stays the home directory.
func quoteWord(word string) string {
	if word == "~" || strings.HasPrefix(word, "~/") && !strings.ContainsAny(word, " '\"$;&|") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Quoted is a text up to its closing quote, and the length with the quote; -1 if
// there is none.
func Quoted(text string, quote byte) (body string, n int) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == quote:
			return b.String(), i + 1
		case text[i] == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(text[i])
		}
	}
	return "", -1
}

// CommandsIn are the parts of a text that look like command lines: the name of a
// program that can do harm where a word may begin, up to the end of the text or bracket.
func CommandsIn(text string) (out []string) {
	for i := 0; i < len(text); i++ {
		if i > 0 && !strings.ContainsRune("\"'`([{<!|;:%&\n", rune(text[i-1])) && !(text[i-1] == ' ' && CommandVerb(text[:i-1])) ||
			!IsCommand(text[i:]) {
			continue
		}
		line := text[i:]
		if end := strings.IndexAny(line, "\"'`)}]>\n\r"); end >= 0 {
			line = line[:end]
		}
		n := len(line)
		if i > 0 && strings.HasSuffix(line, `\`) { // quotes in quotes
			if body, length := Quoted(text[i:], text[i-1]); length > 0 {
				line, n = body, length
			}
		}
		out = append(out, line)
		i += n
	}
	return out
}

// IsCommand reports whether a text begins like a command line that matters.
func IsCommand(text string) bool {
	first, _, ok := strings.Cut(strings.TrimLeft(text, " "), " ")
	first = first[strings.LastIndexByte(first, '/')+1:]
	return ok && strings.Contains(commandNames, " "+first+" ")
}

const commandNames = " rm sudo doas sh bash zsh dash ksh fish curl wget nc ncat socat telnet dd shred mkfs mv chmod chown chattr kill " +
	"pkill killall find python python3 perl ruby node php lua pwsh powershell osascript cat cp ln tee rmdir unlink " +
	"truncate wipefs rsync scp ssh tar git kubectl helm terraform tofu docker podman aws gcloud gsutil az psql " +
	"mysql mongosh redis-cli dropdb crontab systemctl launchctl useradd usermod passwd reboot shutdown rimraf npx " +
	"base64 xargs env nohup busybox del rd cmd cmake "

// Parts is a name with dots between its parts, in lower case: run.command for
// runCommand.
func Parts(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if c := name[i]; c >= 'A' && c <= 'Z' {
			b.WriteByte('.')
			b.WriteByte(c | 0x20)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// Means reports whether one part of a name is one of the words: delete in
// File.deleteDirectory, rm in File.rm_rf!, delete in fs/delete-tree.
func Means(name string, words ...string) bool {
	for part := range strings.FieldsFuncSeq(name, func(r rune) bool { return strings.ContainsRune("._!?-:/", r) }) {
		for _, w := range words {
			if part == w || len(w) > 3 && strings.HasPrefix(part, w) {
				return true
			}
		}
	}
	return false
}
