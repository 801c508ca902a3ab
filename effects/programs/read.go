package programs

import "strings"

// reading says what a program that only reads does with its operands.
type reading struct {
	options
	skip   int    // operands that are no files: a pattern, a filter
	unless string // options that stand in for these
	search bool   // it looks at names, not at contents
	tree   bool   // it goes down by itself
	here   bool   // without operands it means the working directory
}

// readFiles lists what a program reads. Anything else about it is left alone.
func readFiles(c *call) {
	r, ok := readingOf(c.name)
	if !ok {
		return
	}
	a, ok := c.options(r.options)
	if !ok {
		return
	}
	if r.unless != "" {
		for _, name := range strings.Fields(r.unless) {
			if a.has(name) {
				r.skip = 0
			}
		}
	}
	files := a.operands[min(r.skip, len(a.operands)):]
	deep := r.tree || a.has("r", "R", "recursive", "dereference-recursive")
	if r.skip > 0 || r.unless != "" {
		a.values(func(w Word) { c.read(w) }, "f", "file")
	}
	if len(files) == 0 && (r.here || r.skip > 0 && deep && c.host.Run().From < 0) {
		files = []Word{word(".")}
	}
	for _, w := range files {
		switch {
		case w.Text == "-" || w.Known && w.Text == "":
		case r.search:
			c.add(File{Op: Search, Tree: deep}, w)
		default:
			c.add(File{Op: Read, Tree: deep}, w)
		}
	}
}

func readingOf(name string) (reading, bool) {
	switch name {
	case "cat", "tac", "bat", "batcat", "zcat", "bzcat", "xzcat", "zstdcat", "gcat", "less", "more", "most", "pg", "rev", "wc", "md5sum",
		"sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "b2sum",
		"cksum", "sum", "md5", "shasum", "expand", "unexpand", "fold", "pr", "tsort", "nl", "factor", "hexyl", "glow", "mdcat", "basenc",
		"base32", "uuencode", "zless", "zmore", "type", "get-content", "gc", "pdftotext", "catdoc", "csvlook", "xmllint", "identify",
		"exiftool", "column", "page", "lesspipe":
		return reading{options: options{long: "language= theme= style= line-range= pager= wrap= width= tabs= bytes= encoding= check help " +
			"version"}}, true
	case "strings":
		return reading{options: options{short: "n:t:e:s:T:", long: "bytes= radix= target= encoding= output-separator= help version"}}, true
	case "head", "tail", "ghead", "gtail":
		return reading{options: options{short: "n:c:s:", long: "lines= bytes= sleep-interval= pid= max-unchanged-stats= quiet silent verbose " +
			"zero-terminated follow? retry help version"}}, true
	case "cut", "gcut":
		return reading{options: options{short: "b:c:d:f:", long: "bytes= characters= delimiter= fields= complement output-delimiter= " +
			"only-delimited zero-terminated help version"}}, true
	case "paste", "join", "comm":
		return reading{options: options{short: "d:t:e:o:a:v:j:1:2:", long: "delimiters= output-delimiter= help version"}}, true
	case "od", "hexdump", "hd":
		return reading{options: options{short: "A:j:N:S:t:w:e:f:n:s:",
			long: "address-radix= skip-bytes= read-bytes= strings? format= width? help version"}}, true
	case "cmp":
		return reading{options: options{short: "i:n:", long: "ignore-initial= bytes= verbose silent quiet help version"}}, true
	case "diff", "sdiff", "diff3", "colordiff", "icdiff", "delta", "difft":
		return reading{options: options{short: "U:C:I:x:X:S:W:F:",
			long: "unified? context? ignore-matching-lines= exclude= exclude-from= label= width= color? recursive brief help version"}}, true
	case "grep", "egrep", "fgrep", "zgrep", "ggrep", "bzgrep", "xzgrep":
		return reading{skip: 1, unless: "e f regexp file", options: options{short: "e:f:m:A:B:C:d:D:",
			long: "regexp= file= max-count= after-context= before-context= context= color? colour? include= exclude= exclude-dir= exclude-from= " +
				"label= binary-files= devices= directories= recursive dereference-recursive ignore-case invert-match word-regexp line-regexp count " +
				"files-with-matches files-without-match only-matching quiet no-messages no-filename with-filename line-number null help version"}}, true
	case "rg", "ag", "ack", "ugrep", "git-grep", "ripgrep":
		return reading{skip: 1, unless: "e f regexp file files type-list", tree: true, here: true,
			options: options{short: "e:f:m:A:B:C:g:t:T:j:r:E:M:d:", long: "regexp= file= max-count= after-context= before-context= context= glob= " +
				"iglob= type= type-not= type-add= threads= replace= encoding= max-columns= max-depth= max-filesize= color= colors= sort= sortr= pre= " +
				"path-separator= ignore-file= files type-list hidden no-ignore help version"}}, true
	case "ls", "gls", "dir", "vdir", "eza", "exa", "lsd", "get-childitem", "gci":
		return reading{search: true, here: true, options: options{short: "I:T:w:",
			long: "ignore= hide= width= tabsize= block-size= time= time-style= sort= format= indicator-style= quoting-style= color? level= " +
				"recursive tree help version"}}, true
	case "tree":
		return reading{search: true, here: true, tree: true, options: options{short: "L:P:I:o:H:T:",
			long: "charset= filelimit= timefmt= sort= noreport help version"}}, true
	case "du", "ncdu", "gdu", "dust", "broot":
		return reading{search: true, here: true, tree: true, options: options{short: "d:X:B:t:",
			long: "max-depth= exclude= exclude-from= threshold= block-size= time? time-style= files0-from= help version"}}, true
	case "stat", "gstat", "file", "realpath", "readlink", "test", "[", "namei", "lsattr", "getfacl", "basename", "dirname", "df", "gdf":
		return reading{search: true, options: options{short: "c:", long: "format= printf= relative-to= relative-base= help version"}},
			name != "test" && name != "[" && name != "basename" && name != "dirname"
	}
	return reading{}, false
}
