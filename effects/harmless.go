package effects

import (
	"strings"
)

// keepsReading reports whether the owner can still read after a run that changes
// permissions: chmod 644, u+rwX, go-w. A new owner can read, too.
func keepsReading(r *Run) bool {
	switch r.Program {
	case "chown", "chgrp":
		return true
	}
	mode, ok := modeOf(r)
	return ok && modeKeepsReading(mode)
}

// modeOf returns the mode that a run of chmod sets.
func modeOf(r *Run) (mode string, ok bool) {
	if r.Program != "chmod" {
		return "", false
	}
	for _, w := range r.Args {
		if strings.HasPrefix(w.Text, "-") && !strings.ContainsAny(w.Text, "rwxX,") || strings.HasPrefix(w.Text, "--") {
			continue
		}
		return w.Text, w.Known
	}
	return "", false
}

// narrows reports whether a run that changes permissions only removes permissions
// of users other than the owner: chmod 600, go-rwx.
func narrows(r *Run) bool {
	mode, ok := modeOf(r)
	if !ok || mode == "" {
		return false
	}
	if strings.Trim(mode, "01234567") == "" {
		return strings.HasSuffix(mode, "00") && len(strings.TrimLeft(mode, "0")) == 3 && modeKeepsReading(mode)
	}
	for clause := range strings.SplitSeq(mode, ",") {
		who := strings.TrimLeft(clause, "go")
		if who == clause || who[:min(1, len(who))] != "-" && who != "=" {
			return false
		}
	}
	return true
}

func modeKeepsReading(mode string) bool {
	if digits := strings.Trim(mode, "01234567"); digits == "" && len(mode) >= 3 {
		return (mode[len(mode)-3]-'0')&4 != 0
	}
	for clause := range strings.SplitSeq(mode, ",") {
		at := strings.IndexAny(clause, "+-=")
		if at < 0 {
			return false
		}
		who, what := clause[:at], clause[at+1:]
		owner := who == "" || strings.ContainsAny(who, "ua")
		reads := strings.Contains(what, "r")
		if owner && (clause[at] == '-' && reads || clause[at] == '=' && !reads) {
			return false
		}
	}
	return true
}

// onlyEmpty reports whether find removes only empty files and directories. It
// cannot remove a directory that is not empty.
func onlyEmpty(r *Run) bool {
	if r.Program != "find" {
		return false
	}
	for i, w := range r.Args {
		turned := i > 0 && (r.Args[i-1].Text == "!" || r.Args[i-1].Text == "-not")
		switch {
		case w.Text == "-o" || w.Text == "-or" || w.Text == ",":
			return false
		case turned:
		case w.Text == "-empty", w.Text == "-type" && i+1 < len(r.Args) && r.Args[i+1].Text == "d":
			return true
		}
	}
	return false
}
