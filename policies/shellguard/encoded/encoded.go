// Package encoded finds code that a command line hides: what a decoder writes
// and a shell runs.
package encoded

import (
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/programs"
)

// Code reports whether code comes from a decoder, by a pipe or through a file of this
// line, or is spelled by the line in a way that cannot be read: cut -c3- <<< 'xxrm -rf ~' | sh.
func Code(set *model.Set, c *model.Code) bool {
	switch {
	case c.Run < 0: // the tool itself
	case c.Origin == model.Piped:
		return piped(set, c.Run)
	case c.Origin == model.Made:
		if strings.HasPrefix(c.File.Text, "/dev/fd/") {
			return oneDecodes(set, set.Runs[c.Run].Uses)
		}
		for i := range set.Files {
			f := &set.Files[i]
			if f.Op == model.Write && f.Run >= 0 && f.Path.Real == c.File.Real && !unzips(&set.Runs[f.Run]) &&
				oneDecodes(set, []int{f.Run}) {
				return true
			}
		}
	}
	return false
}

// Stored is the run whose text somebody else may have written, if code is piped from it, and what that
// is for shell-guard: -1 if none is. What a filter selects of it is still theirs.
func Stored(set *model.Set, c *model.Code) (run int, found string) {
	if c.Run < 0 || c.Origin != model.Piped {
		return -1, ""
	}
	for run, steps := set.Runs[c.Run].From, 0; run >= 0 && steps < len(set.Runs); run, steps = set.Runs[run].From, steps+1 {
		r := &set.Runs[run]
		switch area, _ := programs.ClassOf(r); {
		case programs.Exports(r), area == "database", programs.Language(r) == "redis", r.Program == "git" && shows(r):
			return run, "foreign_source"
		case downloads(r, area):
			return run, "remote_unknown"
		case !programs.Selects(r):
			return -1, ""
		}
	}
	return -1, ""
}

// shows reports whether git prints what commits hold or say.
func shows(r *model.Run) bool {
	git, ok := programs.ReadGit(r)
	return ok && slices.Contains([]string{"show", "log", "cat-file", "notes", "archive", "diff", "blame", "grep", "stash",
		"whatchanged"}, git.Sub)
}

// downloads reports whether a run prints what a cloud or a registry stores: oci os object get --file -.
func downloads(r *model.Run, area string) bool {
	return (area == "cloud" || area == "storage" || area == "registry") && slices.ContainsFunc(r.Args, func(w model.Word) bool {
		return slices.Contains([]string{"cat", "get", "download", "cp", "get-object", "object-get", "logs", "pull"}, w.Text)
	})
}

// Runs reports whether what is not known of a run comes from a decoder: a
// substitution, a variable, the lines that xargs reads, or a call in the code itself,
// as in exec(zlib.decompress(…)).
func Runs(set *model.Set, d *model.Doubt) bool {
	if d.Run < 0 {
		return false
	}
	r := &set.Runs[d.Run]
	switch d.Code {
	case "code":
		if unpacks(d.What) && programs.Language(r) != "" {
			return true
		}
		if strings.Contains(d.What, " ") && d.What[0] != '$' && d.What[0] != '`' && !r.More {
			return false // a text with something unknown in it
		}
	case "stdin":
		if r.Program != "." && r.Program != "source" {
			return false
		}
	case "program":
	default:
		return false
	}
	sources := append(slices.Clone(r.Uses), r.From)
	if r.By >= 0 {
		sources = append(sources, set.Runs[r.By].From)
	}
	return oneDecodes(set, sources)
}

// oneDecodes reports whether one of the runs decodes, or reads what a decoder writes.
func oneDecodes(set *model.Set, runs []int) bool {
	return slices.ContainsFunc(runs, func(i int) bool { return i >= 0 && (decodes(&set.Runs[i]) || piped(set, i)) })
}

// piped reports whether a run reads what a decoder writes, or what a filter makes of a text of
// the line. Other filters may stand between.
func piped(set *model.Set, run int) bool {
	for steps := 0; steps < len(set.Runs); steps++ {
		if run = set.Runs[run].From; run < 0 {
			break
		}
		r := &set.Runs[run]
		if decodes(r) || r.Input != nil && !slices.ContainsFunc(r.Args, func(a model.Word) bool { return !a.Known }) {
			return true
		}
	}
	return false
}

// decodes reports whether a program writes what it has decoded, or is code that does.
func decodes(r *model.Run) bool {
	w := programs.Parse(r)
	switch r.Program {
	case "base64", "base32", "basenc", "gbase64":
		return w.Has("d", "D", "decode")
	case "xxd":
		return w.Has("r")
	case "openssl", "gpg", "gpg2", "age", "rage", "sops", "ccrypt":
		return w.Has("d", "decrypt")
	case "ccat", "steghide", "uudecode", "rev":
		return true
	case "exiftool", "exiv2", "pdftotext", "mediainfo", "zbarimg", "tesseract":
		return true
	}
	if slices.ContainsFunc(r.Args, func(a model.Word) bool { return pictures(a.Text) }) {
		return true
	}
	if unzips(r) {
		return true
	}
	if strings.HasPrefix(r.Program, "python") && len(r.Args) > 1 && r.Args[0].Text == "-m" {
		return w.Has("d") || w.Follows("-d")
	}
	if code := w.Word(0); strings.HasSuffix(r.Program, "awk") && r.From < 0 && len(w.Operands) == 1 && strings.HasPrefix(code, "BEGIN") &&
		!strings.Contains(code, "getline") {
		return true // all that it writes is in the line
	}
	return (programs.Language(r) != "" || strings.HasSuffix(r.Program, "awk")) &&
		slices.ContainsFunc(r.Args, func(a model.Word) bool { return unpacks(a.Text) || spells(a.Text) })
}

// pictures reports whether a file is none that holds commands, by its name.
func pictures(name string) bool {
	dot := strings.LastIndexByte(name, '.')
	return dot > 0 && slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif", ".bmp", ".ico", ".webp", ".pdf", ".mp3", ".mp4", ".wav",
		".woff", ".woff2", ".ttf"}, strings.ToLower(name[dot:]))
}

// unzips reports whether a run undoes a compression or prints what an archive holds, which hides nothing
// from who unpacks a file.
func unzips(r *model.Run) bool {
	w := programs.Parse(r)
	switch r.Program {
	case "tar", "gtar", "bsdtar":
		return w.Has("O", "to-stdout")
	case "unzip":
		return w.Has("p", "c")
	case "funzip", "bsdcat":
		return true
	case "7z", "7za", "7zr", "7zz":
		return slices.ContainsFunc(r.Args, func(a model.Word) bool { return a.Text == "-so" })
	case "ar":
		return strings.HasPrefix(w.Word(0), "p")
	case "cpio":
		return w.Has("to-stdout")
	}
	return slices.Contains([]string{"gzip", "gunzip", "zcat", "bzip2", "bunzip2", "bzcat", "xz", "unxz", "xzcat", "zstd", "unzstd",
		"zstdcat", "lz4", "lz4cat"}, r.Program)
}

// unpacks reports whether code calls something that decodes a text.
func unpacks(code string) bool {
	code = strings.ToLower(code)
	return strings.Contains(code, "(") && containsAny(code, "b64decode", "decompress", "fromhex", "unhexlify", "marshal", "base64", "inflate",
		"gunzip", "unpack", "uncompress", "a85decode", "b32decode", "rot13", "atob", "uudecode")
}

// spells reports whether code puts a text together from the numbers of its letters.
func spells(code string) bool {
	return containsAny(strings.ToLower(code), "chr(", "{chr}", "map(chr", "&chr", "charcode(", "codepoint(", "string.char(", "inttoutf8(",
		"pack(", "pack \"", "%c")
}

func containsAny(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(text, part) })
}
