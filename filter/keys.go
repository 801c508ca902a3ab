package filter

import (
	"maps"
	"slices"
)

// Scope is what a query is about.
type Scope int

// The scopes.
const (
	Events Scope = iota
	Approvals
)

func (s Scope) String() string { return [...]string{"events", "approvals"}[s] }

// sort is how the values of a key are read.
type sort int

const (
	exact    sort = iota // texts that are equal
	glob                 // texts that a pattern matches
	choice               // one of a few words
	duration             // 250ms, compared
	moment               // 2h, 7d, a date, a time: before now
	ahead                // the same, from now on
)

type keyword struct {
	sort    sort
	scopes  [2]bool // events, approvals
	choices []string
}

var both, onlyEvents, onlyApprovals = [2]bool{true, true}, [2]bool{true, false}, [2]bool{false, true}

var keywords = map[string]keyword{
	"host":      {exact, both, nil},
	"session":   {exact, both, nil},
	"agent":     {exact, both, nil},
	"user":      {exact, both, nil},
	"hook":      {exact, both, nil},
	"reason":    {exact, both, nil},
	"id":        {exact, both, nil},
	"project":   {glob, both, nil},
	"tool":      {glob, both, nil},
	"since":     {moment, both, nil},
	"until":     {moment, both, nil},
	"is":        {choice, both, []string{"rewritten", "degraded", "trial", "failed", "granted", "bypass", "gap"}},
	"machine":   {exact, onlyEvents, nil},
	"event":     {exact, onlyEvents, nil},
	"server":    {exact, onlyEvents, nil},
	"code":      {exact, onlyEvents, nil},
	"finding":   {exact, onlyEvents, nil},
	"config":    {exact, onlyEvents, nil},
	"path":      {glob, onlyEvents, nil},
	"url":       {glob, onlyEvents, nil},
	"action":    {choice, onlyEvents, []string{"other", "shell", "write", "edit", "read", "delete", "fetch", "search", "mcp", "agent"}},
	"phase":     {choice, onlyEvents, []string{"transform", "guard", "gate", "observe"}},
	"decision":  {choice, onlyEvents, []string{"none", "allow", "ask", "deny"}},
	"took":      {duration, onlyEvents, nil},
	"approver":  {exact, onlyApprovals, nil},
	"requester": {exact, onlyApprovals, nil},
	"policy":    {exact, onlyApprovals, nil},
	"expires":   {ahead, onlyApprovals, nil},
	"state": {choice, onlyApprovals, []string{"pending", "approved", "rejected", "expired", "cancelled", "consumed", "lapsed",
		"revoked"}},
}

// isApproval is what an approval can be; is has other words for events.
var isApproval = []string{"mine", "rewritten"}

// Keys lists the keys that a scope knows.
func Keys(s Scope) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(keywords)), func(k string) bool { return !keywords[k].scopes[s] })
}
