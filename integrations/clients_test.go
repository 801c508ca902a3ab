//go:build unix

package integrations

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// FLOW-61: the JavaScript client, against programs that answer well and badly,
// with the timeouts of FLOW-63 and the environment of FLOW-64.
func TestJavaScriptClient(t *testing.T) {
	unit(t, "js", "FLOW-61 answer: too much", "node", "--test", "--test-reporter=spec", "trammel.test.mjs")
}

// FLOW-61: the Python client, against the same answers.
func TestPythonClient(t *testing.T) {
	unit(t, "python", "test_answers", "python3", "-B", "-W", "error", "-m", "unittest", "-v", "test_trammel")
}

// unit runs the tests of a client. One of them is known: a runner that finds
// none is content, too.
func unit(t *testing.T, dir, known, program string, args ...string) {
	t.Parallel()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skip("no " + program + " on this machine")
	}
	cmd := exec.Command(path, args...)
	cmd.Dir = dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(pair string) bool {
		return strings.HasPrefix(pair, "NODE_TEST_CONTEXT=") || strings.HasPrefix(pair, "TRAMMEL_HOOK=")
	})
	cmd.Env = append(cmd.Env, "TMPDIR="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil || !bytes.Contains(out, []byte(known)) {
		t.Errorf("%v\n%s", err, out)
	}
}
