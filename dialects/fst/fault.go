package fst

import "github.com/trammel-dev/trammel"

// Fault is a failure of a hook call. Its text is the diagnostic, word for
// word, and the only thing that a record says about it: what differs from run
// to run (times, numbers, what the program printed) is not part of it.
type Fault string

// The faults of the program.
const (
	Timeout      Fault = "hook timeout"
	Canceled     Fault = "hook call canceled"
	NoRuntime    Fault = "hook runtime not found"
	NoStart      Fault = "hook runtime cannot be started"
	EarlyExit    Fault = "hook exited without a result"
	FailedExit   Fault = "hook exited with an error code"
	Signaled     Fault = "hook was ended by a signal"
	CutOff       Fault = "hook result is cut off"
	Closed       Fault = "hook closed its output"
	TooLong      Fault = "hook result is too long"
	TwoLines     Fault = "hook wrote more than one line"
	Lingers      Fault = "hook did not end after its input ended"
	Changed      Fault = "hook files are not the ones that were trusted"
	BadManifest  Fault = "hook manifest is not valid"
	Untranslated Fault = "hook entry file cannot be translated"
)

// The faults of a call.
const (
	UnknownHook Fault = "unknown hook"
	BadPayload  Fault = "hook payload is not a JSON object"
	BigPayload  Fault = "hook payload is too large"
	WrongType   Fault = "hook does not take this type of artifact"
)

// The faults of a result.
const (
	NotJSON        Fault = "hook output is not JSON"
	NotObject      Fault = "hook result is not a JSON object"
	Unreadable     Fault = "hook result cannot be read without loss"
	DuplicateKey   Fault = "hook result has a key twice"
	Forbidden      Fault = "hook result has a forbidden authority field"
	NotAllowed     Fault = "hook result has a field that its contract does not allow"
	NotOfType      Fault = "hook result has a field that its type may not produce"
	BadStatus      Fault = "hook result has no status of ok or error"
	BadValid       Fault = "hook result does not say whether the artifact is valid"
	ValidFailure   Fault = "hook result is both a failure and valid"
	BadFacts       Fault = "hook result has facts that are not an object"
	BadDiagnostics Fault = "hook result has diagnostics that are not a list of texts"
	BadArtifacts   Fault = "hook result has artifacts that are not a list of objects"
	BadRendered    Fault = "hook result has no rendered text"
	WrongCall      Fault = "hook result is for another call"
	HookFailed     Fault = "hook reported a failure"
)

func (f Fault) Error() string { return string(f) }

// Code is the engine's class of the fault.
func (f Fault) Code() trammel.Code {
	switch f {
	case "":
		return ""
	case Timeout, Lingers:
		return trammel.CodeTimeout
	case Canceled:
		return trammel.CodeCanceled
	case NoRuntime, NoStart:
		return trammel.CodeUnavailable
	case EarlyExit, FailedExit, Signaled, CutOff, Closed:
		return trammel.CodeCrash
	case TooLong:
		return trammel.CodeOversized
	case Changed:
		return trammel.CodeChanged
	case BadManifest, UnknownHook, Untranslated:
		return trammel.CodeConfig
	case BadPayload, WrongType:
		return trammel.CodeInput
	case BigPayload:
		return trammel.CodeTooLarge
	case Forbidden, NotOfType:
		return trammel.CodeAuthority
	case NotAllowed:
		return trammel.CodeUnknownField
	case HookFailed:
		return trammel.CodeError
	}
	return trammel.CodeMalformed
}
