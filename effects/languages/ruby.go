package languages

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
)

var ruby = Language{
	name:         "ruby",
	comments:     "#",
	marks:        "... .. &.",
	rawQuotes:    true,
	backtick:     commandToken,
	regexes:      true,
	heredoc:      "<<",
	special:      rubySpecial,
	prefixed:     rubyName,
	newLine:      rubyLine,
	nested:       "#{",
	embedded:     rubyEmbedded,
	blocksBehind: true,
	adjacent:     true,
	joins:        "+",
	members:      " . ?. -> :: &. ",
	continues:    " . ?. &. ",
	named:        " : => ",
	bareCalls:    "*",
	prefixes:     " return not new puts p pp then begin defined? ",
	operators:    " or and in is not instanceof ",
	keywords:     " for:loop def:define class:define ",
	values:       " ENV:env __FILE__:unknown __dir__:here Dir.home:home Dir.pwd:here Dir.getwd:here ",
	arguments:    "ARGV",
	scopes:       " Kernel Object self binding ",
	loop:         (*walker).loopIn,
	canonical:    func(ref string) string { return strings.TrimSuffix(ref, ".call") },
	verb:         rubyVerb,
	calls: []module{
		{" File IO ", `
delete unlink | delete *
write binwrite | fill 0 1
open new | rubyopen 0 1:mode
read readlines foreach binread | read 0
rename | move 0 1
copy_stream | copy 0 1
symlink link | link 0 1
chmod lchmod | chmod 0 1*
chown | mode 2*
truncate | write 0
join | relative *
expand_path | expandpath 0 1
realpath absolute_path | same 0
dirname | dirname 0
popen | run 0
`},
		{" FileUtils ", `
rm rm_f remove safe_unlink rmdir remove_file | delete *
rm_rf rm_r remove_dir remove_entry remove_entry_secure rmtree | trees 0
mv move | move 0 1
cp copy copy_file install | copy 0 1
cp_r copy_entry | copy 0 1 !
ln ln_s ln_sf symlink | link 0 1
chmod | chmod 0 1*
chown | mode 2*
chmod_R | mode 1* !
chown_R | mode 2* !
touch mkdir mkdir_p mkpath makedirs | append *
cd chdir | cd 0
`},
		{" Dir ", `
rmdir delete unlink | delete *
mkdir | append 0
each_child children entries foreach | list 0
glob [] | glob 0
home | same home
pwd getwd | same here
chdir | cd 0
`},
		{" Pathname ", `
new | path 0
glob | glob 0
`},
		{" Path# ", `
delete unlink rmdir | delete @
rmtree | tree @
write binwrite | fill @ 0
join + / | join @ *
read | read @
rename | move @ 0
mkpath mkdir | append @
each map select each_entry children glob to_a sort | same @
`},
		{" YAML JSON ", "\nload_file unsafe_load_file | read 0\n"},
		{" ENV ", `
fetch key delete [] | env 0 1
to_h to_a each map inspect values keys | environ
has_key key? include? | nothing
`},
		{" Process Open3 PTY POSIX.Spawn ", `
spawn exec capture3 capture2 capture2e popen3 popen2 popen2e pipeline | system *
kill | signal 1 0
`},
		{" RubyVM.InstructionSequence ", "\ncompile | eval 0\n"},
		{" Base64 ", "\ndecode64 strict_decode64 urlsafe_decode64 | base64 0\n"},
		{" Shellwords ", "\nescape | same 0\n"},
		{" Fiddle ", "\ndlopen | doubt 0\n"},
		{" TCPSocket UDPSocket Socket OpenSSL.SSL.SSLSocket ", "\nnew open tcp | dial 0 1\n"},
		{" TCPServer ", "\nnew open | listen last\n"},
		{" Net.HTTP HTTParty RestClient Faraday Excon HTTP ", `
get get_response get_print start new | visit 0
post post_form put patch delete | visit 0 !
`},
		{" URI ", `
open | visit 0
parse join | url 0
`},
		{" # ", `
send public_send __send__ | send
read body string each map select reject each_entry children to_a sort each_with_index | passed
instance_eval class_eval module_eval | eval 0
`},
		{" ", `
rm_rf rm_r remove_dir | trees 0
rm rm_f | delete *
open | rubyopen 0 1:mode
system exec spawn sh | system *
eval instance_eval class_eval module_eval | eval 0
load require_relative | load 0
require | require 0
send public_send __send__ | send
method | module 0
const_get | module 0
instance_method | module 0
URI | url 0
Pathname | path 0
String Array | same 0
syscall | doubt 0
`},
	},
}

// rubyVerb does what only calls of Ruby do.
func rubyVerb(w *walker, c *call, verb string) (value, bool) {
	x := func(n int) value { return w.value(c, n) }
	switch verb {
	case "trees":
		w.file(model.File{Op: model.Delete, Tree: true}, x(0))
	case "rubyopen":
		name := x(0)
		if command, ok := strings.CutPrefix(name.text, "|"); ok && name.kind == textValue {
			w.shell(known(command))
			break
		}
		if strings.Contains(name.text, "://") {
			return w.visit(name, false), true
		}
		mode, given := w.resolve(c, c.ops[1])
		return w.open(name, mode, given), true
	case "expandpath":
		if v := w.expandUser(x(0)); len(c.arguments.list) < 2 {
			return v, true
		} else {
			return joinPath([]value{x(1), v}), true
		}
	case "require":
		if v := x(0); v.kind != textValue || strings.HasPrefix(v.text, "/") || strings.HasPrefix(v.text, ".") {
			for _, text := range w.texts(v) {
				w.RunFile("ruby", text)
			}
		}
	case "send": // Kernel.send(:system, "ls")
		name, _ := c.at(0)
		if name.kind != textValue {
			w.doubtCode("send " + name.src)
			break
		}
		f := w.valueOf(name.text)
		if c.recv != nil {
			f = w.member(*c.recv, name.text)
		}
		return w.invoke(f, arguments{list: c.arguments.list[1:], named: c.named}), true
	case "url":
		v := x(0)
		if v.kind == textValue {
			v = value{kind: objectValue, ref: "url", text: v.text}
		}
		return v, true
	case "passed":
		if c.recv == nil {
			return value{}, false
		}
		return *c.recv, true
	default:
		return value{}, false
	}
	return value{}, true
}

// rubyName reads the mark behind a name: empty?, save!.
func rubyName(l *lexer, pos int, word string) bool {
	if l.i < len(l.src) && (l.at("?") && !l.at("?:") || l.at("!") && !l.at("!=")) &&
		(l.i+1 >= len(l.src) || strings.IndexByte("( \n);", l.src[l.i+1]) >= 0) {
		l.i++
	}
	return false
}

// rubyLine skips the comments in =begin and =end, and what is behind __END__.
func rubyLine(l *lexer) {
	switch {
	case l.at("=begin"):
		l.skipPast("\n=end")
	case l.at("__END__"):
		l.i = len(l.src)
	}
}

func rubyEmbedded(s string) (string, int) {
	if !strings.HasPrefix(s, "#{") {
		return "", 0
	}
	code, n := braced(s, 2)
	if code == "" {
		code = " "
	}
	return code, n
}

// rubySpecial reads $x, @x, :symbol and %w[…].
func rubySpecial(l *lexer, pos int) bool {
	rest := l.src[pos:]
	switch b := rest[0]; {
	case b == '$' || b == '@':
		l.i++
		for l.i < len(l.src) && (isNameByte(l.src[l.i]) || l.src[l.i] == '@' || l.src[l.i] == '!' && l.i == pos+1) {
			l.i++
		}
		l.add(nameToken, l.src[pos:l.i], pos)
	case b == ':' && len(rest) > 1 && isNameByte(rest[1]) && (pos == 0 || l.src[pos-1] != ':'):
		l.i++
		for l.i < len(l.src) && (isNameByte(l.src[l.i]) || l.src[l.i] == '?' || l.src[l.i] == '!') {
			l.i++
		}
		l.add(textToken, l.src[pos+1:l.i], pos)
	case b == '%' && len(rest) > 2 && l.valueNext():
		kind, open, n := byte('Q'), rest[1], 1
		if rest[1] >= 'A' && rest[1] <= 'Z' || rest[1] >= 'a' && rest[1] <= 'z' {
			kind, open, n = rest[1], rest[2], 2
		}
		if isNameByte(open) || open == ' ' || open == '=' || open == '\n' {
			return false
		}
		l.i += n
		switch kind {
		case 'x':
			l.quoted(pos, open, closing(open), false, commandToken)
		case 'w', 'W', 'i', 'I':
			l.words(pos, open)
		case 'r':
			l.regex(pos, closing(open), 1)
		default:
			l.quoted(pos, open, closing(open), kind == 'q' || kind == 's', textToken)
		}
	default:
		return false
	}
	return true
}
