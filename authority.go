package trammel

// Authority is what a hook may do with its answer. It is a ceiling: the
// effective authority of a hook on an event is the least of what the hook
// declares, what its dialect permits and what the event permits. Each level
// includes the ones before it.
type Authority uint8

const (
	// Observe may state facts, signals, diagnostics and a notice, and change
	// nothing. The zero Authority is no authority at all: a hook has to say what it may do.
	Observe Authority = iota + 1
	// Contextual may also add context for the model.
	Contextual
	// Rewrite may also rewrite the tool's input or output.
	Rewrite
	// Guard may also deny and ask.
	Guard
	// Grant may also approve on the user's behalf, so that the host does not ask.
	Grant
)

// Overreach names the first thing in the answer that goes beyond the
// authority on an event with these capabilities, or "" if there is none.
func (a Authority) Overreach(ans *Answer, can Capabilities) string {
	switch {
	case ans.Decision != None && (a < Guard || !can.Any(Block|Continue)):
		return ans.Decision.String()
	case ans.Decision == Ask && !can.Any(CanAsk):
		return "ask"
	case ans.Input != nil && (a < Rewrite || !can.Any(RewriteInput)):
		return "rewrite of the input"
	case ans.Output != nil && (a < Rewrite || !can.Any(RewriteOutput)):
		return "rewrite of the output"
	case ans.Summary != "" && (a < Rewrite || !can.Any(RewriteOutput)):
		return "summary"
	case len(ans.Context) > 0 && (a < Contextual || !can.Any(Inject)):
		return "context"
	}
	return ""
}
