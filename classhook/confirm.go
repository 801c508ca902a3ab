package classhook

// RequiresConfirmation says whether a tool wants a human's consent for these
// arguments, for ToolCall.Confirm: it asks the tool's method that takes them,
// else its plain one, else there is no such wish. A method that fails counts
// as yes: what cannot say that it is harmless is not.
func RequiresConfirmation(tool any, args map[string]any) (yes bool) {
	defer func() {
		if recover() != nil {
			yes = true
		}
	}()
	switch t := tool.(type) {
	case interface {
		RequiresConfirmationFor(args map[string]any) (bool, error)
	}:
		yes, err := t.RequiresConfirmationFor(args)
		return yes || err != nil
	case interface{ RequiresConfirmation() bool }:
		return t.RequiresConfirmation()
	}
	return false
}
