package stopgoalfit

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/trammel-dev/trammel/internal/flow"
)

// maxClaims bounds how many claimed commands are looked up.
const maxClaims = 8

// captured compares what is claimed with the log of what was really run.
func (e *examiner) captured() {
	log, err := e.Log()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if len(e.claimed) > 0 {
			e.add(soft, "capture_missing", flow.LogFile, "NOT_VERIFIED — commands are claimed to have passed, and there is no %s to show that any "+
				"was run.", flow.LogFile)
		}
		return
	case !e.there(flow.LogFile, err):
		return
	}
	switch log.Chain {
	case flow.Broken:
		e.add(hard, "log_broken", flow.LogFile, "capture log integrity FAILED: a record of %s was changed, removed or put in. It proves nothing "+
			"until the commands are run again in a new log.", flow.LogFile)
		return
	case flow.Forked:
		e.add(advice, "log_forked", flow.LogFile, "%s was written by two processes at once; nothing is missing.", flow.LogFile)
	}
	head := flow.Head(e.Root)
	for _, command := range e.claimed[:min(len(e.claimed), maxClaims)] {
		e.compare(command, log, head)
	}
}

func (e *examiner) compare(command string, log *flow.Log, head string) {
	shown := flow.Clean(command)
	if launders(command) {
		e.add(hard, "exit_laundered", shown, "%s is claimed to have passed, but it ends so that it always does (exit-code-laundered). Run it "+
			"without that.", shown)
		return
	}
	run, ok := log.Latest(command)
	switch {
	case !ok:
		e.add(soft, "capture_missing", shown, "NOT_VERIFIED — %s is claimed to have passed, and the log does not show that it was run.", shown)
	case run.Result == flow.Failed:
		e.add(hard, "capture_contradicts", shown, "capture log CONTRADICTS claimed pass: the last run of %s failed (caught false-completion). "+
			"Fix it, run it again, and record that.", shown)
	case run.Result == flow.Ambiguous:
		e.add(hard, "capture_ambiguous", shown, "NOT_VERIFIED — it is unknown whether the last run of %s passed. Run it alone, so "+
			"that its exit code shows.", shown)
	case head != "" && run.Commit != "" && run.Commit != head:
		e.add(advice, "capture_stale", shown, "%s passed at a commit other than the current one.", shown)
	}
}

// launders reports whether a command ends in something that succeeds whatever
// came before. A fallback that does real work does not.
func launders(command string) bool {
	at, operator := lastOperator(command)
	if operator == "" || operator == "&&" {
		return false
	}
	rest := strings.Fields(command[at+len(operator):])
	if len(rest) == 0 {
		return false
	}
	switch rest[0] {
	case "true", ":", "/bin/true":
		return true
	case "exit":
		return len(rest) == 2 && rest[1] == "0"
	case "echo", "printf":
		return operator == ";" || operator == "||"
	}
	return false
}

// lastOperator finds the last ||, &&, ; or | outside of quotes.
func lastOperator(command string) (at int, operator string) {
	var quote byte
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == ';':
			at, operator = i, ";"
		case c == '|' || c == '&':
			if i+1 < len(command) && command[i+1] == c {
				at, operator = i, command[i:i+2]
				i++
			} else if c == '|' {
				at, operator = i, "|"
			}
		}
	}
	return at, operator
}
