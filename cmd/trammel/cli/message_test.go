package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
)

// Messages name neither system calls nor types of Go.
func TestMessage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	none, below := filepath.Join(dir, "none"), filepath.Join(dir, "none", "file")
	_, missing := os.ReadFile(none)
	_, lost := os.Stat(none)
	_, directory := os.ReadFile(dir)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(none, link); err != nil {
		t.Skip("no links on this system:", err)
	}
	_, dangling := os.ReadFile(link)
	first, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	_, twice := net.Listen("tcp", first.Addr().String())
	type document struct {
		Kind string
		Seq  uint64
		List []string
	}
	v1 := func(text string) error { return fmt.Errorf("the pins: %w", json.Unmarshal([]byte(text), &document{})) }
	v2 := func(text string) error {
		return fmt.Errorf("the proof: %w", jsonv2.Unmarshal([]byte(text), &document{}, jsonv2.RejectUnknownMembers(true)))
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{missing, "there is no file or directory " + none},
		{fmt.Errorf("the proof: %w", lost), "the proof: there is no file or directory " + none},
		{dangling, link + " is a link to " + none + ", and there is no such file or directory"},
		{errors.Join(missing, lost, errors.New("other")),
			"there is no file or directory " + none + "\nthere is no file or directory " + none + "\nother"},
		{os.WriteFile(below, nil, 0o600), "cannot open " + below + ": there is no directory " + none},
		{&os.PathError{Op: "mkdir", Path: none, Err: os.ErrPermission}, "cannot create the directory " + none + ": permission denied"},
		{&os.PathError{Op: "openat", Path: "sub/file", Err: os.ErrNotExist}, "there is no file or directory sub/file"},
		{&os.PathError{Op: "frobnicate", Path: none, Err: os.ErrPermission}, "frobnicate " + none + ": permission denied"},
		{&os.PathError{Op: "stat", Path: none + "/", Err: os.ErrNotExist}, "there is no file or directory " + none + "/"},
		{&os.PathError{Op: "open", Path: dir, Err: os.ErrExist}, dir + " is there already and was not changed"},
		{twice, "cannot listen on " + first.Addr().String() + ": address already in use"},
		{fmt.Errorf("the archive: %w", io.ErrUnexpectedEOF), "the archive: it ends too early"},
		{os.NewSyscallError("getwd", os.ErrNotExist), "the current directory does not exist any more; go to one that does"},
		{os.Rename(none, filepath.Join(dir, "other")), fmt.Sprintf("cannot write %q: no such file or directory", filepath.Join(dir, "other"))},
		{directory, dir + " is a directory, expected a file"},
		{errors.New("open to all"), "open to all"},
		{v1(`[]`), "the pins: found a list, expected an object"},
		{v1(`{"Seq": "x"}`), "the pins: found a string at Seq, expected a number"},
		{v1(`{"Seq": -1}`), "the pins: the number at Seq is out of range"},
		{v1(`{"Seq"`), "the pins: it is not valid JSON: at byte 6: unexpected end of JSON input"},
		{v2(`"x"`), "the proof: found a string, expected an object"},
		{v2(`{"Kind": 1}`), "the proof: found a number at /Kind, expected a string"},
		{v2(`{"List": {}}`), "the proof: found an object at /List, expected a list"},
		{v2(`{"Other": 1}`), "the proof: the key /Other is unknown"},
		{v2(`{"Seq"`), "the proof: it is not valid JSON: at byte 6: unexpected EOF"},
	} {
		if runtime.GOOS == "windows" && (c.err == directory || c.err == twice) {
			continue // the system has other words
		}
		if got := Message(c.err); got != c.want {
			t.Errorf("%v:\n got %s\nwant %s", c.err, got, c.want)
		}
	}
}
