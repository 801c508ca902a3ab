package optnames

import (
	"path"
	"slices"
	"strings"

	"github.com/trammel-dev/trammel/effects/model"
	"github.com/trammel-dev/trammel/effects/recipes"
)

// Data reports whether a file holds pictures, sound, tables or the weights of a
// model by its name: nothing that any program runs.
func Data(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".gguf", ".ggml", ".safetensors", ".onnx", ".tflite", ".csv", ".tsv", ".parquet", ".arrow", ".jsonl", ".ndjson", ".npy",
		".wav", ".mp3", ".flac", ".ogg", ".mp4", ".webm", ".png", ".jpg", ".jpeg", ".webp", ".gif", ".ttf", ".otf", ".woff2", ".pdf":
		return true
	}
	return false
}

// Describes reports whether a file describes something by its name, such as openapi.json.
func Describes(option, file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".json", ".xml", ".xsd", ".wsdl", ".proto", ".graphql", ".html", ".svg", ".md", ".txt":
	default:
		return false
	}
	schema := strings.Contains(strings.ToLower(path.Base(file)), "schema") && len(option) == 2 // ajv -s schema.json
	return recipes.RunBy(file) == recipes.Nobody && (option == "-i" || schema || !strings.HasPrefix(option, "-"))
}

// Image reports whether a file is what a disk is written with, by its name.
func Image(file string) bool {
	switch strings.ToLower(path.Ext(file)) {
	case ".img", ".iso", ".bin", ".raw", ".qcow2", ".vhd", ".vmdk", ".wic", ".dmg", ".gz", ".xz", ".zst", ".bz2", ".hddimg":
		return true
	}
	return false
}

// SharedCode reports whether a word names code on the share of another machine: \\host\x\y.dll.
func SharedCode(word string) bool {
	host, _, ok := strings.Cut(strings.TrimPrefix(word, `\\`), `\`)
	dot := strings.LastIndexByte(word, '.')
	return ok && strings.HasPrefix(word, `\\`) && host != "." && host != "?" && dot > 0 && slices.Contains([]string{"dll", "exe", "hta", "sct",
		"vbs", "js", "bat", "cmd", "ps1", "inf", "msi", "cpl", "ocx", "scr", "xll", "csproj"}, strings.ToLower(word[dot+1:]))
}

// Interpreter reports whether a program runs code by its name.
func Interpreter(name string) bool {
	switch strings.TrimRight(name, "0123456789.") {
	case "sh", "bash", "zsh", "dash", "ksh", "fish", "python", "perl", "ruby", "node", "php", "lua", "pwsh", "powershell", "cmd":
		return true
	}
	return false
}

// Wraps reports whether a program only starts, or steers, what follows.
func Wraps(name string) bool {
	switch name {
	case "sudo", "env", "kubectl", "terraform", "tofu", "helm", "docker", "xargs", "timeout", "nohup":
		return true
	}
	return false
}

// Feeds reports whether a line that goes on with a text pipes something into an
// interpreter: curl x | sh.
func Feeds(text string) bool {
	for {
		_, after, ok := strings.Cut(text, "|")
		if !ok {
			return false
		}
		text = strings.TrimLeft(after, "& ")
		end := strings.IndexFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n\"'`|&;)}\\", r) })
		if end < 0 {
			end = len(text)
		}
		name := path.Base(text[:end])
		if Interpreter(name) || name == "sudo" || name == "env" || name == "xargs" {
			return true
		}
	}
}

// Calls reports whether a text calls a function with a text, or with a list of them: f("x").
func Calls(text string) bool {
	return strings.Contains(text, `("`) || strings.Contains(text, `('`) || strings.Contains(text, `["`) || strings.Contains(text, `['`)
}

// AptRuns reports whether apt runs what a setting says: DPkg::Pre-Invoke::, Dir::Bin::Pager.
func AptRuns(name string) bool {
	name = strings.ToLower(name)
	for _, part := range [...]string{"-invoke", "-install-pkgs", "dir::bin::", "::pager", "-auto-detect"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}

// Version reports whether a word looks like a version: 18, v20.1, lts/iron.
func Version(word string) bool {
	word = strings.TrimPrefix(word[strings.IndexByte(word, '@')+1:], "v") // node@20
	return word != "" && word[0] >= '0' && word[0] <= '9' || strings.HasPrefix(word, "lts")
}

// Likely returns the program that a pattern (/bin/r?) most likely means, "" if it
// is not one that matters.
func Likely(w *model.Word, matches func(pattern, name string) bool) string {
	base := w.Text[strings.LastIndexByte(w.Text, '/')+1:]
	for _, name := range [...]string{"rm", "sh", "bash", "dd", "mv", "cp", "curl", "wget", "nc", "chmod", "chown", "python3", "python",
		"perl", "node", "ruby", "shred", "mkfs", "find", "git", "sudo", "cat", "tee", "head", "tail", "tac", "less", "od", "xxd", "strings",
		"base64", "tar", "zip", "scp", "ssh", "rsync", "sed", "awk", "grep", "env", "printenv", "xargs", "ncat", "socat", "php", "truncate",
		"unlink", "openssl", "crontab", "docker", "kubectl", "systemctl", "zsh", "dash", "busybox"} {
		if w.Known && w.Glob && matches(base, name) {
			return name
		}
	}
	return ""
}

// Stem is what the name of a program says that it is for, without what says that it is a
// program: edrctl, token-cli.
func Stem(program string) string {
	for _, end := range [...]string{"ctl", "cli", "tool", "mgr"} {
		if stem, ok := strings.CutSuffix(program, end); ok && len(stem) > 1 {
			return strings.TrimSuffix(stem, "-")
		}
	}
	return program
}
