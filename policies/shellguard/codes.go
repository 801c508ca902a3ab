package shellguard

import (
	_ "embed"
	"strings"
	"sync"
)

// code names a kind of finding.
type code string

// Severities, from not reported to the worst.
const (
	info     = "info"
	warning  = "warning"
	failure  = "error"
	critical = "critical"
)

// entry describes a code.
type entry struct {
	code                   code
	severity, why, instead string
	asks                   bool // asked about at level careful, too
	secret                 bool // and denied at level strict
	mild                   bool // asked about only at level strict
}

// codes has an entry for each code; its head explains the format.
//
//go:embed codes.txt
var codes string

// asked caches entries that were looked up; most programs need only a few.
var asked struct {
	sync.RWMutex
	entries map[code]entry
}

// find looks a code up.
func find(c code) (entry, bool) {
	asked.RLock()
	e, known := asked.entries[c]
	asked.RUnlock()
	if known {
		return e, true
	}
	if e, known = read(c); known {
		asked.Lock()
		defer asked.Unlock()
		if asked.entries == nil {
			asked.entries = map[code]entry{}
		}
		asked.entries[c] = e
	}
	return e, known
}

// read searches the file for a code.
func read(c code) (entry, bool) {
	_, row, _ := strings.Cut(codes, "\n---")
	_, row, known := strings.Cut(row, "\n"+string(c)+" ")
	if !known || strings.ContainsAny(string(c), " \n") {
		return entry{}, false
	}
	e := entry{code: c}
	e.severity, row, _ = strings.Cut(row, " ")
	e.severity, e.mild = strings.CutSuffix(e.severity, "?")
	e.severity, e.secret = strings.CutSuffix(e.severity, "!!")
	e.severity, e.asks = strings.CutSuffix(e.severity, "!")
	e.asks = e.asks || e.secret
	e.why, row, _ = strings.Cut(row, "\n")
	if below, ok := strings.CutPrefix(row, "\t"); ok {
		e.instead, _, _ = strings.Cut(below, "\n")
	}
	return e, true
}
