package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/trammel-dev/trammel/internal/visible"
)

// Message is what an error says to a person: "there is no file or directory
// rules.yaml", not "open rules.yaml: no such file or directory", and "found a
// list, expected an object", not "cannot unmarshal array into Go value of type
// pin.Lock".
func Message(err error) string {
	text, _ := visible.Text(inWords(err, err.Error())) // of projects and models, in part
	return text
}

// inWords replaces in a text what the error, or one that it wraps, says about
// files and JSON.
func inWords(err error, text string) string {
	words := ""
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		words = "it ends too early"
	}
	switch e := err.(type) {
	case *fs.PathError:
		words = aboutFile(e)
	case *url.Error:
		words = fmt.Sprintf("cannot reach %s: %v", e.URL, rootOf(e.Err))
	case *net.OpError:
		if e.Op == "listen" && e.Addr != nil {
			words = fmt.Sprintf("cannot listen on %s: %v", e.Addr, rootOf(e.Err))
		}
	case *jsonv2.SemanticError:
		words = aboutValue(kindWords[e.JSONKind.String()], e.GoType, string(e.JSONPointer))
		if errors.Is(e.Err, jsonv2.ErrUnknownName) {
			words = fmt.Sprintf("the key %s is unknown", e.JSONPointer)
		}
	case *jsontext.SyntacticError:
		words = fmt.Sprintf("it is not valid JSON: at byte %d: %v", e.ByteOffset, e.Err)
	case *json.UnmarshalTypeError:
		kind, _, _ := strings.Cut(e.Value, " ") // "number 5"
		words = aboutValue(kindWords[kind], e.Type, e.Field)
	case *json.SyntaxError:
		words = fmt.Sprintf("it is not valid JSON: at byte %d: %v", e.Offset, e)
	case *os.LinkError:
		words = fmt.Sprintf("cannot write %q: %v", e.New, rootOf(e))
	case *os.SyscallError:
		if e.Syscall == "getwd" {
			words = "the current directory does not exist any more; go to one that does"
		}
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			return inWords(inner, text)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			text = inWords(inner, text)
		}
	}
	if words == "" {
		return text
	}
	return strings.Replace(text, err.Error(), words, 1)
}

// rootOf is the innermost error, such as "address already in use".
func rootOf(err error) error {
	for inner := errors.Unwrap(err); inner != nil; inner = errors.Unwrap(err) {
		err = inner
	}
	return err
}

// verbs are what system calls do.
var verbs = map[string]string{"open": "open", "openat": "open", "read": "read", "write": "write", "mkdir": "create the directory",
	"stat": "look at", "lstat": "look at", "fstatat": "look at", "statat": "look at", "readdirent": "list", "fdopendir": "list",
	"remove": "remove", "unlinkat": "remove", "chmod": "change the mode of", "truncate": "truncate", "sync": "save"}

func aboutFile(e *fs.PathError) string {
	verb := verbs[e.Op]
	switch {
	case verb == "":
		return ""
	case errors.Is(e.Err, fs.ErrNotExist):
		if target, err := os.Readlink(e.Path); err == nil {
			return fmt.Sprintf("%s is a link to %s, and there is no such file or directory", e.Path, target)
		}
		dir := filepath.Dir(filepath.Clean(e.Path))
		below := strings.HasSuffix(e.Op, "at") && e.Op != "stat" && e.Op != "lstat" // another directory than the current one
		if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) && (!below || filepath.IsAbs(dir)) {
			return fmt.Sprintf("cannot %s %s: there is no directory %s", verb, e.Path, dir)
		}
		return "there is no file or directory " + e.Path
	case errors.Is(e.Err, fs.ErrExist):
		return e.Path + " is there already and was not changed"
	case errors.Is(e.Err, syscall.EISDIR):
		return e.Path + " is a directory, expected a file"
	}
	return fmt.Sprintf("cannot %s %s: %v", verb, e.Path, e.Err)
}

// kindWords are the kinds of JSON values, as both JSON packages name them.
var kindWords = map[string]string{"{": "an object", "object": "an object", "[": "a list", "array": "a list", "string": "a string",
	"number": "a number", "true": "a boolean", "false": "a boolean", "bool": "a boolean", "null": "null"}

// aboutValue says that a value in JSON is of the wrong kind.
func aboutValue(found string, want reflect.Type, at string) string {
	if at != "" {
		at = " at " + at
	}
	if found == "a number" && wanted(want) == found {
		return "the number" + at + " is out of range"
	}
	return fmt.Sprintf("found %s%s, expected %s", found, at, wanted(want))
}

// wanted is the kind of JSON values that a type is read from.
func wanted(t reflect.Type) string {
	if t == nil {
		return "another value"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return wanted(t.Elem())
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	}
	return "a number"
}
