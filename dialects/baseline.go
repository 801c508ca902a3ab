package dialects

import "github.com/trammel-dev/trammel"

// Truncated is the field of an event whose payload was cut off (FLOW-03).
const Truncated = "input_truncated"

// Caller is implemented by host dialects that need more than the payload to
// read an event, and hold the payload against a limit of their own.
type Caller interface {
	// DecodeCall is DecodeEvent, with the variables of the call. Of a payload
	// beyond the limit it makes an event that says so under Truncated.
	DecodeCall(raw []byte, name string, getenv func(string) string) (*trammel.Event, error)
}

// Opener is implemented by host dialects whose contract lets some events go on
// that could not be judged. They are recorded all the same.
type Opener interface {
	LetsThrough(ev *trammel.Event, f *trammel.Failure) bool
}

// Baseliner is implemented by host dialects whose callers expect some policies
// to run that nobody has configured.
type Baseliner interface {
	// Baseline returns the policies that hold where the configuration does not
	// use the same ones.
	Baseline(s Switches) []Use
}

// Switches are what can switch policies of a baseline off.
type Switches struct {
	Profile  string // "" if the configuration sets none
	Disabled string // ids, separated by commas
	// Getenv looks a variable up. Where the configuration gives the environment
	// no say (Fixed), there are none.
	Getenv func(string) string
	Fixed  bool
	// Called is true where the caller has named a policy: then it holds,
	// whatever the other switches say.
	Called bool
}

// Use is a policy with its options as JSON, nil for none.
type Use struct {
	Policy string
	With   []byte
}
