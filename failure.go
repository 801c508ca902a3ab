package trammel

import (
	"context"
	"errors"
	"fmt"
)

// Code classifies a failure. Codes are part of the evidence and of the
// contract; texts are not.
type Code string

// The codes of failures.
const (
	CodeError        Code = "error"              // the handler returned an error
	CodePanic        Code = "panic"              // the handler panicked
	CodeTimeout      Code = "timeout"            // no answer within the hook's time
	CodeCanceled     Code = "canceled"           // the caller gave up; not a denial
	CodeCrash        Code = "crash"              // a program ended with another exit code than its dialect knows, or by a signal
	CodeUnavailable  Code = "unavailable"        // the program, endpoint or model could not be reached
	CodeMalformed    Code = "malformed_output"   // the answer could not be read
	CodeOversized    Code = "oversized_output"   // the answer was larger than allowed
	CodeUnknownField Code = "unknown_field"      // the answer had a field that its dialect does not know
	CodeAuthority    Code = "authority"          // the answer went beyond the hook's authority
	CodeUnstable     Code = "unstable_rewrite"   // guards kept rewriting each other's arguments
	CodeChanged      Code = "entrypoint_changed" // the program is not the one that was trusted
	CodeConfig       Code = "config"             // the configuration cannot be used
	CodeInput        Code = "input"              // the host's payload cannot be read
	CodeTooLarge     Code = "input_too_large"    // the host's payload is larger than allowed
	CodeEvidence     Code = "evidence"           // the record could not be written
)

// Failure is an error with a code. Handlers return one to be precise about
// what went wrong; any other error has CodeError.
type Failure struct {
	Code   Code
	Detail string
	Err    error
	// Trace is what was exchanged before it failed, if anything.
	Trace *Trace
	// Diagnostics say what the hook had done before it failed. They are
	// recorded.
	Diagnostics []string
}

// Fail makes a Failure.
func Fail(code Code, format string, args ...any) *Failure {
	err := fmt.Errorf(format, args...)
	return &Failure{Code: code, Detail: err.Error(), Err: errors.Unwrap(err)}
}

func (f *Failure) Error() string {
	if f.Detail == "" {
		return string(f.Code)
	}
	return f.Detail
}

func (f *Failure) Unwrap() error { return f.Err }

// CodeOf is the code of a failure, "" for any other error.
func CodeOf(err error) Code {
	var f *Failure
	if errors.As(err, &f) {
		return f.Code
	}
	return ""
}

// Traced puts what was exchanged into a failure, so that evidence shows it.
func Traced(err error, trace *Trace) *Failure {
	var f *Failure
	if !errors.As(err, &f) {
		f = &Failure{Code: CodeError, Detail: err.Error(), Err: err}
	}
	out := *f
	out.Trace = trace
	return &out
}

// failureOf turns a handler's error into a Failure. caller is the context of
// the dispatch, hook the one of the run.
func failureOf(err error, caller, hook context.Context) *Failure {
	var f *Failure
	switch {
	case errors.Is(caller.Err(), context.Canceled):
		f = &Failure{Code: CodeCanceled, Detail: "canceled", Err: err}
	case errors.As(err, &f):
	case hook.Err() != nil || errors.Is(err, context.DeadlineExceeded):
		f = &Failure{Code: CodeTimeout, Detail: "no answer in time", Err: err}
	default:
		f = &Failure{Code: CodeError, Detail: err.Error(), Err: err}
	}
	return f
}
