package programs

import (
	"strings"

	"github.com/trammel-dev/trammel/effects/paths"
)

// filter is what reads files and writes the result to standard output, unless
// an option or a second operand names a file.
func filter(c *call) {
	var o options
	switch c.name {
	case "sort", "gsort":
		o = options{short: "k:o:S:t:T:", long: "key= output= buffer-size= field-separator= temporary-directory= compress-program= batch-size= " +
			"parallel= files0-from= random-source= sort= check? help version"}
	case "uniq":
		o = options{short: "f:s:w:", long: "skip-fields= skip-chars= check-chars= all-repeated? group? help version"}
	case "xxd":
		o = options{short: "c:g:l:o:s:n:R:", dash: false, long: "help version"}
	case "yq", "jq", "gojq":
		filterQuery(c)
		return
	case "openssl":
		o = options{dash: true, long: "in= out= inkey= key= pass= passin= passout= k= kfile= e d connect= cert= CAfile= days= subj= newkey= " +
			"keyout= config= extfile= salt pbkdf2 iter= help"}
	case "gpg", "gpg2", "age":
		o = options{short: "o:r:u:i:R:", long: "output= recipient= local-user= passphrase= passphrase-file= homedir= keyserver= batch yes " +
			"encrypt decrypt sign armor symmetric identity= help version"}
	case "base64":
		o = options{short: "w:i:o:b:", long: "wrap= decode ignore-garbage input= output= break= help version"}
	case "iconv":
		o = options{short: "f:t:o:", long: "from-code= to-code= output= help version"}
	case "pandoc":
		o = options{short: "f:t:o:V:M:H:B:A:c:F:L:", long: "from= to= output= metadata= variable= template= filter= lua-filter= css= help " +
			"version"}
	case "gofmt", "goimports", "shfmt":
		o = options{dash: true, long: "r= local= cpuprofile= i= ln= s d l w"}
	case "crudini", "look", "fmt", "tac":
		o = options{short: "w:p:g:"}
	case "ffmpeg":
		filterMedia(c)
		return
	case "convert", "magick":
		if n := len(c.args); n > 1 {
			c.write(c.args[n-1])
		}
		return
	case "sd":
		o = options{short: "f:n:", long: "preview flags= max-replacements= help version"}
	default:
		o = options{short: "c:i:", long: "config= style= line-length= parser= write fix in-place help version"}
	}
	a, ok := c.options(o)
	if !ok {
		return
	}
	if w, ok := a.value("compress-program"); ok {
		c.host.Start([]Word{w}, Start{})
	}
	switch c.name {
	case "uniq", "xxd":
		if len(a.operands) > 1 {
			c.read(a.operands[0])
			if a.operands[1].Text != "-" {
				c.add(File{Op: Write, Append: c.name == "xxd" && a.has("r")}, a.operands[1])
			}
			return
		}
	case "openssl":
		a.values(func(w Word) { c.read(w) }, "in", "inkey", "key", "kfile", "config", "CAfile")
		a.values(func(w Word) { c.write(w) }, "out", "keyout")
		a.values(func(w Word) {
			n := Net{}
			n.Host, n.Port = paths.HostOf(w.Text)
			c.host.AddNet(n)
		}, "connect")
		return
	case "sd":
		if len(a.operands) > 2 && !a.has("p", "preview") {
			c.edit(a.operands[2:])
		}
		return
	case "crudini":
		if len(a.operands) > 0 && a.has("set", "del", "merge") {
			c.edit(a.operands[:1])
		}
		return
	case "dos2unix", "unix2dos":
		c.edit(a.operands)
		return
	case "black", "rustfmt":
		if !a.has("check", "diff", "c") {
			c.editTree(a.operands)
			return
		}
	case "ruff":
		if len(a.operands) > 0 && (a.operands[0].Text == "format" && !a.has("check", "diff") || a.has("fix")) {
			c.editTree(a.operands[1:])
		}
		return
	case "biome":
		if len(a.operands) > 0 && a.has("write", "fix", "apply", "apply-unsafe") {
			c.editTree(a.operands[1:])
		}
		return
	case "gofmt", "goimports", "shfmt", "prettier", "clang-format":
		if a.has("w", "write", "i") {
			c.editTree(a.operands)
			return
		}
	}
	c.read(a.operands...)
	a.values(func(w Word) { c.read(w) }, "input", "passphrase-file", "identity", "files0-from", "template", "filter", "lua-filter")
	a.values(func(w Word) { c.write(w) }, "o", "output")
}

// edit lists files that are changed in place.
func (c *call) edit(words []Word) {
	c.read(words...)
	c.write(words...)
}

// editTree lists files and trees that a formatter changes in place.
func (c *call) editTree(words []Word) {
	for _, w := range words {
		if w.Text != "-" {
			c.add(File{Op: Write, Tree: c.host.IsDir(c.place(w))}, w)
		}
	}
}

// filterQuery is jq and yq.
func filterQuery(c *call) {
	files, script := []Word(nil), false
	inPlace := false
	for i := 0; i < len(c.args); i++ {
		w := c.args[i]
		value := func() (v Word) {
			if i+1 < len(c.args) {
				i++
				v = c.args[i]
			}
			return v
		}
		switch t := w.Text; {
		case t == "--help" || t == "-h" || t == "--version" || t == "-V":
			return
		case t == "--arg" || t == "--argjson":
			value()
			value()
		case t == "--slurpfile" || t == "--rawfile" || t == "--argfile":
			value()
			c.read(value())
		case t == "-f" || t == "--from-file":
			if c.name != "yq" {
				c.read(value())
				script = true
			}
		case t == "--from-file" && c.name == "yq":
			c.read(value())
			script = true
		case t == "--indent" || t == "-L" || t == "-o" || t == "-p" || t == "-I" || t == "--output-format" || t == "--input-format" ||
			t == "--tab":
			if t != "--tab" {
				value()
			}
		case t == "--args" || t == "--jsonargs":
			i = len(c.args)
		case strings.HasPrefix(t, "--in-place") || t == "--inplace":
			inPlace = true
		case len(t) > 1 && t[0] == '-' && t[1] != '-':
			inPlace = inPlace || c.name == "yq" && strings.ContainsRune(t, 'i')
		case strings.HasPrefix(t, "--"):
		case c.name == "yq" && !script && len(files) == 0 && (t == "eval" || t == "e" || t == "ea" || t == "eval-all" || t == "r" || t == "w"):
		case !script:
			script = true
		default:
			files = append(files, w)
		}
	}
	c.read(files...)
	if inPlace {
		c.write(files...)
	}
}

// filterMedia is ffmpeg: -i in out.
func filterMedia(c *call) {
	for i := 0; i < len(c.args); i++ {
		if c.args[i].Text == "-i" && i+1 < len(c.args) {
			i++
			c.read(c.args[i])
		}
	}
	if n := len(c.args); n > 2 && !strings.HasPrefix(c.args[n-1].Text, "-") {
		c.write(c.args[n-1])
	}
}
