//go:build unix

package approvals_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/trammel-dev/trammel/approvals"
)

// What stands in the place of the keys is read at once or not at all: a pipe would
// let every call wait until its deadline, and a key of a wrong length would stop
// the program that checks a vote with it.
func TestKeyringThatIsNone(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"a pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"a device": func(path string) error { return os.Symlink("/dev/null", path) },
		"a link to a pipe": func(path string) error {
			return errors.Join(syscall.Mkfifo(path+".p", 0o600), os.Symlink(path+".p", path))
		},
		"a directory":           func(path string) error { return os.Mkdir(path, 0o700) },
		"a short key":           func(path string) error { return os.WriteFile(path, []byte(`{"servers":["AAAA"]}`), 0o600) },
		"a short authority key": func(path string) error { return os.WriteFile(path, []byte(`{"authority":{"public":"AAAA"}}`), 0o600) },
		"a sealed key without its nonce": func(path string) error {
			return os.WriteFile(path, []byte(`{"authority":{"public":"`+strings.Repeat("A", 43)+`=","salt":"AAAA","box":"`+
				strings.Repeat("A", 64)+`"}}`), 0o600)
		},
		"a sealed key without a box": func(path string) error {
			return os.WriteFile(path, []byte(`{"authority":{"public":"`+strings.Repeat("A", 43)+`=","nonce":"`+strings.Repeat("A", 16)+
				`"}}`), 0o600)
		},
		"a short authority key, sealed well": func(path string) error {
			return os.WriteFile(path, []byte(`{"authority":{"public":"AAAA","salt":"AAAA","nonce":"`+strings.Repeat("A", 16)+`","box":"`+
				strings.Repeat("A", 64)+`"}}`), 0o600)
		},
		"nothing in it": func(path string) error { return os.WriteFile(path, nil, 0o600) },
	} {
		state := t.TempDir()
		path := filepath.Join(state, "approvals", "keys.json")
		if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), put(path)); err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			_, err := approvals.LoadKeyring(state)
			done <- err
		}()
		select {
		case err := <-done:
			if err == nil {
				t.Errorf("%s passes for keys", name)
			}
		case <-time.After(5 * time.Second):
			t.Errorf("%s: it waits", name)
		}
	}
}
